//! From places of the dominator tree to rows: name, what is held, growth, level.

use heap_base::{BitSet, Plus, Result};

use super::allocated::allocated;
use super::among::Figures;
use super::came;
use super::common::{
    PERHAPS, bare_tables, class_around, common, field_of, reason_of, root_of, samples, strays, table_of,
};
use super::elements::bare;
use super::growth::{Earlier, Growth, course as course_of, goes_on};
use super::holders::{self, Point, Shared};
use super::items::{self, Items};
use super::locals::Local;
use super::merge::{merge, variable_without_name};
use super::places::{Grown, Others, kind_of};
use super::scene::Scene;
use super::sentences::without_package;
use super::within::Among;
use super::{Course, Holding, Kind, Level, Suspect, Unseen};
use crate::cells::{self, change};
use crate::path::PathStep;
use heap_ops::place::{Name, Names, Sort, Step, Way};

/// Where rows may come from, before anything has a name.
pub(super) struct Plan {
    points: Vec<Point>,
    crowds: Vec<Shared>,
    /// What holds each crowd.
    holders: Vec<Vec<u32>>,
    /// Large tables that lead to nothing.
    tables: Vec<u32>,
    /// Variables of threads.
    locals: Vec<Local>,
    pub(super) waste: Vec<Draft>,
    others: Others,
}

/// Waste before its place is known.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) kind: Kind,
    /// The node that a path is looked for to.
    pub(super) node: u32,
    pub(super) retained: u64,
    /// Bytes outside the heap.
    pub(super) external: u64,
    pub(super) holds: Vec<Holding>,
    /// What stands in place of the holder's class.
    pub(super) class: Option<String>,
    pub(super) unseen: Unseen,
}

impl Draft {
    pub(super) fn new(kind: Kind, node: u32, retained: u64) -> Self {
        Self { kind, node, retained, external: 0, holds: Vec::new(), class: None, unseen: Unseen::Nothing }
    }
}

/// Shared rows whose holders are looked for, at most.
const LOOKED_FOR: usize = 6;
/// Steps of a path that a row has, at most.
pub(super) const STEPS: usize = 64;

/// What has grown by this part of what the heap has grown by is a place of its own however large the heap is, from so many bytes on.
const MOST: f64 = 0.5;
const SMALL: u64 = 64 << 10;

/// All rows of a dump.
pub(super) struct Finder<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) growth: Option<Growth<'a>>,
    pub(super) earlier: &'a [Earlier],
    /// What the heap has grown by.
    grown: i64,
    /// Bytes of growth from which something is a place of its own.
    pub(super) floor: u64,
}

impl<'a> Finder<'a> {
    pub(super) fn new(scene: &'a Scene<'a>, earlier: &'a [Earlier]) -> Self {
        let growth = Growth::new((scene.loaded, scene.clues), scene.tree, scene.weights, earlier);
        let grown = match (&growth, earlier.first()) {
            (Some(growth), _) => growth.total,
            (None, Some(first)) => change(scene.total, first.total),
            (None, None) => 0,
        };
        let part = |part: f64| (grown.max(0) as f64 * part) as u64;
        let floor = scene.floor.min(part(MOST).max(SMALL)).max(part(scene.limits.growth));
        Self { scene, growth, earlier, grown, floor }
    }

    /// Where rows may come from, before anything has a name. `grown` are the places that have grown by their names, where
    /// [`needs_names`](Self::needs_names) says so.
    pub(super) fn plan(&self, grown: Grown) -> Result<Plan> {
        let Self { scene, .. } = self;
        let tree = scene.tree;
        let retained = |rank| tree.retained(rank);
        let mut points = Vec::new();
        let mut crowds = Vec::new();
        if let Some(growth) = &self.growth {
            points.extend(holders::points(scene, |rank| growth.of(rank), self.floor));
            let whole = holders::shared(scene, retained, scene.floor);
            let grown = holders::shared(scene, |rank| growth.of(rank), self.floor);
            // With those that have not grown, where these are no larger crowd.
            crowds.extend(grown.into_iter().map(|of| {
                let all = whole.iter().find(|all| all.group == of.group);
                all.filter(|all| all.ranks.len() <= of.ranks.len() * 3).cloned().unwrap_or(of)
            }));
        }
        points.extend(grown.points);
        points.extend(holders::points(scene, retained, scene.floor));
        crowds.extend(holders::shared(scene, retained, scene.floor));
        let mut seen = Vec::new();
        crowds.retain(|of: &Shared| {
            let new = !seen.contains(&of.group);
            seen.push(of.group);
            new
        });
        let holders = self.holders_of(&crowds)?;
        let tables = bare_tables(scene)?;
        let locals = self.locals(scene.floor);
        Ok(Plan { points, crowds, holders, tables, locals, waste: Vec::new(), others: grown.others })
    }

