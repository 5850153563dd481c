//! A profile with a location for each name in the stacks.

use heap_base::{Map, Result, sums};
use heap_pprof::{Function, Line, Location, Profile, Sample, ValueType};

use crate::stacks::Stacks;

/// The profile of some stacks: objects and bytes in use, under the names that Go gives them.
pub(crate) fn profile(stacks: &Stacks) -> Result<Profile> {
    let names = ["", "inuse_objects", "count", "inuse_space", "bytes"];
    let mut profile = Profile {
        sample_types: vec![ValueType { name: 1, unit: 2 }, ValueType { name: 3, unit: 4 }],
        strings: names.iter().map(|name| name.as_bytes().to_vec()).collect(),
        default_type: 3,
        ..Profile::default()
    };
    let mut known: Map<String, u64> = Map::default();
    stacks.each(|path, value| {
        let mut locations = Vec::with_capacity(path.len());
        for &name in path.iter().rev() {
            let id = if let Some(&id) = known.get(name) {
                id
            } else {
                let id = known.len() as u64 + 1;
                let text = profile.strings.len() as u64;
                profile.strings.push(name.as_bytes().to_vec());
                profile.functions.push(Function { id, names: [text, text, 0], start_line: 0 });
                let lines = vec![Line { function: id, ..Line::default() }];
                profile.locations.push(Location { id, lines, ..Location::default() });
                known.insert(name.to_owned(), id);
                id
            };
            locations.push(id);
        }
        let values = [value.count, value.size]
            .map(|n| i64::try_from(n).unwrap_or_else(|_| sums::stopped(i64::MAX)))
            .to_vec();
        profile.samples.push(Sample { locations, values, labels: Vec::new() });
        Ok(())
    })?;
    Ok(profile)
}
