//! What was redacted and what remains, counted by place.

use std::collections::BTreeMap;

use super::rules::{Judged, TextRole};

/// Counts of texts by place, and of what looks like a secret among those that might stay.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    rows: BTreeMap<(TextRole, Option<&'static str>), AuditRow>,
}

/// A row of the audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditRow {
    /// Texts that are redacted in this place.
    pub redacted: u64,
    /// Texts that stay in it.
    pub kept: u64,
    /// The first that stays, else, for a finding, the first.
    pub sample: Option<String>,
    /// Whether the sample is one that stays.
    stays: bool,
}

/// How much of a text a sample shows, in characters.
const SAMPLE: usize = 80;

impl Audit {
    pub(crate) fn count(&mut self, places: u8, judged: Judged, text: &str) {
        if text.is_empty() {
            return;
        }
        for place in TextRole::each(places) {
            // In a part of a text only what the owner keeps can look like anything.
            let lost = judged.redacted | if judged.looks.is_none() { judged.in_part } else { 0 };
            let stays = lost & place.bit() == 0;
            // A row for the place, and one for what it looks like.
            for looks in std::iter::once(None).chain(judged.looks.map(Some)) {
                let row = self.rows.entry((place, looks)).or_default();
                *(if stays { &mut row.kept } else { &mut row.redacted }) += 1;
                if stays && !row.stays || looks.is_some() && row.sample.is_none() {
                    row.sample = Some(text.chars().take(SAMPLE).collect());
                    row.stays = stays;
                }
            }
        }
    }

    /// Adds the counts of another one.
    pub fn add(&mut self, other: Self) {
        for (key, row) in other.rows {
            let into = self.rows.entry(key).or_default();
            into.redacted += row.redacted;
            into.kept += row.kept;
            if into.sample.is_none() || row.stays && !into.stays {
                (into.sample, into.stays) = (row.sample, row.stays);
            }
        }
    }

    /// Takes note of a number that stays and looks like a secret.
    pub(crate) fn number(&mut self, looks: &'static str, number: &str) {
        let row = self.rows.entry((TextRole::Value, Some(looks))).or_default();
        row.kept += 1;
        if !row.stays {
            row.sample = Some(number.to_owned());
            row.stays = true;
        }
    }

    /// The rows: place, what texts look like (`None`: all texts of the place), counts.
    pub fn rows(&self) -> impl Iterator<Item = (TextRole, Option<&'static str>, &AuditRow)> {
        self.rows.iter().map(|(&(place, looks), row)| (place, looks, row))
    }

    /// True if anything stays that looks like a secret.
    pub fn finds(&self) -> bool {
        self.rows().any(|(_, looks, row)| looks.is_some() && row.kept > 0)
    }
}
