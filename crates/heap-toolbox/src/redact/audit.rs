//! What was redacted and what remains, counted by place, and each text that remains.

use std::collections::BTreeMap;

use heap_base::{Names, sort_by};

use super::rules::{Judged, NO_TEXT, TextRole};

/// Counts of texts by place, and of what looks like a secret among them.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    rows: BTreeMap<(TextRole, Option<&'static str>), AuditRow>,
    /// A text in parts looks like a secret.
    finds_joined: bool,
    /// Whether each text that stays is listed.
    lists: bool,
    /// Where texts stay: the type of the record and the dotted name of the field.
    spots: Names,
    /// Each text that stays, behind the number of its spot and a NUL; and how often it is there.
    kept: Names,
    spot_of: Vec<u32>,
    counts: Vec<u64>,
    buf: String,
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

/// A text that stays.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kept<'a> {
    /// The places that it is in, as a set.
    places: u8,
    /// The record and the field.
    pub spot: &'a str,
    /// The text.
    pub text: &'a str,
    /// How often it is there.
    pub count: u64,
}

impl Kept<'_> {
    /// Its places in words.
    pub fn places(&self) -> String {
        TextRole::each(self.places).map(TextRole::word).collect::<Vec<_>>().join(", ")
    }

    /// Whether it is a fact about the dump.
    pub fn is_fact(&self) -> bool {
        self.places == TextRole::Metadata.bit()
    }
}

/// How much of a text a sample shows, in characters.
const SAMPLE: usize = 80;

impl Audit {
    /// No counts yet; `lists`: each text that stays is to be listed.
    pub(crate) fn new(lists: bool) -> Self {
        Self { lists, ..Self::default() }
    }

    pub(crate) fn count(&mut self, places: u8, judged: Judged, text: &str) {
        if text.is_empty() || NO_TEXT.contains(&text) {
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
                if looks.is_some() && (stays && !row.stays || row.sample.is_none()) {
                    row.sample = Some(text.chars().take(SAMPLE).collect());
                    row.stays = stays;
                }
            }
        }
    }

    /// Takes note of a text that stays in a field of a record, once for each time that it is written.
    pub(crate) fn stays(&mut self, places: u8, record: &str, path: &str, text: &str) {
        if !self.lists || text.is_empty() || NO_TEXT.contains(&text) {
            return;
        }
        self.buf.clear();
        // A set of places is a letter below 128.
        self.buf.push(char::from(places));
        let spot = if path.is_empty() { ["names in ", record, ""] } else { [record, " ", path] };
        for part in spot {
            self.buf.push_str(part);
        }
        let spot = self.spots.insert(&self.buf);
        self.buf.clear();
        self.buf.push_str(itoa::Buffer::new().format(spot));
        self.buf.push('\0');
        self.buf.push_str(text);
        let number = self.kept.insert(&self.buf) as usize;
        if number == self.counts.len() {
            self.counts.push(0);
            self.spot_of.push(spot);
        }
        self.counts[number] += 1;
    }

    /// Takes note of a fact about the dump, which stays.
    pub(crate) fn fact(&mut self, key: &str, value: &str) {
        if key.starts_with("heap.")
            && !matches!(
                key,
                "heap.runtime"
                    | "heap.entry"
                    | "heap.thread"
                    | "heap.threads"
                    | "heap.loader"
                    | "heap.global"
            )
            || key.starts_with("version_")
        {
            return;
        }
        let place = TextRole::Metadata.bit();
        self.count(place, Judged::default(), value);
        self.stays(place, "metadata", key, value);
    }

    /// Adds what texts in parts look like, which go unless [`joined_stays`](Self::joined_stays) has them too.
    pub(crate) fn goes(&mut self, joined: Self) {
        self.finds_joined |= !joined.rows.is_empty();
        for (key, row) in joined.rows {
            let into = self.rows.entry(key).or_default();
            into.redacted += row.kept;
            into.sample = into.sample.take().or(row.sample);
        }
    }

    /// Whether a text in parts looked like a secret before its parts were redacted. If none did, none stays.
    pub fn finds_joined(&self) -> bool {
        self.finds_joined
    }

    /// Takes note of texts in parts that are still there as a whole once their parts are redacted.
    pub fn joined_stays(&mut self, joined: Self) {
        for (key, row) in joined.rows {
            let into = self.rows.entry(key).or_default();
            into.redacted = into.redacted.saturating_sub(row.kept);
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

    /// Each text that stays, by place, the most frequent first.
    pub fn kept(&self) -> impl Iterator<Item = Kept<'_>> {
        let order = |row: &Kept<'_>| (row.places, std::cmp::Reverse(row.count));
        let mut rows: Vec<u32> = (0..self.counts.len() as u32).collect();
        sort_by(&mut rows, |&a, &b| {
            let (a, b) = (self.row(a), self.row(b));
            order(&a).cmp(&order(&b)).then_with(|| (a.spot, a.text).cmp(&(b.spot, b.text)))
        });
        rows.into_iter().map(|number| self.row(number))
    }

    /// A text that stays, by its number.
    fn row(&self, number: u32) -> Kept<'_> {
        let text = self.kept.get(number).and_then(|kept| kept.split_once('\0')).unwrap_or_default().1;
        let spot = self.spots.get(self.spot_of[number as usize]).unwrap_or_default();
        let places = spot.bytes().next().unwrap_or_default();
        Kept { places, spot: spot.get(1..).unwrap_or_default(), text, count: self.counts[number as usize] }
    }

    /// True if anything stays that looks like a secret.
    pub fn finds(&self) -> bool {
        self.rows().any(|(_, looks, row)| looks.is_some() && row.kept > 0)
    }
}
