//! Several dumps one after the other, and their names.

use std::ffi::{OsStr, OsString};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use heap_base::sys::os_string;
use heap_live::Source;

/// How many dumps, how far apart, and how they are called.
#[derive(Debug)]
pub(super) struct Series {
    pub(super) count: u32,
    pub(super) every: Duration,
    /// A name with `%n`, `%p`, `%t`, `%h`, `%w` and `%%` in it.
    pub(super) pattern: OsString,
    /// Whether each is one of the main thread and one of each worker.
    pub(super) workers: bool,
}

impl Series {
    /// What the name lacks for all dumps to have different ones.
    pub(super) fn lacks(&self) -> Option<&'static str> {
        let has = |wanted: &[u8]| placeholders(&self.pattern).any(|c| wanted.contains(&c));
        match () {
            () if self.count > 1 && !has(b"nt") => Some("%n or %t"),
            () if self.workers && !self.names_worker() => Some("%w"),
            () => None,
        }
    }

    /// Whether names say whose heap it is.
    pub(super) fn names_worker(&self) -> bool {
        placeholders(&self.pattern).any(|c| c == b'w')
    }

    /// The name of a dump, the first of which has the number 1. Numbers have as many digits as the last one, so that a
    /// shell sorts the names as they were taken.
    pub(super) fn name(&self, number: u32, source: &Source, time: SystemTime, worker: &str) -> OsString {
        let digits = self.count.to_string().len();
        let mut name = Vec::new();
        let mut bytes = self.pattern.as_encoded_bytes().iter();
        while let Some(&byte) = bytes.next() {
            match (byte, if byte == b'%' { bytes.clone().next() } else { None }) {
                (_, Some(b'n')) => name.extend(format!("{number:0digits$}").bytes()),
                (_, Some(b'p')) => name.extend(process(source).bytes()),
                (_, Some(b't')) => name.extend(stamp(time).bytes()),
                (_, Some(b'w')) => name.extend(worker.bytes().map(harmless)),
                (_, Some(b'h')) => name.extend(heap_live::host().bytes().map(harmless)),
                (_, Some(b'%')) => name.push(b'%'),
                _ => {
                    name.push(byte);
                    continue;
                }
            }
            bytes.next();
        }
        os_string(name)
    }
}

/// A letter that may be part of a name: what others say must not lead to another folder.
fn harmless(byte: u8) -> u8 {
    if byte.is_ascii_alphanumeric() || b".-_".contains(&byte) { byte } else { b'_' }
}

/// What stands behind each `%`.
fn placeholders(pattern: &OsStr) -> impl Iterator<Item = u8> + '_ {
    let mut bytes = pattern.as_encoded_bytes().iter().copied();
    std::iter::from_fn(move || {
        bytes.find(|&byte| byte == b'%')?;
        bytes.next()
    })
}

fn process(source: &Source) -> String {
    match source {
        Source::Process(pid) => pid.to_string(),
        Source::Address(address) => address.port().to_string(),
    }
}

/// A moment as names of files have it, in UTC: `20261125T093500Z`.
fn stamp(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March have their odd day at the end; 146,097 days are 400 of them.
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z")
}

/// Reads a time: `500ms`, `10`, `10s`, `1.5m`, `2h`. More than a year is none.
pub(super) fn parse_time(text: &str) -> Option<Duration> {
    let at = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    let factor = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let seconds = number.parse::<f64>().ok()? * factor;
    (seconds <= 366.0 * 86_400.0).then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(pattern: &str, count: u32, number: u32) -> String {
        let series = Series { count, every: Duration::ZERO, pattern: pattern.into(), workers: false };
        let time = UNIX_EPOCH + Duration::from_secs(1_795_599_301);
        series.name(number, &Source::Process(4711), time, "../3").to_string_lossy().into_owned()
    }

    #[test]
    fn names_say_number_process_and_time() {
        assert_eq!(named("app-%n.heapsnapshot", 3, 2), "app-2.heapsnapshot");
        assert_eq!(named("app-%n", 12, 2), "app-02");
        assert_eq!(named("%p-%t", 1, 1), "4711-20261125T093501Z");
        assert_eq!(named("100%%-%x%", 1, 1), "100%-%x%");
        assert_eq!(named("a-%w", 1, 1), "a-.._3");
        assert!(!named("%h", 1, 1).is_empty() && named("%h", 1, 1).bytes().all(|b| harmless(b) == b));
        let lacks = |pattern: &str, count, workers| {
            Series { count, every: Duration::ZERO, pattern: pattern.into(), workers }.lacks()
        };
        for (pattern, count, workers, what) in [
            ("%n", 2, false, None),
            ("a%t", 2, false, None),
            ("a", 1, false, None),
            ("a", 2, false, Some("%n or %t")),
            ("%p", 2, false, Some("%n or %t")),
            ("%%n", 2, false, Some("%n or %t")),
            ("%n", 1, true, Some("%w")),
            ("%w", 1, true, None),
            ("%w", 2, true, Some("%n or %t")),
            ("%n-%w", 2, true, None),
        ] {
            assert_eq!(lacks(pattern, count, workers), what, "{pattern}");
        }
    }

    #[test]
    fn stamps_are_those_of_the_calendar() {
        let stamp = |seconds| stamp(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(stamp(0), "19700101T000000Z");
        assert_eq!(stamp(951_782_400), "20000229T000000Z");
        assert_eq!(stamp(4_107_542_399), "21000228T235959Z");
        assert_eq!(stamp(4_107_542_400), "21000301T000000Z");
    }

    #[test]
    fn times_have_units() {
        let time = |text| parse_time(text).map(|time| time.as_millis());
        assert_eq!(
            [time("500ms"), time("10"), time("1.5m"), time("2h")].map(Option::unwrap),
            [500, 10_000, 90_000, 7_200_000]
        );
        assert_eq!([time(""), time("s"), time("-1"), time("1d"), time("9999h"), time("1.2.3")], [None; 6]);
    }
}
