//! By what name the program knows an object: what is said of the cheapest way to it from the roots.

use heap_base::{BitSet, Result};
use heap_graph::NONE;
use heap_record::Role;

use super::clues::Word;
use super::search::{InMemory, Marks, START, search};
use super::ways::Way;
use super::whose::{Sort, file_of, is_plain};
use super::{Naming, PAGE, spell};

/// A step of a way.
#[derive(Clone, Debug)]
pub struct Step {
    /// The node that it leads to.
    pub node: u32,
    /// Number of the reference that leads to the node; none at the start.
    pub edge: Option<u32>,
    /// What the reference is to the program.
    pub way: Way,
    /// Its label; empty if it has none.
    pub label: String,
}

/// The name of an object.
#[derive(Clone, Debug, Default)]
pub struct Name {
    /// The object that is named: the last one that a name of the program leads to.
    pub node: u32,
    /// `global.pageCache`; empty if no name of the program is on the way.
    pub text: String,
    /// Whether a name of the program is on the way.
    pub named: bool,
    /// Whether that is where people look: a variable, a static field, a module, a call or a global object.
    pub certain: bool,
    /// The way from the root to it.
    pub steps: Vec<Step>,
}

/// The cheapest ways to some nodes.
pub struct Names<'a> {
    naming: &'a Naming<'a>,
    via: Marks,
}

