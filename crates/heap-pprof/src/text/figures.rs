//! Numbers of objects and bytes, and what a sample of them stands for.

/// Objects and bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) count: i64,
    pub(super) bytes: i64,
}

/// What lives, and what was ever allocated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Figures {
    pub(super) live: Pair,
    pub(super) all: Pair,
}

/// How figures were sampled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Rule {
    /// Not at all: each allocation was counted.
    #[default]
    None,
    /// An allocation was taken with a likelihood that grows with its size, one for so many bytes.
    Poisson(f64),
    /// One allocation was taken for so many bytes.
    Fixed(f64),
}

impl Rule {
    /// What metadata call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Poisson(_) => "v2",
            Self::Fixed(_) => "v1",
        }
    }

    /// What a sample stands for, rounded.
    pub(super) fn scale(self, pair: Pair) -> Pair {
        let (count, bytes) = (pair.count as f64, pair.bytes as f64);
        if pair.count == 0 || pair.bytes == 0 {
            return pair;
        }
        let average = bytes / count;
        let factor = match self {
            Self::Poisson(period) if period > 1.0 => 1.0 / (1.0 - (-average / period).exp()),
            Self::Fixed(period) => (period / average).max(1.0),
            _ => return pair,
        };
        let round = |n: f64| (n * factor + 0.5).floor() as i64;
        Pair { count: round(count), bytes: round(bytes) }
    }
}

/// The figures at the start of `text`, `n: b [N: B]` with any blanks, and what follows; `None` if it does not begin so.
/// Without brackets all that was allocated lives.
pub(super) fn parse(text: &[u8]) -> Option<(Figures, &[u8])> {
    let (live, rest) = pair(text)?;
    let Some(inner) = rest.trim_ascii_start().strip_prefix(b"[") else {
        return Some((Figures { live, all: live }, rest));
    };
    let (all, rest) = pair(inner)?;
    let rest = rest.trim_ascii_start().strip_prefix(b"]")?;
    Some((Figures { live, all }, rest))
}

fn pair(text: &[u8]) -> Option<(Pair, &[u8])> {
    let (count, rest) = number(text)?;
    let (bytes, rest) = number(rest.trim_ascii_start().strip_prefix(b":")?)?;
    Some((Pair { count, bytes }, rest))
}

fn number(text: &[u8]) -> Option<(i64, &[u8])> {
    let text = text.trim_ascii_start();
    let end = text.iter().skip(1).position(|b| !b.is_ascii_digit()).map_or(text.len(), |n| n + 1);
    let number = std::str::from_utf8(&text[..end]).ok()?.parse().ok()?;
    Some((number, &text[end..]))
}
