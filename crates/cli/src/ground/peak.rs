//! The memory of this process.

/// The most memory this process has had at a time, where the system tells.
pub(super) fn peak_rss_mb() -> Option<f64> {
    peak_in(&std::fs::read_to_string("/proc/self/status").ok()?)
}

fn peak_in(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    Some((kilobytes / 1024.0 * 10.0).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_from_the_status_of_the_process() {
        assert_eq!(peak_in("Name:\tsenet\nVmHWM:\t  10240 kB\nVmRSS:\t 1 kB\n"), Some(10.0));
        assert_eq!(peak_in("Name:\tsenet\n"), None);
    }
}
