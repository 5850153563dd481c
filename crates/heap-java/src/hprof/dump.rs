//! A dump after the first pass: all that nodes and edges need beside the objects.

use heap_base::{Blob, Result};
use heap_record::{StringId, Value, Wants};

use super::classes::{Class, Role};
use super::external;
use super::faults::faults;
use super::injected::Injected;
use super::items::RootKind;
use super::numbers::{self, NumberField};
use super::release;
use super::resolve::{self, Reference};
use super::scan::{CLASS_VALUES, Scan};
use super::stacks::Stacks;
use super::threads::Threads;
use crate::Options;
use crate::emit::{Out, own_value};
use crate::layout::{Guess, Kind};
use crate::strings::Strings;

/// No node.
pub(crate) const NO_NODE: u32 = u32::MAX;

/// What is known of a dump before its objects are delivered.
#[derive(Debug)]
pub(crate) struct Dump {
    pub(crate) scan: Scan,
    pub(crate) strings: Strings,
    pub(crate) guess: Guess,
    /// The version of the JDK, if the dump has it.
    pub(crate) jdk: Option<String>,
    pub(crate) threads: Threads,
    /// Where objects were allocated.
    pub(crate) stacks: Stacks,
    pub(crate) references: Vec<Reference>,
    /// Fields whose numbers instances may be known by, if these are asked for.
    pub(crate) numbers: Option<Vec<NumberField>>,
    /// Kinds of roots that hold something and string ids of their names, in the order of their nodes.
    pub(crate) root_kinds: Vec<(RootKind, StringId)>,
    /// Labels of all static fields.
    static_labels: Vec<StringId>,
    /// Names of all instance fields.
    field_labels: Vec<StringId>,
    /// Node index of each class, [`NO_NODE`] for those without a class dump.
    pub(crate) class_nodes: Vec<u32>,
    /// Node index of the first object.
    pub(crate) first_object: u32,
    /// Class of arrays of primitives: string id of the name, and the class object's address, 0 if there is none.
    pub(crate) primitive_classes: [(StringId, u64); 8],
    /// `java.lang.Class`: string id and address.
    pub(crate) class_class: (StringId, u64),
    pub(crate) labels: Labels,
    /// String ids of the names of heaps, by the UTF8 records of these.
    pub(crate) heaps: Vec<(u64, StringId)>,
    /// Bytes outside the heap by the address of the object that keeps them, sorted.
    pub(crate) external: Vec<(u64, u64)>,
    /// Where instances of a class, by its number, say that Android has destroyed them; empty where none is a screen of its.
    destroyed: Vec<Option<(u64, Kind)>>,
    /// Where the values of variables of threads refer to the variable.
    thread_local: Option<u64>,
    /// What is wrong with the dump, each in one line.
    pub(crate) faults: Vec<String>,
    /// Edges that its writer leaves without a node: values of `heap.dangling`.
    pub(crate) dangling: Vec<String>,
    /// What people should know of it.
    pub(crate) notes: Vec<String>,
    /// Whether primitive fields are edges to their values.
    pub(crate) values: bool,
    /// Whether primitive fields are fields of nodes.
    pub(crate) fields: bool,
    /// Addresses are odd, so identifiers are made by counting's rule.
    odd: bool,
}

/// Labels of the references that every object or class has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Labels {
    pub(crate) class: StringId,
    pub(crate) superclass: StringId,
    pub(crate) loader: StringId,
    pub(crate) signers: StringId,
    pub(crate) domain: StringId,
}

