//! Numbers with units.

use std::cmp::Ordering;

use heap_base::json::hex_text;

use super::Content;

/// A number, exact where it is a whole one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole number.
    Int(i128),
    /// Any other.
    Float(f64),
}

impl Number {
    /// The number that a field holds; `None` if it holds something else.
    pub fn of(content: &Content) -> Option<Self> {
        match content {
            Content::Int(n) => Some(Self::Int(*n)),
            Content::Float(x) => Some(Self::Float(*x)),
            Content::Text(_) | Content::Bool(_) => None,
        }
    }

    /// Reads `12`, `-3`, `0x1f`, `1.5`, `1e300`, `10K`, `1.5M`, `1MB`, `1MiB`. All units are powers of 1024.
    pub fn parse(text: &str) -> Option<Self> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text),
        };
        if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return None;
        }
        if let Some(n) = hex_text(digits) {
            return Some(Self::Int(n * sign));
        }
        let is_letter = |c: char| c.is_ascii_alphabetic();
        let has_power = digits.contains(['e', 'E']) && digits.parse::<f64>().is_ok();
        let unit = digits.find(is_letter).filter(|_| !has_power).unwrap_or(digits.len());
        let (digits, unit) = digits.split_at(unit);
        let shift = shift(unit)?;
        if let Ok(n) = digits.parse::<i64>() {
            return Some(Self::Int((i128::from(n) << shift) * sign));
        }
        if let (Ok(n), 0) = (digits.parse::<i128>(), shift) {
            return Some(Self::Int(n * sign));
        }
        let n = digits.parse::<f64>().ok().filter(|n| n.is_finite())? * (1u64 << shift) as f64;
        let n = n * sign as f64;
        Some(if n.fract() == 0.0 && n.abs() < 1e15 { Self::Int(n as i128) } else { Self::Float(n) })
    }

    /// How it compares with another; whole numbers exactly. `None` beside NaN.
    pub fn order(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => Some(a.cmp(&b)),
            (a, b) => a.float().partial_cmp(&b.float()),
        }
    }

    /// The place of one among others, exactly: NaN with its sign is at an end.
    #[inline]
    pub fn rank(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a.cmp(&b),
            // Zero is one number.
            (Self::Float(a), Self::Float(b)) => (a + 0.0).total_cmp(&(b + 0.0)),
            (Self::Int(n), Self::Float(x)) => beside(n, x),
            (Self::Float(x), Self::Int(n)) => beside(n, x).reverse(),
        }
    }

    fn float(self) -> f64 {
        match self {
            Self::Int(n) => n as f64,
            Self::Float(x) => x,
        }
    }
}

/// The place of a whole number beside another one.
fn beside(n: i128, x: f64) -> Ordering {
    if x.is_nan() {
        return 0f64.total_cmp(&x);
    }
    let whole = x.floor();
    n.cmp(&(whole as i128)).then(if x > whole { Ordering::Less } else { Ordering::Equal })
}

/// The power of two that a unit stands for: `K`, `KB`, `KiB`, … in any case; `B` and nothing are bytes.
fn shift(unit: &str) -> Option<u32> {
    let unit = unit.to_ascii_lowercase();
    let letter = unit.strip_suffix("ib").or_else(|| unit.strip_suffix('b')).unwrap_or(&unit);
    Some(match letter {
        "" if unit != "ib" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return None,
    })
}

/// A size in bytes: a number that is not negative, rounded down.
pub fn bytes(text: &str) -> Option<u64> {
    match Number::parse(text)? {
        Number::Int(n) => u64::try_from(n).ok(),
        Number::Float(x) if (0.0..1.8e19).contains(&x) => Some(x as u64),
        Number::Float(_) => None,
    }
}