    /// Whether what has grown is found by the names of places, since objects cannot be known again.
    pub(super) fn needs_names(&self) -> bool {
        self.growth.is_none() && !self.earlier.is_empty()
    }

    /// The nodes to which a plan needs the ways.
    pub(super) fn targets(&self, plan: &Plan) -> BitSet {
        let Self { scene, .. } = self;
        let tree = scene.tree;
        let mut targets = BitSet::new(scene.nodes());
        let mut want = |node: u32| {
            if node < scene.nodes() {
                targets.insert(node);
            }
        };
        for point in &plan.points {
            want(tree.node(point.rank));
            self.next_of(point).into_iter().for_each(|rank| want(tree.node(rank)));
        }
        for draft in &plan.waste {
            want(draft.node);
        }
        plan.tables.iter().copied().for_each(&mut want);
        plan.locals.iter().flat_map(Local::nodes).for_each(&mut want);
        for (of, holders) in plan.crowds.iter().zip(&plan.holders) {
            holders.iter().copied().for_each(&mut want);
            samples(&of.ranks).for_each(|rank| want(tree.node(rank)));
        }
        targets
    }

    /// The nodes of which rows of a plan ask for fields, beside those on the ways.
    pub(super) fn asked(&self, plan: &Plan) -> Result<Vec<u32>> {
        let mut asked = Vec::new();
        for point in &plan.points {
            asked.extend(self.asked_within(point.rank, &items::below(self.scene, point.rank, point.links)?)?);
        }
        Ok(asked)
    }

    /// Rows of places, unordered; and of waste.
    pub(super) fn rows(&self, plan: Plan) -> Result<Vec<Suspect>> {
        let Self { scene, .. } = self;
        let names = Names::new(scene.naming, &self.targets(&plan))?;
        let Plan { points, crowds, holders, tables, locals, waste, mut others } = plan;
        let mut rows: Vec<Row> = Vec::new();
        let mut named: Vec<&Local> = Vec::new();
        let come = |rank: u32| self.growth.as_ref().is_some_and(|growth| growth.is_new(rank));
        for local in &locals {
            if let Some(name) = self.name_of_local(local, &names)?
                && !self.is_of_crowd((local, &name), &crowds)?
            {
                merge(scene, &mut rows, self.row_of_local(local, name)?, come);
                named.push(local);
            }
        }
        for point in points.iter().filter(|point| !self.is_of_locals(point.rank, &named)) {
            if let Some(row) = self.row_of(point, &names, true)? {
                merge(scene, &mut rows, row, come);
            }
        }
        for (of, holders) in crowds.iter().zip(&holders) {
            if self.has_locals(&of.ranks, of.bytes, &named) {
                continue;
            }
            if let Some(row) = self.row_of_crowd(of, (holders, &tables), &names)? {
                merge(scene, &mut rows, row, come);
            }
        }
        // One row of what is perhaps in a table, and none of the table.
        let guessed: Vec<String> =
            rows.iter().filter_map(|row| row.name.text.strip_prefix(PERHAPS).map(str::to_owned)).collect();
        rows.retain(|row| row.crowd || row.items.own || !guessed.contains(&row.name.text));
        if self.needs_names() {
            for row in rows.iter().filter(|row| !row.crowd && row.ranks.len() == 1) {
                others.add(&row.kind(scene)?, &row.keys);
            }
        }
        let rows = self.apart(rows, (&names, &others))?;
        let dependent = if scene.weak.is_empty() {
            BitSet::default()
        } else {
            scene.dependent(rows.iter().flat_map(|(row, _)| row.ranks.iter().copied()))?
        };
        let with_name = |row: &&Row| row.name.named && !row.name.text.is_empty();
        let places: Vec<(Vec<u32>, Name)> = rows
            .iter()
            .filter(|of| with_name(&&of.0))
            .map(|(row, _)| (row.ranks.clone(), row.name.clone()))
            .collect();
        let mut suspects: Vec<Suspect> = rows
            .into_iter()
            .map(|(row, figures)| self.suspect(row, figures, &dependent))
            .collect::<Result<_>>()?;
        self.raise(&mut suspects);
        for draft in waste {
            suspects.extend(self.wasted(draft, &names, &places)?);
        }
        Ok(suspects)
    }

