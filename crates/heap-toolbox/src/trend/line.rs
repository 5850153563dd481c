//! The straight line through a series, and how the series goes.

/// How a series goes from each value to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// Each value is larger than the one before.
    Steady,
    /// None is smaller than the one before, and the last is larger than the first.
    Rising,
    /// None is larger than the one before, and the last is smaller than the first.
    Falling,
    /// All are equal.
    Flat,
    /// Up and down.
    Mixed,
}

impl Growth {
    /// All names.
    pub const NAMES: &[&str] = &[
        Self::Steady.name(),
        Self::Rising.name(),
        Self::Falling.name(),
        Self::Flat.name(),
        Self::Mixed.name(),
    ];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Steady => "steady",
            Self::Rising => "rising",
            Self::Falling => "falling",
            Self::Flat => "flat",
            Self::Mixed => "mixed",
        }
    }

    fn of(values: &[u64]) -> Option<Self> {
        let (mut up, mut down, mut level) = (0, 0, 0);
        for pair in values.windows(2) {
            match pair[0].cmp(&pair[1]) {
                std::cmp::Ordering::Less => up += 1,
                std::cmp::Ordering::Greater => down += 1,
                std::cmp::Ordering::Equal => level += 1,
            }
        }
        Some(match (up, down, level) {
            (0, 0, 0) => return None,
            (0, 0, _) => Self::Flat,
            (_, 0, 0) => Self::Steady,
            (_, 0, _) => Self::Rising,
            (0, ..) => Self::Falling,
            _ => Self::Mixed,
        })
    }
}

/// What is known of a series of values at places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// The first value, and the last.
    pub ends: (u64, u64),
    /// By how much the values grow from one place to the next, by least squares; `None` of fewer than two values.
    pub slope: Option<f64>,
    /// The part of their variance that the line explains, 0 to 1; `None` of equal values.
    pub fit: Option<f64>,
    /// How they go; `None` of fewer than two values.
    pub growth: Option<Growth>,
}

impl Line {
    /// The line through values at places, which ascend.
    pub fn through(points: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let (places, values): (Vec<u64>, Vec<u64>) = points.into_iter().unzip();
        let ends = (values.first().copied().unwrap_or(0), values.last().copied().unwrap_or(0));
        let growth = Growth::of(&values);
        // Distances of places from their mean, times `n`, are whole numbers, and add up to nothing, so the mean of values does not
        // matter to `xy`. So a line that is level is exactly that.
        let (n, sum) = (values.len() as i128, places.iter().map(|&x| i128::from(x)).sum::<i128>());
        let (mut xx, mut xy, mut yy) = (0.0, 0, 0.0);
        let usual = values.iter().map(|&y| y as f64).sum::<f64>() / values.len() as f64;
        for (&x, &y) in places.iter().zip(&values) {
            let far = i128::from(x) * n - sum;
            let (x, off) = (far as f64 / n as f64, y as f64 - usual);
            (xx, xy, yy) = (xx + x * x, xy + far * i128::from(y), yy + off * off);
        }
        let xy = xy as f64 / n as f64;
        let slope = (xx > 0.0).then(|| xy / xx);
        // Equal values have no variance, though the mean of large ones may be rounded.
        let varies = growth.is_some_and(|growth| growth != Growth::Flat) && xx > 0.0 && yy > 0.0;
        let slope = if varies { slope } else { slope.map(|_| 0.0) };
        Self { ends, slope, fit: varies.then(|| (xy * xy / (xx * yy)).min(1.0)), growth }
    }

    /// The last value less the first.
    pub fn delta(&self) -> i64 {
        crate::cells::change(self.ends.1, self.ends.0)
    }
}
