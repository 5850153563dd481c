//! What the executable says about V8: names of fields and types, and their numbers.
//!
//! Each Node executable exports these numbers as symbols `v8dbg_*`. Those of one release of each supported line are
//! built in, so that a core can be read where its executable is gone.

use std::collections::BTreeMap;

use heap_base::{Blob, Error, Result};

use crate::elf;

/// The built-in table: a line `version` with V8's versions, then a line for each name.
const TABLE: &str = include_str!("../data/v8dbg.txt");

/// Numbers by name: `class_Map__instance_type`, `type_MAP_TYPE`, `SmiTag`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constants {
    numbers: BTreeMap<String, i32>,
    /// Where they are from: a version, or `executable`.
    pub(crate) source: String,
}

impl Constants {
    /// The built-in numbers for a version of V8: those of the same release, else of the same line `major.minor`.
    pub(crate) fn built_in(version: &str) -> Option<Self> {
        let mut lines = TABLE.lines().filter(|line| !line.starts_with('#'));
        let versions: Vec<&str> = lines.next()?.split(' ').skip(1).collect();
        let column = versions.iter().position(|v| *v == version).or_else(|| {
            let of_line = |v: &str| line_of(v).is_some() && line_of(v) == line_of(version);
            versions.iter().position(|v| of_line(v))
        })?;
        let mut numbers = BTreeMap::new();
        for line in lines {
            let mut words = line.split(' ');
            let name = words.next()?;
            if let Some(number) = words.nth(column).and_then(|n| n.parse().ok()) {
                numbers.insert(name.to_owned(), number);
            }
        }
        Some(Self { numbers, source: versions[column].to_owned() })
    }

    /// The numbers that an executable exports.
    ///
    /// # Errors
    /// A file that is no executable with these symbols.
    pub(crate) fn of_executable(blob: &Blob) -> Result<Self> {
        let symbols = elf::symbols(blob)?;
        let numbers = symbols.into_iter().map(|(name, number)| (plain_name(&name), number)).collect();
        Ok(Self { numbers, source: "executable".to_owned() })
    }

    /// The first of several names that is there; versions differ.
    pub(crate) fn any(&self, names: &[&str]) -> Option<i32> {
        names.iter().find_map(|name| self.numbers.get(*name).copied())
    }

    /// Whether any number whose name begins and ends like this satisfies `test`.
    pub(crate) fn any_with(&self, begin: &str, end: &str, test: impl Fn(i32) -> bool) -> bool {
        let named = |name: &str| name.starts_with(begin) && name.ends_with(end);
        self.numbers.iter().any(|(name, &number)| test(number) && named(name))
    }

    /// An offset or a type that must be there.
    ///
    /// # Errors
    /// A name that is missing.
    pub(crate) fn need(&self, name: &str) -> Result<u32> {
        self.numbers.get(name).and_then(|&n| u32::try_from(n).ok()).ok_or_else(|| {
            Error::refused(format!("the executable does not say {name}: this version of V8 is not known"))
        })
    }

    /// An instance type.
    pub(crate) fn instance_type(&self, name: &str) -> Option<u16> {
        self.numbers.get(&format!("type_{name}_TYPE")).and_then(|&n| u16::try_from(n).ok())
    }

    /// Every instance type: its name without `_TYPE`, and its number.
    pub(crate) fn instance_types(&self) -> impl Iterator<Item = (&str, u16)> {
        self.numbers.iter().filter_map(|(name, &number)| {
            let name = name.strip_prefix("type_")?.strip_suffix("_TYPE")?;
            Some((name, u16::try_from(number).ok()?))
        })
    }
}

/// `12.4` of `12.4.254.21-node.57`.
pub(crate) fn line_of(version: &str) -> Option<&str> {
    let dot = version.match_indices('.').nth(1)?.0;
    version.get(..dot)
}

/// A symbol's name without the C++ types, which change from version to version.
fn plain_name(name: &str) -> String {
    if let Some(rest) = name.strip_prefix("class_") {
        let mut parts = rest.split("__");
        if let (Some(class), Some(field)) = (parts.next(), parts.next()) {
            return format!("class_{class}__{field}");
        }
    }
    if let Some((_, number)) = name.strip_prefix("type_").and_then(|rest| rest.split_once("__")) {
        return format!("type_{number}");
    }
    name.to_owned()
}