    /// The objects that hold each crowd; none for texts and code, which everything refers to.
    fn holders_of(&self, crowds: &[Shared]) -> Result<Vec<Vec<u32>>> {
        let scene = self.scene;
        let is_payload = |of: &&Shared| {
            let node = scene.tree.node(of.ranks[0]);
            matches!(scene.own().sort(node), Sort::Object | Sort::Closure)
        };
        let looked: Vec<Shared> = crowds.iter().filter(is_payload).take(LOOKED_FOR).cloned().collect();
        let mut found = if looked.is_empty() { Vec::new() } else { holders::holders(scene, &looked)? };
        let mut of = |group: u64| {
            let at = looked.iter().position(|of| of.group == group)?;
            Some(std::mem::take(&mut found[at]))
        };
        Ok(crowds.iter().map(|crowd| of(crowd.group).unwrap_or_default()).collect())
    }

    /// Of a list, the second link.
    pub(super) fn next_of(&self, point: &Point) -> Option<u32> {
        let group = point.links.filter(|&of| self.scene.group(self.scene.tree.node(point.rank)) == of)?;
        holders::next_link(self.scene, point.rank, group)
    }

    /// The row of a place; `None` if no root leads to it, or nothing can be said of it. `within`: of a field of the few objects
    /// that it holds, if that has nearly all.
    pub(super) fn row_of(&self, point: &Point, names: &Names<'_>, within: bool) -> Result<Option<Row>> {
        let scene = self.scene;
        let tree = scene.tree;
        let mut at = point.rank;
        let Some(mut name) = names.name(tree.node(at))? else { return Ok(None) };
        let is_inside = |above: u32, at: u32| {
            tree.rank(above).is_some_and(|above| (above..tree.end(above)).contains(&at))
        };
        // Where the first link has only the name of what else leads to it, such as a table of the newest, the list is that behind.
        if !is_inside(name.node, at)
            && let Some(next) = self.next_of(point)
            && let Some(found) = names.name(tree.node(next))?
            && found.node == tree.node(next)
        {
            (at, name) = (next, found);
        }
        let node = tree.node(at);
        if let Some(class) = class_around(scene, &name, at)
            && let Some(found) = names.name(class)?
        {
            name = found;
        }
        if !point.apart.is_empty() {
            return self.row_of_rest(point, name);
        }
        // What has a name of the runtime's only is no holder of a small part of it; nor is a thread, which has its stack, too.
        let is_thread = scene.own().is_thread(name.node);
        let most = |above: u32| {
            let whole = tree.rank(above).map_or(0, |rank| tree.retained(rank));
            let bytes = tree.retained(at);
            if is_thread { bytes >= whole / 10 * 9 } else { name.named || bytes.saturating_mul(2) >= whole }
        };
        let is_holder = is_inside(name.node, at) && !scene.is_root(name.node) && most(name.node);
        let holder = if is_holder { name.node } else { node };
        if holder != node
            && !self.earlier.is_empty()
            && scene.clues.has_identity()
            && let Some(part) = self.part_without_name(&name, (holder, at), names)?
        {
            name = part;
        }
        let holder = if name.node == node { node } else { holder };
        let rank = self.content(tree.rank(holder).unwrap_or(at));
        let holder = tree.node(rank);
        let mut items = items::below(scene, rank, point.links)?;
        if let (Some(growth), None) = (&self.growth, point.links) {
            items =
                came::that_came(scene, rank, items, (growth.new_below(rank), |rank| growth.is_new(rank)))?;
        }
        if let Some(parent) = self.parent_of_siblings(&name, holder, &items)?
            && let Some(name) = names.name(parent)?
        {
            // Which of them holds the others is an accident, and the dump may not have them below their parent.
            let mut ranks: Vec<u32> = items.nodes.iter().filter_map(|&node| tree.rank(node)).collect();
            ranks.sort_unstable();
            let (rank, keys) = (ranks[0], vec![self.key(NAMELESS, &name, (parent, &items))?]);
            return Ok(Some(Row::new((rank, ranks), (parent, name), items, keys)));
        }
        // A thread is a name by itself, which says nothing of one that has hardly more than its stack.
        name.named &= !(is_thread && holder == name.node && items.holds.is_empty() && !items.own);
        let keys = vec![self.key(NAMELESS, &name, (holder, &items))?];
        if within
            && point.links.is_none()
            && let Some(inner) = self.within(rank, &items, Among::Key(&keys[0]))?
        {
            self.name_within(&mut name, (holder, &items), &inner)?;
            if self.needs_names() {
                // Found again by the name of the holder, it is what is measured.
                let kind = Some(kind_of(&scene.class(holder)?, &items));
                let row = Row::new((rank, vec![rank]), (holder, name), inner.items, keys);
                return Ok(Some(Row { kind, ..row }));
            }
            let (first, keys) = (inner.ranks[0], vec![name.text.clone()]);
            let holder = (tree.node(first), name);
            return Ok(Some(Row::new((first, inner.ranks), holder, inner.items, keys)));
        }
        if holder == node || scene.own().is_own_scope(holder) {
            self.list(&mut name, holder, &items)?;
        }
        Ok(Some(Row::new((rank, vec![rank]), (holder, name), items, keys)))
    }

