//! Processor time and memory, as the system tells them.

use std::sync::OnceLock;
use std::time::Instant;

/// Milliseconds of processor time of this thread, which a busy machine does not stretch; of wall time where the system does
/// not tell.
pub fn cpu_ms() -> f64 {
    let counted = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = counted.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(wall_ms, |n| n * 1e-6)
}

/// Milliseconds of wall time since the first call.
pub(crate) fn wall_ms() -> f64 {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e3
}

/// Largest memory that this process has had resident since [`forget_peak`], MB: `VmHWM` of the system; absent where there
/// is none.
pub fn peak_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

/// Starts the peak anew from what is resident now, where the system lets us.
pub fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
