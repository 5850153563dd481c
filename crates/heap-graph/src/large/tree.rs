//! A tree that grows from the top, and nearest common ancestors in it.

/// Parents by place. A parent has a smaller place than its children; tops are their own parents.
///
/// The nearest common ancestor is found by going up from the one of two places that is larger. Where trees are deep that
/// takes too long, so after a budget of steps there are skew-binary jump pointers, as in `nearest` of [`crate::dominators`].
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) up: Vec<u32>,
    jumps: Option<Jumps>,
    /// Steps that are left before jumps are made.
    budget: u64,
    /// Whether memory has room for them.
    has_room: bool,
    /// They are needed, and it has not.
    pub(super) lacks_room: bool,
}

#[derive(Debug)]
struct Jumps {
    depth: Vec<u32>,
    far: Vec<u32>,
}

impl Jumps {
    /// Makes the pointer of a place from those of its parent.
    #[inline]
    fn set(&mut self, place: u32, parent: u32) {
        let (place, d) = (place as usize, parent as usize);
        if place == d {
            (self.depth[place], self.far[place]) = (0, parent);
            return;
        }
        let far = self.far[d] as usize;
        self.depth[place] = self.depth[d] + 1;
        let equal = self.depth[d] - self.depth[far] == self.depth[far] - self.depth[self.far[far] as usize];
        self.far[place] = if equal { self.far[far] } else { parent };
    }
}

impl Tree {
    /// `places` tops, with so many steps each before there are jump pointers, if there is room for these.
    pub(super) fn new(places: u32, steps: u64, has_room: bool) -> Self {
        let budget = u64::from(places).saturating_mul(steps);
        Self { up: (0..places).collect(), jumps: None, budget, has_room, lacks_room: false }
    }

    /// Hangs `place` below `parent`; those before it have been hung.
    #[inline]
    pub(super) fn set(&mut self, place: u32, parent: u32) {
        self.up[place as usize] = parent;
        if let Some(jumps) = &mut self.jumps {
            jumps.set(place, parent);
        }
    }

    /// The nearest common ancestor of two places below one top.
    #[inline]
    pub(super) fn meet(&mut self, mut a: u32, mut b: u32) -> u32 {
        if let Some(jumps) = &self.jumps {
            return meet_by_jumps(&self.up, jumps, a, b);
        }
        let mut steps = 0;
        while a != b {
            if a < b {
                (a, b) = (b, a);
            }
            a = self.up[a as usize];
            steps += 1;
        }
        if self.budget > steps {
            self.budget -= steps;
        } else if self.has_room {
            self.jump();
        } else {
            self.lacks_room = true;
        }
        a
    }

    /// Gives the memory of jump pointers back.
    pub(super) fn forget_jumps(&mut self) {
        self.jumps = None;
    }

    /// Parents by place.
    pub(super) fn into_up(self) -> Vec<u32> {
        self.up
    }

    /// Makes the jump pointers.
    #[cold]
    fn jump(&mut self) {
        let places = self.up.len();
        let mut jumps = Jumps { depth: vec![0; places], far: vec![0; places] };
        for (place, &parent) in (0..).zip(&self.up) {
            jumps.set(place, parent);
        }
        self.jumps = Some(jumps);
    }
}

fn meet_by_jumps(up: &[u32], jumps: &Jumps, mut a: u32, mut b: u32) -> u32 {
    let depth = |place: u32| jumps.depth[place as usize];
    let far = |place: u32| jumps.far[place as usize];
    if depth(a) < depth(b) {
        (a, b) = (b, a);
    }
    while depth(a) > depth(b) {
        a = if depth(far(a)) >= depth(b) { far(a) } else { up[a as usize] };
    }
    while a != b {
        (a, b) = if far(a) == far(b) { (up[a as usize], up[b as usize]) } else { (far(a), far(b)) };
    }
    a
}
