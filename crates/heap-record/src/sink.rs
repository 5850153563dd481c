//! Where records go: one trait that writers, reports and transforms implement, and every source drives.

use std::any::Any;

use crate::batch::{EdgeBatch, NodeBatch};
use crate::model::{Declaration, Extension, Metadata, Str, Value};
use crate::wants::Wants;
use heap_base::{Error, Result};

/// Which edges from a node a source may skip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Skip {
    /// None.
    #[default]
    None,
    /// Those to some nodes; see [`EdgeFilter::skip_edges_to`].
    Some,
    /// All.
    All,
}

/// Which edges a sink has no use for. A source may skip them, and need not check closely what it skips.
pub trait EdgeFilter {
    /// Which edges from `source` to skip. Asked before the first of a run of edges from one node; holds for the run.
    fn skip_edges_of(&mut self, source: Value) -> Skip;
    /// Whether to skip edges to `dest`. Only asked after `skip_edges_of` returned [`Skip::Some`] for the current source.
    fn skip_edges_to(&mut self, dest: Value) -> bool;
}

/// What is wrong if a sink that gave shards away has no [`Sharded`] when they come back: their records would be lost.
pub const NO_SHARDS: &str = "the sink does not take its shards back";

/// A sink that several threads can feed: each shard takes a run of a snapshot's edges by index, and declarations of edge
/// types, beside the sink itself. The source owns the threads.
pub trait Sharded {
    /// An empty shard. It knows what was declared to the sink so far.
    fn fork(&self) -> Box<dyn Shard>;
    /// Appends what a shard took behind all edges so far. The source joins shards in the order of their edges, and joins
    /// none behind one whose edges were damaged.
    ///
    /// # Errors
    /// Those of the sink; if the shard is not one of its own.
    fn join(&mut self, shard: Box<dyn Shard>) -> Result;
}

/// What [`Sharded::fork`] makes.
pub trait Shard: Sink + Send {
    /// The shard as its own type, for [`Sharded::join`].
    fn into_any(self: Box<Self>) -> Box<dyn Any + Send>;
}

/// Receives records: metadata, declarations, strings, nodes, edges, extension records. Sources keep that order where they
/// can; a sink must not rely on it, but a declaration or a string always comes before the first record that uses it.
///
/// Sources push: a reader drives execution and calls the sink with records that it borrows from its own buffers. An
/// iterator would be the other way, where the caller pulls one record after another. Pushing fits here because a dump is
/// seldom read in one straight line. A reader goes over its file several times, keeps tables between the passes and uses
/// several threads; between two calls of an iterator it would have to put all of that away. No record needs to own
/// anything either, so most of them cost no allocation and no copy.
///
/// The price is that a sink cannot choose what comes next. So it says beforehand what it can use, with [`wants`], and
/// stops a source early by returning [`Error::stop`]. A sink that wraps another one forwards each method whose records it
/// does not change. `wants` has no default, so a wrapper cannot forget it; `edge_filter` and `sharded` may be left out,
/// which costs time only.
///
/// A metadata record `version_major` begins a new stream: declarations and strings before it are void.
/// A metadata record `heap.snapshot` begins the next snapshot of the same stream: identifiers and node indexes before it
/// are void.
///
/// All methods that take records return the errors of the sink; a source passes them on at once and calls nothing more.
///
/// [`wants`]: Self::wants
#[allow(unused_variables, reason = "default methods ignore what a sink does not want")]
pub trait Sink {
    /// What it asks for. Asked once, before the first record. A source may deliver more.
    fn wants(&self) -> Wants;
    /// A metadata record.
    ///
    /// # Errors
    /// Those of the sink.
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        Ok(())
    }
    /// A declaration.
    ///
    /// # Errors
    /// Those of the sink.
    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        Ok(())
    }
    /// A string record.
    ///
    /// # Errors
    /// Those of the sink.
    fn string(&mut self, record: &Str<'_>) -> Result {
        Ok(())
    }
    /// Nodes.
    ///
    /// # Errors
    /// Those of the sink.
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        Ok(())
    }
    /// Edges, between identifiers unless the sink wants them [by index](crate::wants::Edges::ByIndex).
    ///
    /// # Errors
    /// Those of the sink.
    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        Ok(())
    }
    /// An extension record.
    ///
    /// # Errors
    /// Those of the sink.
    fn extension(&mut self, record: &Extension<'_>) -> Result {
        Ok(())
    }
    /// Which edges it has no use for, if it knows.
    fn edge_filter(&mut self) -> Option<&mut dyn EdgeFilter> {
        None
    }
    /// The sink as one that several threads can feed, if it is one. Asked when edges are about to come.
    fn sharded(&mut self) -> Option<&mut dyn Sharded> {
        None
    }
    /// The source is about to wait for input: pass on what is complete.
    ///
    /// # Errors
    /// Those of the sink.
    fn flush(&mut self) -> Result {
        Ok(())
    }
    /// No more records come. Called once by the driver, never by a reader. `intact` is false if the input was damaged or
    /// a file could not be read: what came before is still reported or passed on.
    ///
    /// # Errors
    /// Those of the sink.
    fn finish(&mut self, intact: bool) -> Result {
        Ok(())
    }
}