impl<'a> Names<'a> {
    /// Looks for the cheapest ways to `targets`.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn new(naming: &'a Naming<'a>, targets: &BitSet) -> Result<Self> {
        let graph = &naming.loaded.heap.graph;
        let via = if graph.has_few() {
            search(naming, targets, &mut InMemory::<true>(naming))?
        } else {
            search(naming, targets, &mut InMemory::<false>(naming))?
        };
        Ok(Self { naming, via })
    }

    /// The last reference on the way to a node; none at its start, or if no root reaches the node.
    pub fn last(&self, node: u32) -> Option<u32> {
        Some(self.via(node)).filter(|&via| via < START)
    }

    fn via(&self, node: u32) -> u32 {
        let place = self.naming.loaded.heap.graph.place(node);
        place.map_or(NONE, |place| self.via.get(place as usize))
    }

    /// Whether the way to a node has no more than so many references. Reads no labels, so it costs little where steps are asked
    /// for of many nodes and lists are long.
    pub fn is_near(&self, node: u32, most: usize) -> bool {
        let graph = &self.naming.loaded.heap.graph;
        let edges = std::iter::successors(self.last(node), |&edge| self.last(graph.source(edge)));
        edges.take(most + 1).count() <= most
    }

    /// The way to a node; none if no root reaches it.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn steps(&self, node: u32) -> Result<Option<Vec<Step>>> {
        if self.via(node) == NONE {
            return Ok(None);
        }
        let graph = &self.naming.loaded.heap.graph;
        let (mut steps, mut at) = (Vec::new(), node);
        loop {
            let via = self.via(at);
            let edge = (via != START).then_some(via);
            let (way, label) = match edge {
                Some(edge) => match self.naming.own.exported(graph.source(edge)) {
                    Some(name) if self.naming.way(edge) == Way::Inner => (Way::Variable, name.to_owned()),
                    _ => (self.naming.way(edge), self.naming.loaded.label(edge)?.unwrap_or_default()),
                },
                None => (Way::Inner, String::new()),
            };
            steps.push(Step { node: at, edge, way, label });
            match edge {
                Some(edge) => at = graph.source(edge),
                None => break,
            }
        }
        steps.reverse();
        Ok(Some(steps))
    }

    /// The name of a node: of the last object on the way to it that a name of the program leads to.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn name(&self, node: u32) -> Result<Option<Name>> {
        let Some(mut steps) = self.steps(node)? else { return Ok(None) };
        let own = &self.naming.own;
        let from = |at: usize| steps[at - 1].node;
        let counts = |at: usize| {
            let to = steps[at].node;
            // What a variable or a field of the program is, is no inner part, whatever the machine makes of it.
            let is_value = match steps[at].way {
                Way::Variable => own.is_own_scope(from(at)) && own.sort(to) == Sort::Array,
                Way::Member => {
                    own.sort(to) == Sort::Object
                        && (own.is_own(from(at)) || own.sort(from(at)) == Sort::Frame)
                }
                Way::Static => own.is_own_class(from(at)) && own.sort(to) == Sort::Object,
                Way::Local => {
                    own.is_own_frame(from(at)) && matches!(own.sort(to), Sort::Object | Sort::Array)
                }
                _ => false,
            };
            if own.is_cell(to) && !is_value {
                return false;
            }
            match steps[at].way {
                Way::Variable | Way::Static | Way::Exports => true,
                Way::Member => own.names_members(from(at)) || own.is_loader(from(at)),
                Way::Process | Way::Local => own.names_members(from(at)),
                // The key of an entry, which no number is.
                Way::Element => is_key(&steps[at].label) && own.names_members(from(at)),
                _ => steps[at - 1].way == Way::Registers,
            }
        };
        let last = (1..steps.len()).rev().find(|&at| counts(at));
        // What is the program's itself needs no name of the runtime's above it.
        let is_programs = |at: &usize| {
            let node = steps[*at].node;
            own.is_own(node) || own.is_own_function(node) || own.is_own_scope(node) || own.is_own_frame(node)
        };
        let itself = (0..steps.len()).rev().find(is_programs).filter(|_| own.has_runtime());
        let last = last.max(itself);
        // Nor does a thread, which is no part of what leads to it. Few steps are left.
        let after = last.map_or(0, |last| last + 1);
        let thread = (after..steps.len()).rev().find(|&at| own.is_thread(steps[at].node));
        // A loader of classes is its own, though a thread leads to it.
        let of_loader = |&at: &usize| !steps[at..].iter().any(|step| own.is_loader(step.node));
        // Where nothing has a name it is what an inner part belongs to: a Map, and not its table.
        let is_part = |at: usize| {
            let above = own.sort(from(at)) == Sort::Object;
            steps[at].way == Way::Inner && own.is_cell(steps[at].node) && above
        };
        let whole = || (1..steps.len()).rev().find(|&at| !is_part(at)).unwrap_or(0);
        let last = thread.filter(of_loader).or(last).unwrap_or_else(whole);
        let of_code = steps[last + 1..].iter().any(|step| matches!(step.way, Way::Shared | Way::Script));
        // What all functions were made in is no variable of the one that is on the way.
        let surroundings = |step: &Step| step.way == Way::Context && !own.is_scope(step.node);
        let of_all = steps[last + 1..].iter().find(|step| surroundings(step)).map(|step| step.node);
        steps.truncate(last + 1);
        let (mut text, mut named, mut certain) = self.spell(&steps)?;
        if of_code {
            // A function leads to it, but does not hold it: the text of a script, what describes functions.
            (named, certain) = (false, false);
            text = format!("code of {text}");
        } else if let Some(of_all) = of_all {
            (named, certain) = (false, false);
            let name = self.naming.loaded.name(of_all)?.filter(|name| !name.is_empty());
            text = name.map_or_else(|| self.naming.loaded.class(of_all), Ok)?;
        }
        Ok(Some(Name { node: steps[last].node, text, named, certain, steps }))
    }

    /// The name of the object at the end of a way, whatever leads to it.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn whole(&self, steps: Vec<Step>) -> Result<Name> {
        let (text, named, certain) = self.spell(&steps)?;
        Ok(Name { node: steps.last().map_or(NONE, |step| step.node), text, named, certain, steps })
    }

    /// Where a node hangs; none if no root reaches it, or its way begins at the object itself and so says nothing new.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn place(&self, node: u32) -> Result<Option<String>> {
        self.steps(node)?.map_or(Ok(None), |steps| self.place_by(node, steps))
    }

    /// The same where the way is known.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn place_by(&self, node: u32, steps: Vec<Step>) -> Result<Option<String>> {
        let text = self.whole(steps)?.text;
        let loaded = self.naming.loaded;
        let is_new =
            !text.is_empty() && text != loaded.class(node)? && Some(&text) != loaded.name(node)?.as_ref();
        Ok(is_new.then_some(text))
    }

    /// Where in `steps` the program's own names begin.
    fn begin(&self, steps: &[Step]) -> Result<Option<Begin>> {
        let own = &self.naming.own;
        let about = |at: &usize| {
            matches!(steps[*at].way, Way::Meta | Way::Shared) && !self.is_method_of_class(steps, *at)
                || self.is_class_of_code(steps, *at)
        };
        let after = (0..steps.len()).rev().find(about).unwrap_or(0);
        let from = |at: usize| steps[at - 1].node;
        let range = || (after + 1..steps.len()).filter(|&at| at > 0);
        let variable = |at: &usize| steps[*at].way == Way::Variable && own.is_own_scope(from(*at));
        // What a waiting call of the program has says more than what leads to the call.
        let call =
            range().rev().find(|&at| steps[at].way == Way::Registers && own.callee(from(at)).is_some());
        if let Some(at) = call.filter(|&call| !range().any(|at| at > call && variable(&at))) {
            return Ok(Some(Begin::Call(at)));
        }
        // What a module exports has the name that the rest of the program knows it by.
        let exported = range().rev().find(|&at| variable(&at) && own.exported(from(at)).is_some());
        let variable_of = |at: &usize| variable(at) && !is_receiver(&steps[*at].label);
        if let Some(mut at) = exported.or_else(|| range().find(variable_of)) {
            // What a library holds by a function of the program's stands in the scope of that.
            if own.is_library(from(at))? {
                for next in
                    range().filter(|&next| next > at && variable(&next) && !is_receiver(&steps[next].label))
                {
                    if !own.is_library(from(next))? {
                        at = next;
                        break;
                    }
                }
            }
            // A function is on the way only for its scope, whose variables say more; but for one that a library made for the
            // program, of which the program's own name does.
            while let Some(next) = (at + 1..steps.len()).find(|&next| steps[next].way == Way::Variable)
                && own.sort(steps[at].node) == Sort::Closure
                && variable(&next)
                && !is_receiver(&steps[next].label)
                && steps[at + 1..next].iter().all(|step| matches!(step.way, Way::Context | Way::Previous))
                && (!own.is_library(from(next))? || own.is_library(from(at))?)
            {
                at = next;
            }
            // What it was called on says more than what compilers call that.
            if own.sort(steps[at].node) == Sort::Closure
                && let Some(next) = (at + 1..steps.len()).find(|&next| steps[next].way == Way::Variable)
                && is_alias(&steps[next].label)
                && own.is_own(steps[next].node)
            {
                return Ok(Some(Begin::At(next)));
            }
            return Ok(Some(Begin::Variable(at)));
        }
        let module = |at: &usize| steps[*at].way == Way::Exports && self.is_module(from(*at));
        if let Some(at) = range().rev().find(module) {
            return Ok(Some(Begin::Module(at)));
        }
        let fixed = |at: &usize| steps[*at].way == Way::Static && own.is_own_class(from(*at));
        if let Some(at) = range().rev().find(fixed) {
            return Ok(Some(Begin::At(at - 1)));
        }
        if own.is_own_class(steps[after].node) {
            return Ok(Some(Begin::At(after)));
        }
        if let Some(at) = range().find(|&at| own.is_own_frame(steps[at].node)) {
            return Ok(Some(Begin::At(at)));
        }
        // A class that was loaded is no part of the loader.
        let loader = |at: usize| {
            let is_class = |step: &Step| own.is_class(step.node);
            own.is_loader(steps[at].node)
                && steps.get(at + 1).is_some_and(|step| step.way == Way::Member)
                && !steps[at..].iter().any(is_class)
        };
        let thread = |at: &usize| self.naming.own.is_thread(steps[*at].node) || loader(*at);
        if let Some(at) = range().rev().find(thread) {
            return Ok(Some(Begin::At(at)));
        }
        let object = |at: &usize| own.is_own(steps[*at].node) || own.is_own_function(steps[*at].node);
        // What lies behind a variable of the runtime's is no part of the process object, though that leads there.
        let behind_variable = |at: usize| {
            let mut rest = at + 1..steps.len();
            rest.any(|at| steps[at].way == Way::Variable) && rest.any(|at| object(&at))
        };
        let process = range().rev().find(|&at| steps[at].way == Way::Process);
        if let Some(at) = process.filter(|&at| !behind_variable(at)) {
            return Ok(Some(Begin::At(at)));
        }
        let global = |at: &usize| {
            let is_programs = !own.is_runtimes_symbol(&steps[*at].label);
            steps[*at].way == Way::Member && is_programs && self.is_global(steps, *at - 1)
        };
        if let Some(at) = range().find(global) {
            let runtimes = range().any(|at| steps[at].way == Way::Variable || steps[at].way == Way::Process);
            if !runtimes {
                return Ok(Some(Begin::At(at - 1)));
            }
        }
        if own.is_own_scope(steps[steps.len() - 1].node) {
            return Ok(Some(Begin::Scope(steps.len() - 1)));
        }
        let receiver = range().find(variable);
        let mut object = (receiver.unwrap_or(after)..steps.len())
            .find(object)
            .filter(|&at| at + 1 < steps.len() || !own.has_scripts());
        // Where no name leads on, the next object of the program says more; but for the last, whose class is said beside the name.
        while let Some(at) = object
            && let Some(next) = (at + 1..steps.len()).find(|&at| own.is_own(steps[at].node))
            && (next + 1 < steps.len() || own.is_class(steps[at].node))
            && pieces(self.naming, &steps[at + 1..=next]).is_empty()
        {
            object = Some(next);
        }
        let named = object.map(Begin::At).or(receiver.map(Begin::Variable));
        let on_stack = || {
            let at = steps[..steps.len() - 1].iter().rposition(|step| self.is_stack(step.node))?;
            Some(Begin::OnStack(at + 1))
        };
        Ok(named.or_else(on_stack))
    }

    /// Whether references from a node are what functions that run have, of which nothing says which function or variable it is.
    fn is_stack(&self, node: u32) -> bool {
        let loaded = self.naming.loaded;
        let is_thread = || loaded.class(node).is_ok_and(|class| class == THREAD);
        let name = || loaded.name(node).ok().flatten().map(|name| name.to_ascii_lowercase());
        if self.naming.own.is_synthetic(node) {
            name().is_some_and(|name| name.contains("stack"))
        } else {
            is_thread()
        }
    }

    /// Whether a way leads over what a program has at its top level, where that has no name in the dump: below the class of all
    /// objects lie constants and, behind the scope of all, variables; below a root of global variables lie these. What a
    /// runtime has there itself are classes, texts, inner parts and files. What code mentions it does not hold.
    fn is_at_top_level(&self, steps: &[Step]) -> Result<bool> {
        let (own, loaded) = (&self.naming.own, self.naming.loaded);
        let holds = |step: &Step| own.is_class(step.node) || own.is_synthetic(step.node);
        let Some(at) = steps.iter().rposition(holds) else { return Ok(false) };
        let name = loaded.name(steps[at].node)?.unwrap_or_default();
        let is_top = if own.is_class(steps[at].node) {
            is_plain(&name)
        } else {
            is_word(&name) && name.contains("global")
        };
        let below = &steps[at + 1..];
        let Some(first) = below.first().filter(|_| is_top) else { return Ok(false) };
        let is_value = matches!(own.sort(first.node), Sort::Object | Sort::Array | Sort::Closure)
            && !loaded.class(first.node)?.starts_with('(');
        Ok(is_value && !below.iter().any(|step| matches!(step.way, Way::Meta | Way::Shared)))
    }

    /// Whether a step leads to a class from something that has none and gives it no name, such as the entry of a method or a
    /// piece of code: these refer to the class that they were written for, or mention, and hold nothing of what it has.
    fn is_class_of_code(&self, steps: &[Step], at: usize) -> bool {
        let own = &self.naming.own;
        let is_code =
            |node: u32| own.sort(node) == Sort::Object && self.naming.loaded.heap.class(node).is_none();
        at > 0 && steps[at].way == Way::Inner && own.is_class(steps[at].node) && is_code(steps[at - 1].node)
    }

    /// Whether a step leads from the entry of a method, which has no class, into what the method is made of: the class of the
    /// program that has the method has that, too.
    fn is_method_of_class(&self, steps: &[Step], at: usize) -> bool {
        let own = &self.naming.own;
        let is_entry =
            |node: u32| own.sort(node) == Sort::Object && self.naming.loaded.heap.class(node).is_none();
        at > 1 && own.is_own_class(steps[at - 2].node) && is_entry(steps[at - 1].node)
    }

    fn is_global(&self, steps: &[Step], at: usize) -> bool {
        let policy = &self.naming.loaded.heap.policy;
        steps[at].way == Way::Global || policy.user_roots.contains(&steps[at].node)
    }

    /// What programs call a global object: `Window` of `Window [JSGlobalObject] / file://`. Where there are several pages, all.
    fn global(&self, node: u32) -> Result<String> {
        let head = self.head(node)?;
        Ok(match head.split_once(PAGE) {
            Some((name, page)) if page.is_empty() || !self.naming.pages => {
                name.split(" [").next().unwrap_or(name).to_owned()
            }
            // The machine's own word for it says nothing more: `global (global*)`.
            _ => head.split(" (").next().unwrap_or(&head).to_owned(),
        })
    }

    fn is_module(&self, node: u32) -> bool {
        self.naming.loaded.class(node).is_ok_and(|class| class == "Module")
    }

    /// The text of a way, and whether a name of the program is on it.
    fn spell(&self, steps: &[Step]) -> Result<(String, bool, bool)> {
        let loaded = self.naming.loaded;
        let last = steps.len() - 1;
        let of_class = self.naming.own.is_class(steps[last].node).then_some(Begin::At(last));
        let begin = match of_class {
            Some(class) => Some(class),
            None => self.begin(steps)?,
        };
        // What the process object leads to by a variable of the runtime is the runtime's.
        let runtimes = |begin| match begin {
            Begin::At(at) => {
                steps[at].way == Way::Process && steps[at..].iter().any(|step| step.way == Way::Variable)
            }
            _ => false,
        };
        let named = match of_class {
            Some(_) => self.naming.own.is_own_class(steps[last].node),
            None => begin.map_or_else(|| self.is_at_top_level(steps), |begin| Ok(!runtimes(begin)))?,
        };
        let certain = match begin {
            None => named,
            Some(Begin::Variable(_) | Begin::Module(_) | Begin::Call(_)) => true,
            Some(Begin::At(at)) => {
                let own = &self.naming.own;
                let node = steps[at].node;
                own.is_own_frame(node) || own.is_own_class(node) || self.is_global(steps, at)
            }
            _ => false,
        };
        let (head, from) = match begin {
            Some(Begin::Variable(at)) => {
                let last = (at..steps.len())
                    .rev()
                    .find(|&at| {
                        steps[at].way == Way::Variable && self.naming.own.is_own_scope(steps[at - 1].node)
                    })
                    .unwrap_or(at);
                let spelt = |at: usize| -> Result<(String, usize)> {
                    let function = self.naming.own.function_of(steps[at - 1].node);
                    let file = match function {
                        Some(function) => self.naming.own.script(function)?,
                        None => None,
                    };
                    let file = file.as_deref().map(file_of).unwrap_or_default();
                    let gap = if file.is_empty() { "" } else { ": " };
                    Ok((format!("{file}{gap}{}", steps[at].label), at + 1))
                };
                let whole = pieces(self.naming, &steps[(at + 1).min(steps.len())..]);
                let long = whole.iter().map(String::len).sum::<usize>() > ROOM;
                spelt(if long { last } else { at })?
            }
            Some(Begin::Module(at)) => {
                let file = self.file_of_module(steps[at - 1].node)?;
                (format!("{file}: {}", steps[at].label), at + 1)
            }
            Some(Begin::Call(at)) => {
                let callee = self.naming.own.callee(steps[at - 1].node);
                let function = callee.map(|callee| self.naming.own.function(callee)).transpose()?;
                // What the call has, has no name of its own.
                (function.unwrap_or_default(), at + 2)
            }
            Some(Begin::At(at)) if self.is_global(steps, at) => (self.global(steps[at].node)?, at + 1),
            // A call without a name, such as the body of a class: the variable says more.
            Some(Begin::At(at))
                if self.naming.own.sort(steps[at].node) == Sort::Frame
                    && loaded.name(steps[at].node)?.is_none_or(|name| name.is_empty())
                    && steps.get(at + 1).is_some_and(is_variable) =>
            {
                (steps[at + 1].label.clone(), at + 2)
            }
            Some(Begin::At(at)) => (self.head(steps[at].node)?, at + 1),
            Some(Begin::Scope(at)) => (self.scope(steps[at].node)?, at + 1),
            Some(Begin::OnStack(at)) => (ON_STACK.to_owned(), at + 1),
            None => {
                let after =
                    steps.iter().rposition(|step| matches!(step.way, Way::Meta | Way::Shared)).unwrap_or(0);
                let bare = |step: &Step| loaded.class(step.node).is_ok_and(|class| class.starts_with('('));
                let Some(mut first) = (after..steps.len()).find(|&at| !bare(&steps[at])) else {
                    return Ok((self.slot_of_root(steps), false, false));
                };
                // Nor does an inner part that leads on without a name.
                while self.naming.own.sort(steps[first].node) == Sort::Array
                    && let Some(next) = (first + 1..steps.len()).find(|&at| !bare(&steps[at]))
                    && pieces(self.naming, &steps[first + 1..=next]).is_empty()
                {
                    first = next;
                }
                let fixed = |at: &usize| {
                    steps[*at].way == Way::Static && self.naming.own.is_class(steps[*at - 1].node)
                };
                // Numbers alone lead nobody from there: the last object behind them that has a name people know says more.
                let only_numbers = |end: usize| {
                    pieces(self.naming, &steps[first + 1..end]).iter().all(|piece| piece.starts_with('['))
                };
                // From here on there are names.
                let names = (first + 1..steps.len()).find(|&at| !only_numbers(at + 1)).unwrap_or(steps.len());
                let class = |at: usize| loaded.class(steps[at].node).unwrap_or_default();
                // So does one with inner parts, such as the document with its listeners, or with a field of the program's.
                let is_around = |at: usize| {
                    !is_inner(&class(at))
                        && (steps.get(at + 1).is_some_and(|_| is_inner(&class(at + 1)))
                            || at + 1 == names && at + 1 < steps.len() && is_of_page(&class(at)))
                };
                let known = |at: &usize| {
                    let is_object = self.naming.own.sort(steps[*at].node) == Sort::Object;
                    is_object && (is_known(&class(*at)) || is_around(*at))
                };
                let known = (first + 1..names).rev().find(known);
                match (known, (first + 1..steps.len()).rev().find(fixed)) {
                    (Some(at), _) if names < steps.len() => (self.head(steps[at].node)?, names),
                    (Some(at), _) => {
                        let (head, end) = (self.head(steps[at].node)?, class(last));
                        // What scripts know by its class says more than the only page that there is.
                        let is_known = at < last && is_of_page(&end) && !self.naming.pages;
                        (if is_known { end } else { head }, steps.len())
                    }
                    // A field of a class of the runtime's, which people know, too.
                    (None, Some(at)) => (self.head(steps[at - 1].node)?, at),
                    (None, None) => (self.head_of_root(steps, first)?, first + 1),
                }
            }
        };
        let mut text = head;
        let tail = fold(&pieces(self.naming, &steps[from.min(steps.len())..]));
        let skip = tail.len().saturating_sub(PIECES);
        if skip > 0 {
            text.push('…');
        }
        tail[skip..].iter().for_each(|piece| text.push_str(piece));
        Ok((text, named, certain))
    }

    /// What a scope is called: by a function that has it.
    fn scope(&self, scope: u32) -> Result<String> {
        let Some(function) = self.naming.own.function_of(scope) else { return Ok("a scope".to_owned()) };
        Ok(format!("the scope of {}", self.naming.own.function(function)?))
    }

    /// What a name begins with: the name of a class or a thread, else the class.
    fn head(&self, node: u32) -> Result<String> {
        let loaded = self.naming.loaded;
        if self.naming.own.is_own_function(node) {
            return self.naming.own.function(node);
        }
        let class = loaded.class(node)?;
        if self.naming.own.is_thread(node)
            && let Some(name) = self.text_at(node, Word::Name)?
        {
            return Ok(format!("{class} \"{name}\""));
        }
        if self.naming.own.is_loader(node)
            && let Some(name) = loaded.name(node)?.filter(|name| !name.is_empty())
        {
            return Ok(format!("{class} \"{name}\""));
        }
        let is_named =
            matches!(self.naming.own.sort(node), Sort::Class | Sort::Frame | Sort::Synthetic | Sort::Code);
        match loaded.name(node)?.filter(|_| is_named) {
            Some(name) if !name.is_empty() => Ok(name),
            _ => Ok(class),
        }
    }

    /// The same of an object that no name leads to. Of a container that any program uses the root says more: what stands
    /// there is a global variable, of which the dump has no name.
    fn head_of_root(&self, steps: &[Step], at: usize) -> Result<String> {
        let head = self.head(steps[at].node)?;
        let root = match at.checked_sub(1).map(|at| steps[at].node) {
            Some(root) if self.naming.own.is_synthetic(root) && is_plain(&head) => {
                self.naming.loaded.name(root)?
            }
            _ => None,
        };
        let root = root.filter(|name| !name.is_empty() && !name.starts_with(['(', '<']));
        Ok(root.map_or(head.clone(), |root| format!("{root}: {head}")))
    }

    /// What the virtual machine calls a table of its own that hangs on a root: empty where it has only a number.
    fn slot_of_root(&self, steps: &[Step]) -> String {
        let [.., root, table] = steps else { return String::new() };
        let slot = if self.naming.own.is_synthetic(root.node) { table.label.as_str() } else { "" };
        if is_word(slot) { slot.to_owned() } else { String::new() }
    }

    /// The text of the string that the reference with such a word leads to.
    fn text_at(&self, node: u32, word: Word) -> Result<Option<String>> {
        let loaded = self.naming.loaded;
        let end = self.naming.own.end_of(node, word)?;
        let text =
            end.and_then(|end| self.naming.clues.texts.text(&loaded.heap, end).or(loaded.heap.name(end)));
        text.map(|id| loaded.context.strings.text_or_number(id)).transpose()
    }

    fn file_of_module(&self, module: u32) -> Result<String> {
        let text = self.text_at(module, Word::FileName)?;
        Ok(text.map_or_else(|| "module".to_owned(), |text| file_of(&text).to_owned()))
    }
}

