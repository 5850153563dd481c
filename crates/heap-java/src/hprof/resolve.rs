//! What classes are, once all of them are known: names, superclasses, sizes, and where instances have references.

use heap_base::{Error, Set};
use heap_record::StringId;

use super::classdump::Field;
use super::classes::{Class, Classes, NONE, Role};
use super::injected::Injected;
use super::names::Names;
use super::scan::Scan;
use crate::emit::EdgeType;
use crate::layout::{Fields, Guess, Kind, Layout, Overrides, Packing, Sample, Space, Thing};
use crate::strings::Strings;
use crate::text::class_name;

/// A field of an instance that makes an edge: where it stands in the body, its type, its label, and what kind of edge it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reference {
    pub(crate) offset: u32,
    pub(crate) kind: Kind,
    pub(crate) subtype: EdgeType,
    pub(crate) label: StringId,
}

/// Gives classes their names, superclasses, roles and lengths of bodies. Damage is what no sound file has.
pub(crate) fn link(scan: &mut Scan, strings: &mut Strings) -> Vec<u32> {
    for number in 0..scan.classes.len() {
        let Some(class) = scan.classes.get(number) else { break };
        let machine = scan.names.get(class.name).filter(|_| class.name != 0);
        let name = class_name(&machine.unwrap_or_else(|| format!("<unnamed class 0x{:x}>", class.id)));
        let parent = scan.classes.find(class.superclass).filter(|_| class.superclass != 0);
        let text = strings.intern(&name.name);
        let Some(class) = scan.classes.get_mut(number) else { break };
        class.text = text;
        class.hidden = name.hidden.map(Into::into);
        class.parent = parent.unwrap_or(NONE);
    }
    let (order, cycle) = order(&mut scan.classes);
    if let Some(class) = cycle
        && scan.damage.is_none()
    {
        let id = scan.classes.get(class).map_or(0, |class| class.id);
        scan.damage = Some(Error::input(format!("class 0x{id:x} is its own superclass")));
    }
    let size = usize::from(scan.header.id_size);
    for &number in &order {
        let Some(class) = scan.classes.get(number) else { continue };
        let own: u64 = scan.classes.fields(class).iter().map(|field| field.kind.bytes_in(size) as u64).sum();
        let above = scan.classes.get(class.parent);
        let body = own + above.map_or(0, |above| above.body);
        let role = role(strings.text(class.text)).or(above.map(|above| above.role)).unwrap_or_default();
        if let Some(class) = scan.classes.get_mut(number) {
            (class.body, class.role) = (body, role);
        }
    }
    order
}

/// What a class with this name, in Java's form, makes of its instances. In the file some writers have the machine's form,
/// others Java's.
fn role(name: &str) -> Option<Role> {
    Some(match name {
        "java.lang.String" => Role::String,
        "java.lang.Class" => Role::Class,
        "java.lang.Thread" => Role::Thread,
        "java.lang.ClassLoader" => Role::Loader,
        "android.app.Activity" => Role::Activity,
        "java.nio.DirectByteBuffer" => Role::DirectBuffer,
        "java.lang.ref.WeakReference" => Role::Weak,
        "java.lang.ThreadLocal$ThreadLocalMap$Entry" => Role::ThreadLocal,
        "java.lang.ref.SoftReference" => Role::Soft,
        "java.lang.ref.PhantomReference" => Role::Phantom,
        "java.lang.Integer" | "java.lang.Long" | "java.lang.Float" | "java.lang.Double"
        | "java.util.UUID" | "java.time.Instant" => Role::Number,
        "java.lang.Record" => Role::Record,
        "java.lang.ref.FinalReference" | "java.lang.ref.FinalizerReference" => Role::Final,
        _ => return None,
    })
}

/// All classes, superclasses first, and a class of a cycle if there is one; its superclass is forgotten.
fn order(classes: &mut Classes) -> (Vec<u32>, Option<u32>) {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state = vec![State::New; classes.len() as usize];
    let mut order = Vec::with_capacity(state.len());
    let mut path = Vec::new();
    let mut cycle = None;
    for first in 0..classes.len() {
        let mut next = first;
        while let Some(class) = classes.get_mut(next).filter(|_| state[next as usize] != State::Done) {
            if state[next as usize] == State::Open {
                cycle = cycle.or(Some(next));
                break;
            }
            state[next as usize] = State::Open;
            path.push(next);
            next = class.parent;
        }
        if state.get(next as usize) == Some(&State::Open)
            && let Some(class) = path.last().and_then(|&last| classes.get_mut(last))
        {
            class.parent = NONE;
        }
        while let Some(number) = path.pop() {
            state[number as usize] = State::Done;
            order.push(number);
        }
    }
    (order, cycle)
}

