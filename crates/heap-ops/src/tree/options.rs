//! What is asked of a tree, and what to make and to show for it.

use super::{Axis, TableSpec, View};
use heap_base::Cutoff;

/// What is asked of a tree.
#[derive(Clone, Copy, Debug, Default)]
pub struct TreeOptions {
    /// What it is broken down by.
    pub axes: Axes,
    /// Which children are kept.
    pub cut: Option<Cutoff>,
    /// The deepest level shown.
    pub depth: Option<u32>,
    /// `<self>` in trees of two axes too.
    pub selves: bool,
    /// `<other>` outside tables too.
    pub others: bool,
}

/// What a tree is broken down by: positions, types, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Axes {
    /// What its positions are.
    pub axis: Axis,
    /// True if types are separate.
    pub types: bool,
}

impl Axes {
    /// The axes of these names, parted by a comma, in either order.
    pub fn named(names: &str) -> Option<Self> {
        let (axis, types) = match names {
            "dom" => (Axis::Dom, false),
            "frame" => (Axis::Frame, false),
            "class" => (Axis::None, true),
            "dom,class" | "class,dom" => (Axis::Dom, true),
            "frame,class" | "class,frame" => (Axis::Frame, true),
            _ => return None,
        };
        Some(Self { axis, types })
    }
}

/// What to make of a dump and what to show of that.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// What to make.
    pub spec: TableSpec,
    /// What to show.
    pub view: View,
    /// True if the depth is the default.
    usual_depth: bool,
}

impl TreeOptions {
    /// The spec and the view that follow from them. A table shows less, and names what it leaves out.
    pub fn plan(&self, table: bool) -> Plan {
        let Axes { axis, types } = self.axes;
        let positions = axis != Axis::None;
        let view = View {
            cut: self.cut.unwrap_or(if table { Cutoff::Total(1, 100) } else { Cutoff::None }),
            depth: match self.depth {
                _ if !positions => 0,
                Some(depth) => depth,
                None if table => 20,
                None => 200,
            },
            positions,
            types,
            once: !table,
            others: table || self.others,
        };
        let spec = TableSpec {
            axis,
            types,
            selves: positions && (self.selves || !types),
            cut: view.cut,
            // One more, to know where there is something deeper.
            depth: view.depth.saturating_add(1),
            labels: table && axis == Axis::Dom && !types,
            stacks: false,
        };
        Plan { spec, view, usual_depth: self.depth.is_none() }
    }
}

impl Plan {
    /// What to say where a tree is deeper than its view. Nothing if that is what was asked for, or if `<other>` stands
    /// for what is deeper.
    pub fn too_deep(&self) -> Option<String> {
        let View { depth, others, .. } = self.view;
        let silent = !self.usual_depth || others;
        (!silent).then(|| format!("there are more than {depth} levels: --depth N shows more"))
    }
}