    /// By what a holder is found again in an earlier dump: its name, if it has one.
    fn key(&self, kind: &str, name: &Name, (holder, items): (u32, &Items)) -> Result<String> {
        if kind == REST && !name.text.is_empty() {
            return Ok(format!("{REST}{}", name.text));
        }
        if !name.text.is_empty() {
            return self.key_of_name(name, holder);
        }
        let class = items.holds.first().map_or("", |of| of.class.as_str());
        Ok(format!("{kind}{}\0{class}", self.scene.class(holder)?))
    }

    /// The same of a place with a name: with its class, where it is a variable of which the dump has no name.
    pub(super) fn key_of_name(&self, name: &Name, holder: u32) -> Result<String> {
        Ok(match variable_without_name(&name.steps, holder) {
            Some(_) => format!("{}\0{}", name.text, self.scene.class(holder)?),
            None => name.text.clone(),
        })
    }

    /// The name of what a rank has, if that is one of several large things that the object with a name has in fields without:
    /// each has its own history.
    fn part_without_name(
        &self,
        name: &Name,
        (holder, rank): (u32, u32),
        names: &Names<'_>,
    ) -> Result<Option<Name>> {
        let (tree, node) = (self.scene.tree, self.scene.tree.node(rank));
        let whole = tree.rank(holder).map_or(0, |rank| tree.retained(rank));
        if whole.saturating_sub(tree.retained(rank)) < self.scene.floor {
            return Ok(None);
        }
        let Some(steps) = names.steps(node)? else { return Ok(None) };
        let last = name.steps.len();
        let is_behind = last > 0 && steps.get(last - 1).is_some_and(|step| step.node == holder);
        let behind = steps.get(last..).filter(|_| is_behind).unwrap_or_default();
        let is_bare = |step: &Step| step.label.is_empty() && step.way != Way::Element;
        let is_part = !behind.is_empty() && behind.iter().all(is_bare);
        Ok(is_part.then(|| Name { node, steps, ..name.clone() }))
    }

