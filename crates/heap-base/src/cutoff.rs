//! Cut-off rules: which children of a cell are worth showing, in reports and in traces.

/// A cut-off rule. Fractions are exact: numerator and denominator, which is not zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cutoff {
    /// Everything that is not empty.
    #[default]
    None,
    /// At least this many bytes (Chromium 53 and later).
    Threshold(u64),
    /// The running rule of Chromium 49: children in descending order, up to the first that is less than this part
    /// of the sum so far, itself included.
    Ratio(u64, u64),
    /// At least this part of the parent.
    Share(u64, u64),
    /// At least this part of the whole.
    Total(u64, u64),
}

impl Cutoff {
    /// Reads `none`, `threshold=N`, `ratio=R`, `share=R` or `total=R`, where R is `1/125`, `0.8%` or `0.008`, and a
    /// ratio of N above 1 means 1/N. `bytes` parses a size.
    pub fn parse(text: &str, bytes: impl Fn(&str) -> Option<u64>) -> Option<Self> {
        let Some((rule, value)) = text.split_once('=') else {
            return (text == "none").then_some(Self::None);
        };
        if rule == "threshold" {
            return bytes(value).map(Self::Threshold);
        }
        let (mut over, mut under) = fraction(value)?;
        if rule == "ratio" && over > under {
            (over, under) = (under, over);
        }
        if over > under {
            return None;
        }
        match rule {
            "ratio" => Some(Self::Ratio(over, under)),
            "share" => Some(Self::Share(over, under)),
            "total" => Some(Self::Total(over, under)),
            _ => None,
        }
    }

    /// How many of a cell's children are kept. `sizes` are theirs in descending order.
    pub fn keep(self, whole: u64, parent: u64, sizes: impl IntoIterator<Item = u64>) -> usize {
        let mut sum = 0u64;
        let at_least = |size: u64, of: u64, (over, under): (u64, u64)| {
            u128::from(size) * u128::from(under) >= u128::from(of) * u128::from(over)
        };
        let keeps = |size: &u64| match self {
            Self::None => true,
            Self::Threshold(least) => *size >= least,
            Self::Share(over, under) => at_least(*size, parent, (over, under)),
            Self::Total(over, under) => at_least(*size, whole, (over, under)),
            Self::Ratio(over, under) => {
                sum = sum.saturating_add(*size);
                at_least(*size, sum, (over, under))
            }
        };
        sizes.into_iter().take_while(keeps).count()
    }

    /// The least size that any cell below the top can have and be kept; 0 if that depends on others.
    pub fn floor(self, whole: u64) -> u64 {
        match self {
            Self::Threshold(least) => least,
            Self::Total(over, under) => {
                let least = (u128::from(whole) * u128::from(over)).div_ceil(u128::from(under));
                u64::try_from(least).unwrap_or(u64::MAX)
            }
            Self::None | Self::Ratio(..) | Self::Share(..) => 0,
        }
    }
}

/// `1/125`, `125`, `0.8%`, `0.008`.
fn fraction(text: &str) -> Option<(u64, u64)> {
    if let Some((over, under)) = text.split_once('/') {
        let (over, under) = (over.parse().ok()?, under.parse().ok()?);
        return (under > 0).then_some((over, under));
    }
    let (text, mut under) = text.strip_suffix('%').map_or((text, 1), |text| (text, 100u64));
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{part}");
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    under = under.checked_mul(10u64.checked_pow(part.len().try_into().ok()?)?)?;
    Some((digits.parse().ok()?, under))
}
