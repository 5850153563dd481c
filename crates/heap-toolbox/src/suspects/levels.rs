//! What a row is worth.

use super::common::PERHAPS;
use super::finder::Finder;
use super::{Course, Kind, Level, Suspect, holders};
use crate::cells;
use heap_base::{Plus, Result};
use heap_ops::place::{Sort, is_inner, is_plain};

/// What has grown by this part of code alone has not grown by what the program keeps.
const MOST_CODE: f64 = 0.7;
/// The runtime's own is large from this part of the heap on, if it is most of what grows.
const MOST: f64 = 0.05;
/// What is large: a part of the heap, and bytes.
const LARGE: f64 = 0.1;
const LARGE_BYTES: u64 = 512 << 10;
/// Of what a row speaks of, one of so many that has come is a good part.
const CAME: usize = 3;
/// What a place has exchanged is next to nothing if so many times as much is no more than what it has grown by.
const EXCHANGED: u64 = 20;
/// So many functions of one name are no part of the program itself any more.
const FUNCTIONS: u64 = 10;

impl Finder<'_> {
    /// Of objects of the runtime's that pile up and together are most of what grows, such as connections with their parsers,
    /// the row with the most says so.
    pub(super) fn raise(&self, suspects: &mut [Suspect]) {
        let piles = |row: &&mut Suspect| {
            let goes_on = matches!(row.course, Some(Course::Steady | Course::Grown));
            let is_runtimes = row.runtime || row.id.is_none();
            row.level == Level::Note && is_runtimes && goes_on && is_many(row)
        };
        let mut rows: Vec<&mut Suspect> = suspects.iter_mut().filter(piles).collect();
        let growth = |row: &Suspect| row.growth.unwrap_or(0);
        let all = cells::sum_of_changes(rows.iter().map(|row| growth(row)));
        let is_most = |growth: i64| growth.saturating_mul(2) >= self.grown();
        let most = rows.iter_mut().max_by_key(|row| growth(row));
        if let Some(most) = most.filter(|row| is_most(all) && self.is_pile(row)) {
            most.level = most.level.min(Level::Large);
        }
    }

    /// Whether a row of the runtime's things is a [pile](Self::is_pile) that is most of what the heap has grown by.
    fn is_most(&self, row: &Suspect) -> bool {
        let is_runtimes = row.runtime || row.id.is_none();
        is_runtimes
            && is_many(row)
            && self.is_pile(row)
            && row.growth.is_some_and(|growth| growth.saturating_mul(2) >= self.grown())
    }

    /// Whether a row has grown by much of what it was, to much of the heap.
    fn is_pile(&self, row: &Suspect) -> bool {
        let before = row.history.first().copied().unwrap_or(0);
        let grows = row.growth.is_some_and(|growth| row.kind == Kind::Growth && growth as u64 >= before / 4);
        grows && row.bytes() as f64 >= self.scene.total as f64 * MOST
    }

    /// Whether many of the things of a row are new, and next to nothing has gone from it. Where a table is copied to become larger,
    /// the things say so. O(ranks below it).
    pub(super) fn only_comes(&self, row: &Suspect, (ranks, items): (&[u32], &[u32])) -> Result<bool> {
        let scene = self.scene;
        let (Some(growth), Some(&first)) = (&self.growth, items.first()) else { return Ok(false) };
        let is_new = |&&node: &&u32| scene.tree.rank(node).is_some_and(|rank| growth.is_new(rank));
        if row.kind != Kind::Growth || items.iter().filter(is_new).count() < holders::MANY {
            return Ok(false);
        }
        if is_trifle(row.turnover, row.growth.unwrap_or(0).max(0) as u64) {
            return Ok(true);
        }
        Ok(match ranks {
            &[_] => growth
                .most_gone(scene.loaded, scene.tree, (ranks, first))?
                .is_some_and(|(gone, more)| is_trifle(gone, more)),
            _ => false,
        })
    }

    /// Whether so many bytes are little beside the heap.
    pub(super) fn is_little(&self, bytes: u64) -> bool {
        (bytes as f64) < self.scene.total as f64 * MOST
    }

    /// Whether what a place holds is all old, and what is new below it is mostly the machine's: functions that became hot. Or
    /// nearly all are functions of before, and much of what they had has been exchanged: they are made ready when first called.
    pub(super) fn is_late_code(
        &self,
        ranks: &[u32],
        items: &[u32],
        (growth_of, turnover): (u64, u64),
    ) -> bool {
        let scene = self.scene;
        let Some(growth) = &self.growth else { return false };
        let is_new = |&&node: &&u32| scene.tree.rank(node).is_some_and(|rank| growth.is_new(rank));
        let new = items.iter().filter(is_new).count();
        let are_functions = items.first().is_some_and(|&node| scene.own().sort(node) == Sort::Closure);
        if are_functions
            && items.len() >= holders::MANY
            && new * 5 <= items.len()
            && turnover >= growth_of / 2
        {
            return true;
        }
        if new * 10 > items.len() {
            return false;
        }
        let (mut all, mut code) = (0u64, 0u64);
        for rank in
            ranks.iter().flat_map(|&rank| rank..scene.tree.end(rank)).filter(|&rank| growth.is_new(rank))
        {
            let node = scene.tree.node(rank);
            let bytes = scene.weights.get(node);
            all = all.plus(bytes);
            if scene.own().sort(node) == Sort::Code {
                code = code.plus(bytes);
            }
        }
        // What is only larger than before has nothing new.
        all > 0 && code as f64 >= all as f64 * MOST_CODE
    }

    /// Whether a class is that of a global object that has what its machine gives all programs.
    fn is_global(&self, class: &str) -> bool {
        self.scene.clues.globals.iter().any(|of| of == class)
    }

    /// Whether such an object has the holder of a row as a part of its own, by no name.
    fn is_behind_global(&self, row: &Suspect) -> bool {
        let mut steps = row.path.windows(2);
        steps.any(|pair| self.is_global(&pair[0].class) && pair[1].label.as_deref().is_none_or(str::is_empty))
    }

    /// What a row says of the program: `named` if a name of the program leads to its holder, `own` if `items`, which it holds, are
    /// the program's, `only_comes` if next to nothing has gone from it.
    pub(super) fn level(
        &self,
        row: &Suspect,
        crowd: bool,
        (named, own): (bool, bool),
        (items, only_comes): (&[u32], bool),
    ) -> Level {
        let scene = self.scene;
        let weight = row.retained.plus(row.external);
        // Without a holder, of a class that says what they are.
        let is_thing = |&node: &u32| scene.own().sort(node) == Sort::Object && !scene.own().is_cell(node);
        let is_kind = !is_plain(&row.class) && items.first().is_some_and(is_thing);
        // What the machine has a way to as well, such as timers and open files, piles up where the program keeps it.
        let is_engines = scene.own().has_scripts() && is_inner(&row.class);
        let is_kept = named && is_kind && !is_engines && !row.place.starts_with(PERHAPS);
        let programs = own || if crowd { is_kept } else { named };
        let large = (scene.total as f64 * LARGE) as u64;
        let large = large.max(LARGE_BYTES.min(scene.total / 4));
        // A few functions of a scope are the program, not what it keeps.
        let is_code =
            row.holds.first().is_some_and(|of| of.class.starts_with("(closure") && of.count < FUNCTIONS);
        // What nothing leads to by a name has to be more, unless a function with its line says what it is.
        let is_found = row.behind.as_deref().is_some_and(|behind| behind.ends_with(')'));
        let nameless = crowd && row.place.is_empty() && !is_found && weight < scene.total / 3;
        // Nor is what the machine itself has put into its global object, or keeps behind it without a name: functions, tables of
        // modules.
        let few = row.holds.first().is_none_or(|of| of.count < holders::MANY as u64);
        let is_machines = (self.is_global(&row.class) || self.is_behind_global(row)) && (!own || few);
        let is_large = programs && weight >= large.max(1) && !nameless && !is_code && !is_machines;
        let before = row.history.first().copied().unwrap_or(0);
        // Or by as many things as are a good part of all that it speaks of, beside others that are larger and of before.
        let have_come = || {
            let Some(growth) = &self.growth else { return false };
            let is_new = |&&node: &&u32| scene.tree.rank(node).is_some_and(|rank| growth.is_new(rank));
            items.len() >= holders::MANY && items.iter().filter(is_new).count() * CAME >= items.len()
        };
        let grows = row.growth.is_some_and(|growth| {
            row.kind == Kind::Growth
                && (growth as u64 >= before / 10 || growth > 0 && have_come() || only_comes)
        });
        let is_whole = row.growth.is_none() && weight >= scene.total / 2;
        // What is next to nothing beside the heap is a leak where nothing speaks against one.
        let is_small = row.growth.is_some_and(|growth| (growth as u64) < scene.floor)
            && self.growth.is_some()
            && !only_comes;
        if is_many(row) && !programs && is_whole && (!crowd || is_kind) {
            // Objects of the runtime's that the program lets pile up: most of all.
            return Level::Large;
        }
        if row.growth.is_none() {
            return if is_large { Level::Large } else { Level::Note };
        }
        match row.course {
            // Nor does a function that the runtime keeps without a name of the program's, with what it is given.
            Some(Course::Steady) if grows && programs && (named || !is_code) && !is_small => Level::Leak,
            // Things of the runtime's that are most of what the heap has grown by, and of which none ever goes.
            Some(Course::Steady) if only_comes && self.is_most(row) => Level::Leak,
            Some(Course::Grown) if grows && programs => Level::Large,
            _ if is_large => Level::Large,
            _ => Level::Note,
        }
    }
}

/// Whether what has gone is next to nothing beside what has come.
pub(super) fn is_trifle(gone: u64, come: u64) -> bool {
    gone.saturating_mul(EXCHANGED) <= come
}

/// Whether a row speaks of many objects or symbols, and not of functions, texts or code. A symbol's name may be larger than itself.
fn is_many(row: &Suspect) -> bool {
    let Some(first) = row.holds.first() else { return false };
    // Functions, as machines call them, are none.
    let is_thing = first.class != "Function" && !first.class.starts_with('(');
    let mut symbols = row.holds.iter().filter(|of| of.class.contains("symbol)"));
    first.count >= holders::MANY as u64 && (is_thing || symbols.any(|of| of.count >= first.count))
}