    /// The object that is nearly all of what a rank holds, if that is only what a value stands in, such as an entry of a table.
    pub(super) fn content(&self, mut rank: u32) -> u32 {
        let (tree, own) = (self.scene.tree, self.scene.own());
        // Scopes, of which no function may be left, are no entries.
        let is_entry = |node| own.sort(node) == Sort::Object && own.is_cell(node) && !own.has_scripts();
        while is_entry(tree.node(rank)) {
            let least = tree.retained(rank) / 10 * 9;
            let is_content =
                |&child: &u32| own.sort(tree.node(child)) == Sort::Object && tree.retained(child) >= least;
            let Some(child) = tree.children(rank).find(is_content) else { break };
            rank = child;
        }
        rank
    }

    /// The row of what places further down leave over: only of many objects of one class.
    fn row_of_rest(&self, point: &Point, mut name: Name) -> Result<Option<Row>> {
        let scene = self.scene;
        let node = scene.tree.node(point.rank);
        let mut ranks = items::fan(scene, point.rank, &point.apart);
        ranks.retain(|&rank| scene.tree.retained(rank) < scene.floor);
        ranks.sort_unstable();
        if ranks.is_empty() {
            return Ok(None);
        }
        let items = items::of(scene, &ranks[..1], &ranks)?;
        if items
            .holds
            .first()
            .is_none_or(|of| (of.count as usize) < holders::MANY || of.retained < scene.floor)
        {
            return Ok(None);
        }
        let keys = vec![self.key(REST, &name, (node, &items))?];
        self.list(&mut name, node, &items)?;
        let row = Row::new((ranks[0], ranks), (node, name), items, keys);
        Ok(Some(Row { crowd: true, ..row }))
    }

    /// The row of what hangs directly below the roots, held by `holders`, or perhaps in one of the `tables` whose contents the
    /// dump lacks.
    fn row_of_crowd(
        &self,
        of: &Shared,
        (holders, tables): (&[u32], &[u32]),
        names: &Names<'_>,
    ) -> Result<Option<Row>> {
        let scene = self.scene;
        let tree = scene.tree;
        let mut items = items::of(scene, &of.ranks[..1], &of.ranks)?;
        let mut name = Name { node: tree.node(of.ranks[0]), ..Name::default() };
        let (mut texts, mut starts): (Vec<String>, Vec<u32>) = Default::default();
        // What only a member of the crowd leads to, such as the group of all threads, is no place that it has.
        let is_member =
            |step: &Step| tree.rank(step.node).is_some_and(|at| of.ranks.binary_search(&at).is_ok());
        for &holder in holders {
            let Some(found) = names.name(holder)? else { continue };
            if found.steps.iter().any(is_member) {
                continue;
            }
            if found.named && !texts.contains(&found.text) {
                if texts.is_empty() {
                    name = found.clone();
                }
                starts.push(found.node);
                texts.push(found.text);
            }
        }
        if texts.is_empty() {
            if let Some(found) = common(scene, of, names)? {
                starts.push(found.node);
                name = found;
            } else if let Some(found) = table_of(scene, of, tables, names)? {
                name = found;
            } else if items.own
                && let Some(root) =
                    root_of(scene, of)?.map_or_else(|| reason_of(scene, of, names), |of| Ok(Some(of)))?
            {
                name.text = root;
            } else if let Some(field) = field_of(scene, holders, names)? {
                name.text = field;
            }
        } else {
            name.text = texts.join(", ");
        }
        let is_thing = |&node: &u32| scene.own().sort(node) == Sort::Object && !scene.own().is_own(node);
        let may_stray =
            !starts.is_empty() && items.behind.is_none() && items.nodes.first().is_some_and(is_thing);
        if let Some(held) = items.holds.first_mut().filter(|_| may_stray) {
            held.count = held.count.saturating_sub(strays(scene, of, &starts)?);
        }
        let holder = name.node;
        let keys = vec![key_of_crowd(&items)];
        let row = Row::new((of.ranks[0], of.ranks.clone()), (holder, name), items, keys);
        Ok(Some(Row { crowd: true, ..row }))
    }