impl Dump {
    /// Puts together what the first pass found. `strings` has no texts yet. Who `wants` numbers knows objects by these.
    ///
    /// # Errors
    /// Failures of reading.
    pub(crate) fn new(
        blob: &Blob,
        mut scan: Scan,
        mut strings: Strings,
        options: Options,
        wants: Wants,
    ) -> Result<Self> {
        let primitive_names = Kind::PRIMITIVES.map(|kind| strings.intern(&format!("{}[]", kind.name())));
        let class_name_id = strings.intern("java.lang.Class");
        let order = resolve::link(&mut scan, &mut strings);
        strings.end_classes();
        // Android's runtimes name roots that they do not dump, and classes that could not be loaded.
        let android = scan.android.map(|_| &["any java.root", "any java.static"][..]);
        let (jdk, release) = release::release(blob, &scan, &order, &strings)?;
        let injected = Injected::new(&scan, &strings, release);
        let guess = resolve::guess(&mut scan, &order, &injected, options.layout);
        resolve::measure(&mut scan, &order, &injected, guess.layout);
        let references = resolve::plans(&mut scan, &order, &mut strings, options.values || options.fields);
        let numbers = wants.numbers.then(|| numbers::plans(&mut scan, &strings));
        let mut threads = Threads::new(&scan, &mut strings);
        threads.find_names(blob, &scan, &order, &mut strings)?;
        let stacks = Stacks::new(&mut scan, &mut strings, wants.extensions || wants.node_details());
        let faults = faults(&scan, &threads, &strings);
        boot_classes(&scan, &mut threads);
        class_values(&scan, &strings, &mut threads);
        let names = scan.classes.all_statics().iter().map(|field| field.name);
        let static_labels =
            names.map(|name| strings.intern(&resolve::name_or_id(&scan.names, name))).collect();
        let names = scan.classes.all_fields().iter().map(|field| field.name);
        let field_labels =
            names.map(|name| strings.intern(&resolve::name_or_id(&scan.names, name))).collect();
        let labels = Labels {
            class: strings.intern("<class>"),
            superclass: strings.intern("<super>"),
            loader: strings.intern("<loader>"),
            signers: strings.intern("<signers>"),
            domain: strings.intern("<protection domain>"),
        };
        let named = |name: StringId| {
            let mut classes = scan.classes.all().iter().filter(|class| class.dumped && class.text == name);
            (name, classes.next().map_or(0, |class| class.id))
        };
        let primitive_classes = primitive_names.map(named);
        let class_class = named(class_name_id);
        let mut root_kinds = RootKind::ALL.to_vec();
        root_kinds.retain(|&kind| threads.roots.iter().any(|root| root.kind == kind));
        let root_kinds =
            root_kinds.into_iter().map(|kind| (kind, strings.intern(kind.name()))).collect::<Vec<_>>();
        let mut next = (root_kinds.len() + threads.frames.len()) as u32;
        let mut class_nodes = vec![NO_NODE; scan.classes.len() as usize];
        for (node, _) in class_nodes.iter_mut().zip(scan.classes.all()).filter(|(_, class)| class.dumped) {
            *node = next;
            next += 1;
        }
        let odd =
            scan.extent.odd() || scan.classes.all().iter().any(|class| class.dumped && class.id & 1 == 1);
        let external = external::find(blob, &mut scan, &strings)?;
        let activities = scan.classes.all().iter().any(|class| class.role == Role::Activity);
        let destroyed = if activities { resolve::fields(&scan, &order, b"mDestroyed") } else { Vec::new() };
        let entry = (0..).zip(scan.classes.all()).find(|(_, class)| class.role == Role::ThreadLocal);
        let thread_local = entry.and_then(|(number, _)| resolve::field(&scan, number, b"referent"));
        let thread_local = thread_local.filter(|&(_, kind)| kind == Kind::Object).map(|(at, _)| at);
        let mut dangling: Vec<String> =
            android.unwrap_or_else(|| release.dangling()).iter().map(ToString::to_string).collect();
        let unlinked = roots_of_unlinked(&scan);
        if unlinked > 0 {
            dangling.push(format!("{unlinked} java.root"));
        }
        let heaps = scan
            .heaps
            .iter()
            .filter_map(|&name| Some((name, strings.intern(&scan.names.get(name)?))))
            .collect();
        Ok(Self {
            scan,
            strings,
            guess,
            jdk,
            threads,
            stacks,
            references,
            numbers,
            root_kinds,
            static_labels,
            field_labels,
            class_nodes,
            first_object: next,
            primitive_classes,
            class_class,
            labels,
            heaps,
            external,
            destroyed,
            thread_local,
            faults,
            dangling,
            notes: guess.doubt().into_iter().collect(),
            values: options.values,
            fields: options.fields,
            odd,
        })
    }

    /// Whether an instance of a class with this body is a screen that Android has destroyed.
    pub(crate) fn is_destroyed(&self, class: u64, body: &[u8]) -> bool {
        let place = self.scan.classes.find(class).and_then(|number| self.destroyed.get(number as usize));
        let Some(&Some((at, Kind::Boolean))) = place else { return false };
        usize::try_from(at).is_ok_and(|at| body.get(at).is_some_and(|&byte| byte != 0))
    }

