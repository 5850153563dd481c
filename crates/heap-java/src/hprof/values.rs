//! Primitive values as the stream has them.

use crate::layout::Kind;

/// The value of a field of a primitive type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    /// One that an edge can end at.
    Small(i64),
    Float(f64),
    /// One beyond 63 bits.
    Long(i64),
}

/// The value of this type that has these bits.
pub(crate) fn number(kind: Kind, bits: u64) -> Number {
    let whole = match kind {
        Kind::Float => return Number::Float(f32::from_bits(bits as u32).into()),
        Kind::Double => return Number::Float(f64::from_bits(bits)),
        Kind::Byte => i64::from(bits as i8),
        Kind::Short => i64::from(bits as i16),
        Kind::Int => i64::from(bits as i32),
        Kind::Boolean | Kind::Char | Kind::Long | Kind::Object => bits.cast_signed(),
    };
    if whole << 1 >> 1 == whole { Number::Small(whole) } else { Number::Long(whole) }
}

/// The bits of a primitive at the beginning of `bytes`.
pub(crate) fn bits(bytes: &[u8], kind: Kind) -> u64 {
    bytes[..kind.bytes() as usize].iter().fold(0, |bits, &byte| bits << 8 | u64::from(byte))
}

/// The bits of a number in a field of this type; `None` if the type does not hold it.
pub(crate) fn bits_of(kind: Kind, number: Number) -> Option<u64> {
    match (kind, number) {
        (Kind::Float, Number::Float(x)) => Some(u64::from((x as f32).to_bits())),
        (Kind::Double, Number::Float(x)) => Some(x.to_bits()),
        (Kind::Float | Kind::Double | Kind::Object, _) | (_, Number::Float(_)) => None,
        (_, Number::Small(n) | Number::Long(n)) => {
            let bits = n.cast_unsigned() & u64::MAX >> (64 - 8 * kind.bytes());
            let back = self::number(kind, bits);
            matches!(back, Number::Small(m) | Number::Long(m) if m == n).then_some(bits)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_to_the_bit() {
        let bits =
            [0, 1, 0x7f, 0x80, 0xff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 1 << 62, 1 << 63, u64::MAX];
        let floats = [1.5_f64, -0.0, f64::MAX, f64::INFINITY, f64::MIN_POSITIVE / 8.0].map(f64::to_bits);
        let narrow = [0.1_f32, -0.0, f32::MAX, f32::NEG_INFINITY, f32::from_bits(1)].map(f32::to_bits);
        for kind in Kind::PRIMITIVES {
            for all in bits.into_iter().chain(floats).chain(narrow.map(u64::from)) {
                let bits = all & u64::MAX >> (64 - 8 * kind.bytes());
                let number = number(kind, bits);
                let not_a_number = matches!(number, Number::Float(x) if x.is_nan());
                assert!(not_a_number || bits_of(kind, number) == Some(bits), "{kind:?} {bits:x} {number:?}");
            }
        }
    }

    #[test]
    fn a_value_that_a_type_does_not_hold_is_refused() {
        assert_eq!(bits_of(Kind::Byte, Number::Small(128)), None);
        assert_eq!(bits_of(Kind::Byte, Number::Small(-128)), Some(0x80));
        assert_eq!(bits_of(Kind::Char, Number::Small(-1)), None);
        assert_eq!(bits_of(Kind::Int, Number::Float(1.0)), None);
        assert_eq!(bits_of(Kind::Double, Number::Small(1)), None);
        assert_eq!(bits_of(Kind::Object, Number::Small(1)), None);
    }
}
