//! Lists of node numbers, in memory or in a file.

use heap_base::Result;
use heap_base::away::AwayWriter;

use crate::column::Column;

/// Numbers of 32 bits.
#[derive(Clone, Debug)]
pub(crate) enum Words {
    Here(Vec<u32>),
    Away(Column),
}

/// Numbers on their way into memory or a file.
#[derive(Debug)]
pub(crate) enum WordsWriter {
    Here(Vec<u32>),
    Away(AwayWriter),
}

impl WordsWriter {
    /// None yet; in memory or not.
    pub(crate) fn new(here: bool) -> Result<Self> {
        Ok(if here { Self::Here(Vec::new()) } else { Self::Away(AwayWriter::new(4)?) })
    }

    #[inline]
    pub(crate) fn push(&mut self, n: u32) -> Result {
        match self {
            Self::Here(words) => {
                words.push(n);
                Ok(())
            }
            Self::Away(writer) => writer.push(n.into()),
        }
    }

    /// All of them.
    pub(crate) fn finish(self) -> Result<Words> {
        Ok(match self {
            Self::Here(mut words) => {
                words.shrink_to_fit();
                Words::Here(words)
            }
            Self::Away(writer) => Words::Away(writer.finish()?.into()),
        })
    }
}

impl Words {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Here(words) => words.len(),
            Self::Away(words) => words.len(),
        }
    }

    /// Number `at`.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub(crate) fn get(&self, at: u32) -> u32 {
        match self {
            Self::Here(words) => words[at as usize],
            Self::Away(words) => words.get(at) as u32,
        }
    }

    /// All in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let (here, away) = match self {
            Self::Here(words) => (Some(words.iter().copied()), None),
            Self::Away(words) => (None, Some(words.iter().map(|n| n as u32))),
        };
        here.into_iter().flatten().chain(away.into_iter().flatten())
    }

    /// Puts them into a file.
    pub(crate) fn put_away(&mut self) -> Result {
        if let Self::Here(words) = self {
            let mut writer = AwayWriter::new(4)?;
            std::mem::take(words).into_iter().try_for_each(|n| writer.push(n.into()))?;
            *self = Self::Away(writer.finish()?.into());
        }
        Ok(())
    }

    /// Says that a file could not be read.
    pub(crate) fn check(&self) -> Result {
        if let Self::Away(words) = self { words.check() } else { Ok(()) }
    }
}