    /// The variable whose value for a thread this is, by the body of an instance of such a class.
    pub(crate) fn thread_local(&self, body: &[u8]) -> Option<Value> {
        let at = usize::try_from(self.thread_local?).ok()?;
        let address = body.get(at..at.checked_add(self.scan.header.id_size.into())?)?;
        let address = address.iter().fold(0, |address, &byte| address << 8 | u64::from(byte));
        Some(self.value(address)).filter(|_| address != 0)
    }

    /// Whether identifiers are addresses with the lowest bit set; else they are made as those of counters.
    pub(crate) fn by_address(&self) -> bool {
        !self.odd
    }

    /// The identifier of an object.
    #[inline]
    pub(crate) fn value(&self, address: u64) -> Value {
        (if self.odd { address << 1 | 1 } else { address | 1 }) as Value
    }

    /// The identifier of a root or a frame, by node index.
    pub(crate) fn own_value(&self, node: u32) -> Value {
        own_value(node, self.odd)
    }

    /// The node index of a class.
    pub(crate) fn class_node(&self, address: u64) -> Option<u32> {
        let number = self.scan.classes.find(address)?;
        self.class_nodes.get(number as usize).copied().filter(|&node| node != NO_NODE)
    }

    /// Labels of the static fields of a class.
    pub(crate) fn static_labels(&self, class: &Class) -> &[StringId] {
        &self.static_labels[class.statics.0 as usize..class.statics.1 as usize]
    }

    /// Delivers the fields that classes declare: static ones, then those of instances.
    ///
    /// # Errors
    /// Those of the sink.
    pub(crate) fn fields(&self, out: &mut Out<'_>) -> Result {
        for class in self.scan.classes.all().iter().filter(|class| class.dumped) {
            let id = self.value(class.id);
            for (field, &label) in self.scan.classes.statics(class).iter().zip(self.static_labels(class)) {
                out.field(id, label, field.kind, true)?;
            }
            let labels = &self.field_labels[class.fields.0 as usize..class.fields.1 as usize];
            for (field, &label) in self.scan.classes.fields(class).iter().zip(labels) {
                out.field(id, label, field.kind, false)?;
            }
        }
        Ok(())
    }

    /// String id of the name of a heap, if the dump says which heap it is.
    pub(crate) fn heap(&self, name: u64) -> Option<StringId> {
        self.heaps.iter().find(|&&(known, _)| known == name).map(|&(_, id)| id)
    }

    /// Bytes outside the heap that an object keeps.
    pub(crate) fn external(&self, address: u64) -> Option<u64> {
        let at = self.external.binary_search_by_key(&address, |entry| entry.0).ok()?;
        Some(self.external[at].1)
    }
}

/// A dump without roots, because its end is missing or its writer names none: classes of the boot loader stay.
fn boot_classes(scan: &Scan, threads: &mut Threads) {
    if scan.root_counts[RootKind::StickyClass as usize] > 0 {
        return;
    }
    let classes = scan.classes.all().iter().filter(|class| class.dumped && class.loader == 0);
    threads.roots.extend(classes.map(|class| super::items::Root {
        kind: RootKind::StickyClass,
        object: class.id,
        thread: 0,
        frame: -1,
    }));
}

/// Values that classes keep for the program stay, though dumps lack the fields of class objects, which hold them.
fn class_values(scan: &Scan, strings: &Strings, threads: &mut Threads) {
    let is_values = |class| {
        let class = scan.classes.find(class).and_then(|number| scan.classes.get(number));
        class.is_some_and(|class| strings.text(class.text) == CLASS_VALUES)
    };
    let tables = scan.kept.iter().filter(|&&(_, class, _)| is_values(class));
    threads.roots.extend(tables.map(|&(object, ..)| super::items::Root {
        kind: RootKind::Unknown,
        object,
        thread: 0,
        frame: -1,
    }));
}

/// How many roots name classes that are loaded and have no dump: HotSpot passes over those that are not linked yet, and its
/// list of roots does not.
fn roots_of_unlinked(scan: &Scan) -> usize {
    let unlinked = |object| scan.classes.find(object).is_some_and(|n| !scan.classes.all()[n as usize].dumped);
    scan.roots.iter().filter(|root| root.kind == RootKind::StickyClass && unlinked(root.object)).count()
}