/// Finds the layout of objects.
pub(crate) fn guess(scan: &mut Scan, order: &[u32], added: &Injected, user: Overrides) -> Guess {
    let sample: Sample = std::mem::take(&mut scan.sample);
    let scan = &*scan;
    let id_size = usize::from(scan.header.id_size);
    let usual = match scan.android {
        Some(runtime) => runtime.layout(),
        None => Layout { fields: added.release.fields(), ..Layout::COMPRESSED },
    };
    Guess::of(sample, id_size, usual, user, |layout| {
        let sizes = sizes(scan, order, added, layout);
        move |thing| match thing {
            Thing::Instance(class) => sizes.get(class as usize).map_or(0, |sizes| sizes.0),
            Thing::Class(class) => sizes.get(class as usize).map_or(0, |sizes| sizes.1),
            Thing::Array(kind, len) => layout.array(kind, len.into()),
        }
    })
}

/// Gives classes the sizes of their instances and of their own objects.
pub(crate) fn measure(scan: &mut Scan, order: &[u32], added: &Injected, layout: Layout) {
    let sizes = sizes(scan, order, added, layout);
    for (class, (size, object_size)) in scan.classes.all_mut().iter_mut().zip(sizes) {
        (class.size, class.object_size) = (size, object_size);
    }
}

/// Bytes of an instance and of the class object, by class.
fn sizes(scan: &Scan, order: &[u32], injected: &Injected, layout: Layout) -> Vec<(u64, u64)> {
    let classes = &scan.classes;
    if layout.fields == Fields::Art {
        return stated(scan, layout);
    }
    let pointer = if scan.header.id_size == 4 && layout.header == 8 { 4 } else { 8 };
    let mut spaces = vec![Space::default(); classes.len() as usize];
    let mut class_class = None;
    for &number in order {
        let Some(class) = classes.get(number) else { continue };
        let mut space = spaces.get(class.parent as usize).cloned().unwrap_or_else(|| Space::new(layout));
        let mut fields = injected.of(number, pointer);
        classes.fields(class).iter().for_each(|field| fields.add(field.kind));
        space.add(fields, layout);
        if class.role == Role::Class {
            class_class = Some(number);
        }
        spaces[number as usize] = space;
    }
    let plain = Space::new(layout);
    let class_space = class_class.and_then(|number| spaces.get(number as usize)).unwrap_or(&plain);
    let object_size = |class: &Class| {
        let mut statics = Packing::default();
        if !injected.release.statics_in_class() {
            return Space::class_size(class_space, statics, layout);
        }
        for field in classes.statics(class) {
            // The virtual machine's own inventions, such as <resolved_references>, take no room.
            if scan.names.bytes(field.name).is_none_or(|name| !name.starts_with(b"<")) {
                statics.add(field.kind);
            }
        }
        Space::class_size(class_space, statics, layout)
    };
    let both = classes.all().iter().zip(&spaces);
    both.map(|(class, space)| (space.size(layout), object_size(class))).collect()
}

/// The same where class dumps state the size of instances. A class object is an instance of `java.lang.Class` with static
/// fields, among which ART gives those of `Class` itself.
fn stated(scan: &Scan, layout: Layout) -> Vec<(u64, u64)> {
    let reference = usize::from(layout.reference);
    let class = scan.classes.all().iter().find(|class| class.dumped && class.role == Role::Class);
    let own = class.map_or(0, |class| class.instance_size.into());
    let size = |class: &Class| {
        let statics = scan.classes.statics(class).iter().map(|field| field.kind.bytes_in(reference) as u64);
        (layout.aligned(class.instance_size.into()), own + statics.sum::<u64>())
    };
    scan.classes.all().iter().map(size).collect()
}

/// Whether a class declares an instance field of this name.
pub(crate) fn declares(scan: &Scan, class: &Class, field: &[u8]) -> bool {
    scan.classes.fields(class).iter().any(|f| scan.names.bytes(f.name) == Some(field))
}

/// Where a field stands in the bodies of a class's instances, and its type: the class's own or the nearest inherited one.
pub(crate) fn field(scan: &Scan, class: u32, name: &[u8]) -> Option<(u64, Kind)> {
    let size = usize::from(scan.header.id_size);
    let mut at = 0;
    let mut next = scan.classes.get(class);
    // The superclasses have no cycles any more.
    while let Some(class) = next {
        for &Field { name: id, kind } in scan.classes.fields(class) {
            if scan.names.bytes(id) == Some(name) {
                return Some((at, kind));
            }
            at += kind.bytes_in(size) as u64;
        }
        next = scan.classes.get(class.parent);
    }
    None
}