/// Whether the label of an element is a text, such as the key of a hash.
fn is_key(label: &str) -> bool {
    label.bytes().any(|byte| !byte.is_ascii_digit())
}

/// Whether a variable is what functions call the object that they were called on, which is no name of its own.
fn is_receiver(label: &str) -> bool {
    label == "this" || is_alias(label)
}

/// Whether compilers call that so, for functions inside of functions: `_this2`.
fn is_alias(label: &str) -> bool {
    label.strip_prefix("_this").is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a class is an inner part of the runtime's, by its namespace.
pub fn is_inner(class: &str) -> bool {
    class.contains("::")
}

/// Whether a class is that of an element of a page: `<body>`, `<p class="note">`.
pub fn is_element(class: &str) -> bool {
    class.starts_with('<') && class.ends_with('>')
}

/// Whether a name of the virtual machine's is a word for a thing, and no sentence, number or class.
pub fn is_word(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

/// Whether a class of the runtime is one that programs know by name, such as `Window / https://example.org` or `<body>`, and
/// not one of its inner parts, such as `blink::EventTargetData`.
fn is_known(class: &str) -> bool {
    is_element(class)
        || class.split_once(" / ").is_some_and(|(name, origin)| !is_inner(name) && origin.contains("://"))
}

/// Whether a class is one that scripts of a page may know, such as `HighlightRegistry`: not of the machine, nor a container.
fn is_of_page(class: &str) -> bool {
    class.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && class.starts_with(|c: char| c.is_ascii_uppercase())
        && !is_plain(class)
}

/// Where a name begins.
#[derive(Clone, Copy, Debug)]
enum Begin {
    /// At the variable of a scope that this step leads to.
    Variable(usize),
    /// At what a module exports, which this step leads to.
    Module(usize),
    /// At the object of a step.
    At(usize),
    /// At the scope of a step: all its variables.
    Scope(usize),
    /// At what a waiting call has, which this step leads to.
    Call(usize),
    /// At what a function that runs has, which this step leads to.
    OnStack(usize),
}

/// What a thread is called that is no object: a node of this subtype without a class.
const THREAD: &str = "(heap.thread)";
/// What is said of a variable that has no name in a function that is not known.
const ON_STACK: &str = "a variable on the stack";

/// Parts of a name at most, and letters of it.
const PIECES: usize = 8;
const ROOM: usize = 48;

/// Whether a step leads on by the name of a variable.
fn is_variable(step: &Step) -> bool {
    matches!(step.way, Way::Variable | Way::Local | Way::Member) && !step.label.is_empty()
}

/// What each step adds to a name.
fn pieces(naming: &Naming<'_>, steps: &[Step]) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| steps[at].node);
        let piece = match step.way {
            Way::Variable => spell::named(&step.label, Role::Variable),
            Way::Local if step.label.is_empty() => {
                // The source has no name of the variable; its class says what it is.
                let class = naming.loaded.class(step.node).unwrap_or_default();
                if naming.own.is_own(step.node) { format!(":{class}") } else { continue }
            }
            Way::Member | Way::Static | Way::Process | Way::ModuleCache | Way::Exports | Way::Local => {
                if before.is_some_and(|before| !naming.own.names_members(before)) {
                    if pieces.last().is_some_and(|piece| piece == "[*]") {
                        continue;
                    }
                    "[*]".to_owned()
                } else {
                    spell::named(&step.label, Role::Member)
                }
            }
            Way::Element if before.is_some_and(|before| !naming.own.names_members(before)) => {
                if pieces.last().is_some_and(|piece| piece == "[*]") {
                    continue;
                }
                "[*]".to_owned()
            }
            // Which element it is, the dump does not say.
            Way::Element if step.label.is_empty() => "[*]".to_owned(),
            Way::Element => spell::named(&step.label, Role::Element),
            Way::Entry => "[WeakMap value]".to_owned(),
            Way::Meta if step.label.is_empty() => String::new(),
            Way::Meta => spell::named(&step.label, Role::Inner),
            Way::Inner
            | Way::Previous
            | Way::Frame
            | Way::Shared
            | Way::Context
            | Way::Global
            | Way::Registers
            | Way::Register
            | Way::Script => continue,
        };
        pieces.push(piece);
    }
    pieces
}

/// Repeats of up to four parts become one, with their number.
pub fn fold(pieces: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        let mut best = (1, 1);
        for length in 1..=4 {
            let unit = pieces.get(at..at + length).unwrap_or_default();
            let repeats = |n: &usize| pieces.get(at + n * length..at + (n + 1) * length) == Some(unit);
            let times = if unit.is_empty() { 1 } else { 1 + (1..pieces.len()).take_while(repeats).count() };
            if times > 2 && times * length > best.0 * best.1 {
                best = (length, times);
            }
        }
        let (length, times) = best;
        let unit = pieces[at..at + length].concat();
        out.push(if times > 1 { format!("({unit})×{times}") } else { unit });
        at += length * times;
    }
    out
}
