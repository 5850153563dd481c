//! The line of progress.

use std::sync::atomic::Ordering;
use std::time::Duration;

use heap_base::blob::Meter;
use heap_report::text::width;

use crate::progress;

#[test]
fn a_progress_line_fits_its_terminal() {
    let meter = Meter::default();
    let second = Duration::from_secs(2);
    meter.done.store(1 << 30, Ordering::Relaxed);
    assert_eq!(progress::line("x", Some(&meter), second, 79), "x  1.0G  512M/s  0:02");
    assert_eq!(progress::line("dominators", None, Duration::from_secs(3660), 79), "dominators  1:01:00");
    meter.total.store(4 << 30, Ordering::Relaxed);
    let line = progress::line("x.heapsnapshot", Some(&meter), second, 79);
    assert_eq!(line, "x.heapsnapshot  [#######---------------------]  1.0G  512M/s   25%  0:06 left");
    for columns in 0..100 {
        let line =
            progress::line("a rather long name of a dump file.heapsnapshot", Some(&meter), second, columns);
        assert!(width(&line) <= columns, "{columns}: {line}");
    }
    // More was read than was planned.
    meter.done.store(9 << 30, Ordering::Relaxed);
    assert!(progress::line("x", Some(&meter), second, 79).contains("100%"));
}