/// What [`field`] says of every class, by number. `order` has superclasses first.
pub(crate) fn fields(scan: &Scan, order: &[u32], name: &[u8]) -> Vec<Option<(u64, Kind)>> {
    let size = usize::from(scan.header.id_size);
    let mut places: Vec<Option<(u64, Kind)>> = vec![None; order.len()];
    for &number in order {
        let Some(class) = scan.classes.get(number) else { continue };
        let mut own = 0;
        let mut declared = None;
        for &Field { name: id, kind } in scan.classes.fields(class) {
            if declared.is_none() && scan.names.bytes(id) == Some(name) {
                declared = Some((own, kind));
            }
            own += kind.bytes_in(size) as u64;
        }
        let above = places.get(class.parent as usize).copied().flatten();
        places[number as usize] = declared.or(above.map(|(at, kind)| (at + own, kind)));
    }
    places
}

/// The fields that make edges, of the instances of all classes that have some: references, and primitives if `values`.
pub(crate) fn plans(scan: &mut Scan, order: &[u32], strings: &mut Strings, values: bool) -> Vec<Reference> {
    let mut plans = Vec::new();
    // The nearest class above, or the class itself, that declares fields: chains of empty classes cost nothing.
    let mut declaring = vec![NONE; order.len()];
    for &number in order {
        let Some(class) = scan.classes.get(number) else { continue };
        let above = declaring.get(class.parent as usize).copied().unwrap_or(NONE);
        declaring[number as usize] = if class.fields.0 < class.fields.1 { number } else { above };
    }
    for number in 0..scan.classes.len() {
        let Some(class) = scan.classes.get(number) else { break };
        let start = plans.len() as u32;
        // So a plan is never longer than the body of an instance that the file has.
        if class.instances > 0 && class.body == u64::from(class.first_body) {
            plan(scan, number, &declaring, strings, values, &mut plans);
        }
        if let Some(class) = scan.classes.get_mut(number) {
            class.plan = (start, plans.len() as u32);
        }
    }
    plans
}

fn plan(
    scan: &Scan,
    number: u32,
    declaring: &[u32],
    strings: &mut Strings,
    values: bool,
    plans: &mut Vec<Reference>,
) {
    let size = usize::from(scan.header.id_size);
    let role = scan.classes.get(number).map_or(Role::Plain, |class| class.role);
    let mut seen = Set::default();
    let mut offset = 0;
    let mut next = declaring.get(number as usize).copied();
    while let Some(class) = next.and_then(|number| scan.classes.get(number)) {
        for &Field { name, kind } in scan.classes.fields(class) {
            let text = scan.names.bytes(name);
            let hidden = text.is_some_and(|text| !seen.insert(text));
            // Android's field of an object's class, which every object has as an edge.
            if text != Some(b"shadow$_klass_") && (kind == Kind::Object || values) {
                let label = label(scan, class, name, hidden, strings);
                let subtype = match kind {
                    Kind::Object => reference_type(scan, class, role, name),
                    _ => EdgeType::Field,
                };
                plans.push(Reference { offset, kind, subtype, label });
            }
            offset += kind.bytes_in(size) as u32;
        }
        next = declaring.get(class.parent as usize).copied();
    }
}

/// What a field is called: by its name, and by its class too where a subclass has a field of that name.
fn label(scan: &Scan, class: &Class, name: u64, hidden: bool, strings: &mut Strings) -> StringId {
    let text = name_or_id(&scan.names, name);
    if !hidden {
        return strings.intern(&text);
    }
    let machine = scan.names.get(class.name).unwrap_or_default();
    let simple = machine.rsplit(['/', '.']).next().unwrap_or_default();
    strings.intern(&format!("{simple}.{text}"))
}

/// A name, or its identifier where the file lacks its text.
pub(crate) fn name_or_id(names: &Names, id: u64) -> String {
    names.get(id).unwrap_or_else(|| format!("<name 0x{id:x}>"))
}

/// The kind of edge that a field makes: `referent` of a reference object says how weak it is.
fn reference_type(scan: &Scan, declaring: &Class, role: Role, name: u64) -> EdgeType {
    let weak = match role {
        Role::Weak | Role::ThreadLocal => EdgeType::Weak,
        Role::Soft => EdgeType::Soft,
        Role::Phantom => EdgeType::Phantom,
        Role::Final => EdgeType::Final,
        _ => return EdgeType::Field,
    };
    let referent = scan.names.bytes(name) == Some(b"referent");
    let reference = || {
        scan.names.get(declaring.name).is_some_and(|name| class_name(&name).name == "java.lang.ref.Reference")
    };
    if referent && reference() { weak } else { EdgeType::Field }
}