    /// A row with its figures; `dependent` as [`Scene::dependent`] has it for all rows.
    fn suspect(&self, row: Row, figures: Figures, dependent: &BitSet) -> Result<Suspect> {
        let scene = self.scene;
        let (tree, loaded) = (scene.tree, scene.loaded);
        let Figures { history, kept, names_then, less } = figures;
        let Row { ranks, holder, name, mut items, crowd, keys, others, kind: inside_of, .. } = row;
        let sum = |of: &dyn Fn(u32) -> u64| {
            let all = |ranks: &[u32]| cells::sum(ranks.iter().map(|&rank| of(rank)));
            all(&ranks).saturating_sub(all(&less))
        };
        let weight = sum(&|rank| tree.retained(rank));
        let external = sum(&|rank| scene.outside(rank));
        let growth = history.first().map(|&first| change(weight, first));
        if let ([rank], false, Some(growth @ 1..)) = (&ranks[..], crowd, growth)
            && self.needs_names()
            && inside_of.is_none()
        {
            let keys = names_then.first().map_or(&keys[..], std::slice::from_ref);
            items = self.that_came_by_number(*rank, items, (keys, growth as u64))?;
        }
        let (id, piled, in_few) = (loaded.id(holder), items.piled(), items.in_few);
        let inside = items.many.map(|(node, _)| node).or(in_few);
        let turnover = match &self.growth {
            Some(growth) => sum(&|rank| growth.turnover(rank)),
            None => 0,
        };
        let grows = growth.is_some_and(|growth| growth > 0 && growth as u64 >= self.floor);
        let mut course = growth.map(|_| course_of(&history));
        if course == Some(Course::Slowing)
            && !crowd
            && let (Some(of), [rank], Some(&first)) = (&self.growth, &ranks[..], items.nodes.first())
            && let Some(numbers) = of.numbers(loaded, tree, (*rank, first))?
            && goes_on(&numbers)
        {
            // A table that doubled in an early step has slowed down, but not what is in it.
            course = Some(Course::Steady);
        }
        let kind = match scene.own().sort(tree.node(ranks[0])) {
            _ if grows => Kind::Growth,
            Sort::Closure if crowd => Kind::Closures,
            _ if crowd => Kind::Class,
            _ => Kind::Accumulation,
        };
        let allocated = match items.holds.first() {
            Some(first) => allocated(scene, items.nodes.iter().copied(), &first.class)?,
            None => None,
        };
        let has_class = crowd || ranks.len() == 1;
        let place = if has_class { name.text.clone() } else { self.with_class(&name, holder)? };
        let mut suspect = Suspect {
            kind,
            level: Level::Note,
            id: (!crowd && ranks.len() == 1 && inside_of.is_none()).then(|| (id, loaded.number(holder))),
            class: if crowd {
                items.holds.first().map_or(String::new(), |of| of.class.clone())
            } else {
                loaded.class(holder)?
            },
            retained: weight.saturating_sub(external),
            external,
            share: scene.share(weight),
            growth,
            history,
            course,
            turnover,
            place: if others > 0 { format!("{} and {others} more", name.text) } else { place },
            path: path(scene, &name.steps)?,
            holds: items.holds,
            behind: items.behind,
            allocated,
            certain: name.certain,
            runtime: !name.named && !items.own,
            left_over: false,
            unseen: Unseen::Nothing,
            site: None,
        };
        let level =
            |only_comes| self.level(&suspect, crowd, (name.named, items.own), (&items.nodes, only_comes));
        let mut found = level(false);
        if found != Level::Leak && suspect.kind == Kind::Growth && suspect.course == Some(Course::Steady) {
            let only_comes = if self.needs_names() {
                let things = (piled, &items.nodes[..], suspect.holds.first());
                self.all_stay((&keys, &names_then), (&ranks, things, crowd))?
            } else {
                self.only_comes(&suspect, (&ranks, &items.nodes))?
            };
            found = if only_comes { level(true) } else { found };
        }
        suspect.level = found;
        if suspect.level == Level::Leak
            && (scene.is_soft(&ranks)
                || self.is_exchanged((&ranks, &items.nodes), (piled, in_few), kept, &suspect.history)?
                || self.is_renewed(
                    (&keys, &names_then),
                    (&ranks, (piled, &items.nodes, suspect.holds.first()), crowd),
                    &suspect.history,
                )?)
        {
            // A queue that nobody can keep up with looks like that, too; what is soft goes before memory does.
            suspect.level = Level::Large;
        }
        if let Some(&first) = items.nodes.first()
            && crowd
            && suspect.place.is_empty()
            && suspect.behind.is_none()
            && scene.own().is_own(first)
        {
            // Nothing else says where to look.
            let made = scene.own().class_with_place(first)?;
            suspect.behind = Some(made).filter(|made| *made != suspect.class);
        }
        let sizes = (suspect.growth.map_or(0, i64::unsigned_abs), turnover);
        if suspect.level == Level::Leak {
            let few = match suspect.holds.first() {
                Some(held) => self.few_more(
                    (&ranks, &items.nodes, inside),
                    (names_then.first().map_or(&keys[..], std::slice::from_ref), held),
                    (weight, sizes.0),
                )?,
                None => None,
            };
            suspect.level = match few {
                // One more from dump to dump.
                Some(more) if more <= self.earlier.len() as u64 && self.is_little(sizes.0) => Level::Note,
                _ if self.is_late_code(&ranks, &items.nodes, sizes) => Level::Note,
                Some(_) => Level::Large,
                None if !items.in_chunks && self.has_limit(&items.nodes)? => Level::Large,
                None => Level::Leak,
            };
        }
        if !scene.weak.is_empty()
            && less.is_empty()
            && suspect.level != Level::Note
            && let Some((weight, external)) = scene.removed(&ranks, dependent)?
        {
            // The tree does not have all that goes with a table or a key. History stays that of the trees of all dumps.
            suspect.retained = weight.saturating_sub(external);
            suspect.external = external;
            suspect.share = scene.share(weight);
        }
        Ok(suspect)
    }

