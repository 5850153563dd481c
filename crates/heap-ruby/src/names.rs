//! Names of classes.

use heap_base::Result;
use heap_record::{Sink, StringId};

use crate::line::Text;
use crate::scan::{Class, Scan};
use crate::strings::Strings;

/// Most classes on the way to one that has a name. Longer ways are damage.
const MOST_STEPS: usize = 1000;

/// The string ids of the names that objects of a class have as `heap.class`, by the class's number.
#[derive(Debug)]
pub(crate) struct Names {
    classes: Vec<StringId>,
    /// The class asked for last: its address and name.
    last: Option<(u64, Option<StringId>)>,
}

impl Names {
    /// Emits the names of all classes.
    pub(crate) fn new(scan: &Scan, strings: &mut Strings, sink: &mut dyn Sink) -> Result<Self> {
        let mut classes = Vec::with_capacity(scan.classes.len());
        for class in &scan.classes {
            classes.push(match of_instances(class, scan) {
                Found::Name(bytes) => strings.name(Text { bytes, escaped: false }, sink)?,
                Found::Anonymous(address) => {
                    strings.name(Text::from(&*format!("#<Class:{address:#x}>")), sink)?
                }
            });
        }
        Ok(Self { classes, last: None })
    }

    /// What objects are called that say this is their class.
    pub(crate) fn of(&mut self, class: u64, scan: &Scan) -> Option<StringId> {
        if let Some((last, name)) = self.last
            && last == class
        {
            return name;
        }
        let name = scan.class_numbers.get(&class).map(|&number| self.classes[number as usize]);
        self.last = Some((class, name));
        name
    }
}

enum Found<'s> {
    Name(&'s [u8]),
    Anonymous(u64),
}

/// Goes up from singletons and included modules to the class that a program has written.
fn of_instances<'s>(mut class: &'s Class, scan: &'s Scan) -> Found<'s> {
    for _ in 0..MOST_STEPS {
        if !class.hidden {
            break;
        }
        if let Some(name) = &class.real_name {
            return Found::Name(name);
        }
        let above = class.superclass.and_then(|above| scan.class_numbers.get(&above));
        let Some(&above) = above else { break };
        class = &scan.classes[above as usize];
    }
    class.name.as_ref().map_or(Found::Anonymous(class.address), |name| Found::Name(name))
}

/// The name that a class has for itself. A singleton has that of the class whose singleton it is.
pub(crate) fn of_class(number: u32, owners: &[Option<u32>], scan: &Scan) -> Option<String> {
    let class = &scan.classes[number as usize];
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    if class.singleton {
        let owner = owners.get(number as usize).copied().flatten()?;
        let name = scan.classes[owner as usize].name.as_ref()?;
        return Some(format!("#<Class:{}>", text(name)));
    }
    class.name.as_ref().map(|name| text(name))
}

/// For each singleton of a class, that class.
pub(crate) fn owners(scan: &Scan) -> Vec<Option<u32>> {
    let mut owners = vec![None; scan.classes.len()];
    for (number, class) in scan.classes.iter().enumerate() {
        let singleton = class.class.and_then(|class| scan.class_numbers.get(&class));
        if let Some(&singleton) = singleton
            && scan.classes[singleton as usize].singleton
        {
            owners[singleton as usize] = Some(number as u32);
        }
    }
    owners
}
