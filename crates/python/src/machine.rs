//! What the machine offers. To ask the system takes longer than many a question, so what it says is
//! kept for a while.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use pessoi_cli::machine;

/// How long the free memory is taken to be what it was.
const A_WHILE: Duration = Duration::from_secs(1);

/// One thread a core.
pub(crate) fn threads() -> usize {
    static THREADS: OnceLock<usize> = OnceLock::new();
    *THREADS.get_or_init(machine::threads)
}

/// Most of the memory that is free now, or was a moment ago.
pub(crate) fn memory() -> Option<u64> {
    static KNOWN: Mutex<Option<(Instant, Option<u64>)>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    match *known {
        Some((asked, memory)) if asked.elapsed() < A_WHILE => memory,
        _ => {
            let memory = machine::memory();
            *known = Some((Instant::now(), memory));
            memory
        }
    }
}