    /// The name of a holder that no step has a name for, with its class, where the row says no class beside it.
    fn with_class(&self, name: &Name, holder: u32) -> Result<String> {
        let own = self.scene.own();
        let is_unnamed = |step: &Step| step.node == holder && step.edge.is_some() && step.label.is_empty();
        let is_bare = name.named && !name.text.contains(['.', '{', '[', '(', ',']);
        if is_bare
            && name.steps.last().is_some_and(is_unnamed)
            && own.sort(holder) == Sort::Object
            && own.is_own(holder)
        {
            let class = self.scene.loaded.class(holder)?;
            if class != name.text {
                return Ok(format!("{}…{}", name.text, without_package(&class)));
            }
        }
        Ok(name.text.clone())
    }

    /// A row of waste; `places` are those of other rows, with what each holds.
    fn wasted(
        &self,
        draft: Draft,
        names: &Names<'_>,
        places: &[(Vec<u32>, Name)],
    ) -> Result<Option<Suspect>> {
        let scene = self.scene;
        let Some(name) = names.name(draft.node)? else { return Ok(None) };
        let Some(steps) = names.steps(draft.node)? else { return Ok(None) };
        let itself = matches!(draft.kind, Kind::Sparse | Kind::Destroyed);
        let whole = if itself { name } else { names.whole(steps)? };
        let class = match draft.class {
            Some(class) => class,
            None => scene.loaded.class(whole.node)?,
        };
        let share = scene.share(draft.retained.plus(draft.external));
        // An element to which only the page itself has a way may go with what a row has.
        let around = |of: &&(Vec<u32>, Name)| {
            let (tree, at) = (scene.tree, scene.tree.rank(draft.node));
            at.is_some_and(|at| of.0.iter().any(|&rank| (rank..tree.end(rank)).contains(&at)))
        };
        let nameless = draft.kind == Kind::Detached && whole.text == class;
        let place = places.iter().find(|of| nameless && around(of)).map_or(&whole, |of| &of.1);
        Ok(Some(Suspect {
            kind: draft.kind,
            // What nobody knows to be waste is none.
            level: if draft.unseen == Unseen::Ends { Level::Note } else { Level::Waste },
            id: Some((scene.loaded.id(whole.node), scene.loaded.number(whole.node))),
            class,
            retained: draft.retained,
            external: draft.external,
            share,
            growth: None,
            history: Vec::new(),
            course: None,
            turnover: 0,
            path: path(scene, &place.steps)?,
            place: place.text.clone(),
            holds: draft.holds,
            behind: None,
            allocated: None,
            certain: true,
            runtime: false,
            left_over: false,
            unseen: draft.unseen,
            site: None,
        }))
    }

