//! What this machine offers, for the limits that the user did not set.

use std::time::{SystemTime, UNIX_EPOCH};

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// The date, in Greenwich, as year-month-day; that of `SOURCE_DATE_EPOCH` where it is set.
pub(crate) fn today() -> String {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse::<u64>().ok());
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(given.unwrap_or_else(now) / 86_400)
}

/// The date so many days after 1970-01-01: whole years first, then months.
fn date(mut days: u64) -> String {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}

/// One thread a core.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Four fifths of the memory that is free now, within a container's limit; `None`
/// where the system does not say.
pub fn memory() -> Option<u64> {
    let kind = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(kind).ok()?;
    let within = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    let free = system.available_memory().min(within);
    (free > 0).then_some(free / 5 * 4)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates() {
        let days = [0, 58, 59, 789, 11_016, 19_722, 19_723, 20_773];
        let dates = days.map(date);
        let written = [
            "1970-01-01",
            "1970-02-28",
            "1970-03-01",
            "1972-02-29",
            "2000-02-29",
            "2023-12-31",
            "2024-01-01",
            "2026-11-16",
        ];
        assert_eq!(dates, written);
    }
}