/// Takes everything and keeps nothing.
#[derive(Clone, Copy, Debug)]
pub struct Discard;

impl Sink for Discard {
    fn wants(&self) -> Wants {
        Wants::ALL
    }
}

impl<S: Sink + ?Sized> Sink for &mut S {
    fn wants(&self) -> Wants {
        (**self).wants()
    }
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        (**self).metadata(record)
    }
    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        (**self).declare(record)
    }
    fn string(&mut self, record: &Str<'_>) -> Result {
        (**self).string(record)
    }
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        (**self).nodes(batch)
    }
    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        (**self).edges(batch)
    }
    fn extension(&mut self, record: &Extension<'_>) -> Result {
        (**self).extension(record)
    }
    fn edge_filter(&mut self) -> Option<&mut dyn EdgeFilter> {
        (**self).edge_filter()
    }
    fn sharded(&mut self) -> Option<&mut dyn Sharded> {
        (**self).sharded()
    }
    fn flush(&mut self) -> Result {
        (**self).flush()
    }
    fn finish(&mut self, intact: bool) -> Result {
        (**self).finish(intact)
    }
}

/// Which snapshot of a file with several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SnapshotSelector {
    /// The last one.
    #[default]
    Last,
    /// Every one, each after a metadata record `heap.snapshot`.
    All,
    /// This one, counted from 0.
    Number(u64),
}

impl SnapshotSelector {
    /// The chosen indexes out of `count` snapshots.
    ///
    /// # Errors
    /// If there is no snapshot of the chosen number.
    pub fn range(self, count: u64) -> Result<std::ops::Range<u64>> {
        match self {
            Self::Last => Ok(count.saturating_sub(1)..count),
            Self::All => Ok(0..count),
            Self::Number(n) if n < count => Ok(n..n + 1),
            Self::Number(n) => Err(Error::refused(match count {
                0 => format!("no snapshot {n}: the file has none"),
                1 => format!("no snapshot {n}: the file has only snapshot 0"),
                _ => format!("no snapshot {n}: the file has 0 to {}", count - 1),
            })),
        }
    }
}
/// The methods of a [`Sink`] that do nothing but call the same one of a field, which is a sink itself. What is not named has
/// what the trait gives it.
///
/// ```
/// use heap_base::Result;
/// use heap_record::{Discard, EdgeBatch, Sink, pass_on};
///
/// /// Passes everything on but edges.
/// struct WithoutEdges<S>(S);
///
/// impl<S: Sink> Sink for WithoutEdges<S> {
///     fn edges(&mut self, _: &EdgeBatch<'_>) -> Result {
///         Ok(())
///     }
///
///     pass_on!(0: wants metadata declare string nodes extension flush finish);
/// }
///
/// assert!(WithoutEdges(Discard).finish(true).is_ok());
/// ```
#[macro_export]
macro_rules! pass_on {
    ($field:tt: $($method:ident)+) => {
        $($crate::pass_on!(@$method $field);)+
    };
    (@wants $field:tt) => {
        fn wants(&self) -> $crate::Wants {
            self.$field.wants()
        }
    };
    (@metadata $field:tt) => {
        fn metadata(&mut self, record: &$crate::Metadata<'_>) -> ::heap_base::Result {
            self.$field.metadata(record)
        }
    };
    (@declare $field:tt) => {
        fn declare(&mut self, record: &$crate::Declaration<'_>) -> ::heap_base::Result {
            self.$field.declare(record)
        }
    };
    (@string $field:tt) => {
        fn string(&mut self, record: &$crate::Str<'_>) -> ::heap_base::Result {
            self.$field.string(record)
        }
    };
    (@nodes $field:tt) => {
        fn nodes(&mut self, batch: &$crate::NodeBatch<'_>) -> ::heap_base::Result {
            self.$field.nodes(batch)
        }
    };
    (@edges $field:tt) => {
        fn edges(&mut self, batch: &$crate::EdgeBatch<'_>) -> ::heap_base::Result {
            self.$field.edges(batch)
        }
    };
    (@extension $field:tt) => {
        fn extension(&mut self, record: &$crate::Extension<'_>) -> ::heap_base::Result {
            self.$field.extension(record)
        }
    };
    (@edge_filter $field:tt) => {
        fn edge_filter(&mut self) -> Option<&mut dyn $crate::EdgeFilter> {
            self.$field.edge_filter()
        }
    };
    (@sharded $field:tt) => {
        fn sharded(&mut self) -> Option<&mut dyn $crate::Sharded> {
            self.$field.sharded()
        }
    };
    (@flush $field:tt) => {
        fn flush(&mut self) -> ::heap_base::Result {
            self.$field.flush()
        }
    };
    (@finish $field:tt) => {
        fn finish(&mut self, intact: bool) -> ::heap_base::Result {
            self.$field.finish(intact)
        }
    };
}