    /// What the heap has grown by.
    pub(super) fn grown(&self) -> i64 {
        self.grown
    }

    /// Bytes of growth from which something is worth a row.
    pub(super) fn floor(&self) -> u64 {
        self.floor
    }

    /// Whether the first dump lacks the node of a rank; of all where nobody knows.
    pub(super) fn is_new(&self, rank: u32) -> bool {
        self.growth.as_ref().is_none_or(|growth| growth.is_new(rank))
    }
}

/// In front of the class of what hangs directly below the roots, where places are remembered.
pub(super) const CLASS: &str = "class:";

/// In front of the classes of a holder that has no name and of what it holds, and of one whose large parts are rows of their own.
const NAMELESS: &str = "holder:";
pub(super) const REST: &str = "rest:";

/// By what a crowd below the roots is found again in an earlier dump.
fn key_of_crowd(items: &Items) -> String {
    let class = items.holds.first().map_or("", |of| of.class.as_str());
    format!("{CLASS}{class}")
}

/// A place with its name.
#[derive(Clone)]
pub(super) struct Row {
    pub(super) rank: u32,
    /// What is measured: the holder, or the members of a crowd.
    pub(super) ranks: Vec<u32>,
    pub(super) holder: u32,
    pub(super) name: Name,
    pub(super) items: Items,
    pub(super) crowd: bool,
    /// By what it is found again in a dump whose objects have other identifiers: names of places.
    pub(super) keys: Vec<String>,
    /// So many places of the runtime's hold the same.
    pub(super) others: usize,
    /// If it speaks of what is in the containers of a holder that is found again by its name: the [kind](kind_of) of that.
    pub(super) kind: Option<String>,
}

impl Row {
    pub(super) fn new(
        (rank, ranks): (u32, Vec<u32>),
        (holder, name): (u32, Name),
        items: Items,
        keys: Vec<String>,
    ) -> Self {
        Self { rank, ranks, holder, name, items, crowd: false, keys, others: 0, kind: None }
    }

    pub(super) fn kind(&self, scene: &Scene<'_>) -> Result<String> {
        self.kind.clone().map_or_else(|| Ok(kind_of(&scene.class(self.holder)?, &self.items)), Ok)
    }
}

/// The steps of a way as rows have them; repeats of up to four steps are there once, with how often they come.
pub(super) fn path(scene: &Scene<'_>, steps: &[Step]) -> Result<Vec<PathStep>> {
    let loaded = scene.loaded;
    let all = steps.iter().map(|step| {
        Ok(PathStep {
            label: step.edge.is_some().then(|| step.label.clone()),
            kind: step.edge.map(|edge| loaded.kind(edge)).transpose()?.flatten(),
            id: loaded.id(step.node),
            number: loaded.number(step.node),
            class: loaded.class(step.node)?,
            name: loaded.name(step.node)?,
            size: loaded.heap.sizes.get(step.node),
            source: None,
        })
    });
    let all: Vec<PathStep> = all.collect::<Result<_>>()?;
    let same = |a: &PathStep, b: &PathStep| bare(&a.class) == bare(&b.class) && a.label == b.label;
    let mut out: Vec<PathStep> = Vec::new();
    for step in all {
        let repeats = (1..=4).any(|length| {
            out.len() >= 2 * length && {
                let at = out.len() - length;
                same(&out[at], &step) && (0..length).all(|i| same(&out[at - length + i], &out[at + i]))
            }
        });
        if !repeats {
            out.push(step);
        }
    }
    if out.len() > STEPS {
        let last = out.split_off(out.len() - STEPS / 2);
        out.truncate(STEPS / 2);
        out.extend(last);
    }
    Ok(out)
}
