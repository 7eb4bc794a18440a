//! What this machine offers, for the limits that the user did not set.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// One thread a core.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Four fifths of the memory that is free now, within a container's limit; `None`
/// where the system does not say.
pub(crate) fn memory() -> Option<u64> {
    let kind = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(kind).ok()?;
    let within = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    let free = system.available_memory().min(within);
    (free > 0).then_some(free / 5 * 4)
}
