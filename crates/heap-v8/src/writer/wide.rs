//! Numbers as they lie in spools.

/// The first bytes of a slice that is long enough.
#[inline]
pub(crate) fn fixed<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.first_chunk().copied().unwrap_or([0; N])
}

/// An integer of 64 bits, signed or not: nine bytes in a spool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wide {
    /// How `bits` are meant.
    pub(crate) tag: u8,
    /// The integer.
    pub(crate) bits: u64,
}

impl Wide {
    /// Bytes in a spool.
    pub(crate) const LEN: usize = 9;
    /// `bits` are a number.
    pub(crate) const PLUS: u8 = 0;
    /// `bits` are a negative number.
    pub(crate) const MINUS: u8 = 1;
    /// `bits` are the identifier of a node.
    pub(crate) const NODE: u8 = 2;

    /// The integer that `n` is, if it fits.
    pub(crate) fn of(n: i128) -> Option<Self> {
        match (u64::try_from(n), i64::try_from(n)) {
            (Ok(bits), _) => Some(Self { tag: Self::PLUS, bits }),
            (_, Ok(n)) => Some(Self { tag: Self::MINUS, bits: n as u64 }),
            _ => None,
        }
    }

    /// Appends it.
    pub(crate) fn push(self, out: &mut Vec<u8>) {
        out.push(self.tag);
        out.extend_from_slice(&self.bits.to_le_bytes());
    }

    /// What [`push`](Self::push) appended.
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let tag = bytes.first().copied().unwrap_or(0);
        Self { tag, bits: u64::from_le_bytes(fixed(bytes.get(1..).unwrap_or(&[]))) }
    }

    /// Appends it as decimal digits.
    pub(crate) fn digits(self, out: &mut Vec<u8>) {
        let mut digits = itoa::Buffer::new();
        let text =
            if self.tag == Self::MINUS { digits.format(self.bits as i64) } else { digits.format(self.bits) };
        out.extend_from_slice(text.as_bytes());
    }
}
