//! What a sound dump does not have, and what no damage is: the rest of it can be read all the same.

use super::items::RootKind;
use super::scan::Scan;
use super::threads::Threads;
use crate::strings::Strings;

/// How often something was met, and where first.
#[derive(Default)]
struct Tally {
    count: u64,
    first: Option<String>,
}

impl Tally {
    fn add(&mut self, count: u64, what: impl FnOnce() -> String) {
        self.count += count;
        if count > 0 && self.first.is_none() {
            self.first = Some(what());
        }
    }

    /// `N things such-and-such, such as THIS`.
    fn text(self, things: &str) -> Option<String> {
        let Self { count, first } = self;
        first.map(|first| format!("{count} {things}, such as {first}"))
    }
}

/// The faults of a dump, each in one line without a full stop. Of a damaged one nothing is said: they may be the
/// consequence.
pub(super) fn faults(scan: &Scan, threads: &Threads, strings: &Strings) -> Vec<String> {
    if scan.damage.is_some() {
        return Vec::new();
    }
    let [mut unlike, mut unknown, mut arrays, mut nameless, mut orphans] =
        std::array::from_fn(|_| Tally::default());
    for class in scan.classes.all() {
        let name = || strings.text(class.text).to_owned();
        if class.dumped {
            let other = if u64::from(class.first_body) == class.body {
                class.unlike
            } else {
                class.instances.saturating_sub(class.unlike)
            };
            unlike.add(other, name);
            nameless.add(u64::from(scan.names.bytes(class.name).is_none()), name);
            let above = scan.classes.find(class.superclass).and_then(|number| scan.classes.get(number));
            let orphan = class.superclass != 0 && !above.is_some_and(|above| above.dumped);
            orphans.add(orphan.into(), name);
        } else {
            unknown.add(class.instances, name);
            let of_type = class.arrays.checked_sub(1).and_then(|at| scan.objects.get(at as usize));
            arrays.add(of_type.map_or(0, |arrays| arrays.count), name);
        }
    }
    let mut labels = Tally::default();
    let names = scan.classes.all_fields().iter().map(|field| field.name);
    for name in names.chain(scan.classes.all_statics().iter().map(|field| field.name)) {
        labels.add(u64::from(scan.names.bytes(name).is_none()), || format!("0x{name:x}"));
    }
    let mut frames = Tally::default();
    let lost = scan.traces.values().flatten().filter(|id| !scan.frames.contains_key(id));
    let mut lost: Vec<u64> = lost.copied().collect();
    heap_base::sort(&mut lost);
    for id in lost {
        frames.add(1, || format!("0x{id:x}"));
    }
    let mut roots = Tally::default();
    for root in &threads.roots {
        let on_stack = matches!(root.kind, RootKind::JavaFrame | RootKind::JniLocal);
        roots.add(on_stack.into(), || format!("thread {}", root.thread));
    }
    let mut again = Tally::default();
    again.add(scan.repeated, || format!("that of 0x{:x}", scan.repeated_class));
    [
        unlike.text("instances have other bytes of fields than their class declares"),
        unknown.text("instances are of classes without a class dump"),
        arrays.text("arrays are of types without a class dump"),
        nameless.text("classes have no name"),
        orphans.text("classes have a superclass without a class dump"),
        again.text("class dumps are of classes that have one already"),
        labels.text("fields have no name"),
        frames.text("frames of stack traces have no record"),
        roots.text("references from stacks name a thread without an object"),
    ]
    .into_iter()
    .flatten()
    .collect()
}
