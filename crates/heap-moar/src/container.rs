//! The container of version 3: which blocks there are and where, by the table of contents or front to back.

use heap_base::{Blob, Error, Result};

use crate::bytes::{Cursor, Order};
use crate::frame::{self, Extent, Pool};

/// Length of the file's magic.
const START: u64 = 16;
/// Longest JSON block that is read; MoarVM writes a few hundred bytes.
const MAX_JSON: u64 = 1 << 20;
/// Blocks of JSON text.
const JSON: [[u8; 8]; 2] = [*b"filemeta", *b"snapmeta"];
const STRINGS: [u8; 8] = *b"strings\0";
const TOC: [u8; 8] = *b"toc\0\0\0\0\0";

/// A block: its kind name, and where it lies. The end may be that of a cut file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) name: [u8; 8],
    pub(crate) start: u64,
    pub(crate) end: u64,
}

impl Block {
    /// What to call it in a message: `column colkind`; `?` where the name is not ASCII.
    pub(crate) fn title(&self) -> String {
        let name = self.name.iter().take_while(|&&b| b != 0);
        let name: String = name.map(|&b| if b.is_ascii_graphic() { char::from(b) } else { '?' }).collect();
        let column = !JSON.contains(&self.name) && self.name != STRINGS && self.name != TOC;
        format!("{} {name}", if column { "column" } else { "block" })
    }
}

/// The blocks up to an inner table of contents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    pub(crate) blocks: Vec<Block>,
    /// False if the file ended before the table of contents that closes the group.
    pub(crate) intact: bool,
}

impl Group {
    /// The first block of this name.
    pub(crate) fn find(&self, name: [u8; 8]) -> Option<Block> {
        self.blocks.iter().copied().find(|b| b.name == name)
    }

    /// True if it is a snapshot, not just strings that came late.
    pub(crate) fn is_snapshot(&self) -> bool {
        self.blocks.iter().any(|b| b.name == *b"snapmeta" || b.name.starts_with(b"col"))
    }
}

/// All blocks of a file.
#[derive(Debug, Default)]
pub(crate) struct Container {
    pub(crate) order: Order,
    pub(crate) filemeta: Option<Block>,
    pub(crate) groups: Vec<Group>,
    /// True if the table of contents at the end of the file served.
    pub(crate) by_toc: bool,
    /// Where and why the front-to-back route came to a stop, or that the table of contents is missing.
    pub(crate) damage: Option<Error>,
    /// Decoders for its columns.
    pub(crate) decoders: Pool,
}

impl Container {
    /// Finds the blocks of `blob`.
    pub(crate) fn open(blob: &Blob) -> Result<Self> {
        let order = byte_order(blob)?;
        if let Some(container) = by_toc(blob, order)? {
            return Ok(container);
        }
        front_to_back(blob, order)
    }
}

/// The first block's length has four zero bytes or more: the order that makes it fit the file is the writer's.
fn byte_order(blob: &Blob) -> Result<Order> {
    let mut bytes = [0; 8];
    let n = blob.read_at(&mut bytes, START + 8)?;
    let fits = |n: u64| n <= blob.len().saturating_sub(START + 16);
    let big = n == 8 && !fits(u64::from_le_bytes(bytes)) && fits(u64::from_be_bytes(bytes));
    Ok(if big { Order::Big } else { Order::Little })
}

/// A table of contents.
struct Listed {
    entries: u64,
    /// Offset of the first entry.
    at: u64,
    /// Offset after the trailing offset.
    end: u64,
}

/// The table of contents at `start`, if there is one that is complete and ends with its own offset.
fn toc_at(blob: &Blob, order: Order, start: u64) -> Result<Option<Listed>> {
    let mut head = [0; 16];
    if start < START || blob.read_at(&mut head, start)? < head.len() || head[..8] != TOC {
        return Ok(None);
    }
    let entries = order.u64_at(&head, 8);
    let end = entries.checked_mul(24).and_then(|n| n.checked_add(start + 24)).filter(|&e| e <= blob.len());
    let Some(end) = end else { return Ok(None) };
    let mut own = [0; 8];
    blob.read_at(&mut own, end - 8)?;
    Ok((order.u64(own) == start).then_some(Listed { entries, at: start + 16, end }))
}

fn entry(cursor: &mut Cursor<'_>, order: Order) -> Result<Option<Block>> {
    let Some(bytes) = cursor.take::<24>()? else { return Ok(None) };
    let mut name = [0; 8];
    name.copy_from_slice(&bytes[..8]);
    Ok(Some(Block { name, start: order.u64_at(&bytes, 8), end: order.u64_at(&bytes, 16) }))
}

/// The table of contents at the very end, and what it lists. Everything must be where it is said to be, in
/// file order and without overlap; if anything is not, there is no table of contents. That also keeps the work
/// in proportion to the file: no entry can be counted twice.
fn by_toc(blob: &Blob, order: Order) -> Result<Option<Container>> {
    let mut own = [0; 8];
    if blob.len() < START + 24 || blob.read_at(&mut own, blob.len() - 8)? < 8 {
        return Ok(None);
    }
    let Some(outer) = toc_at(blob, order, order.u64(own))?.filter(|t| t.end == blob.len()) else {
        return Ok(None);
    };
    let mut list = Cursor::new(blob, outer.at, outer.end - 8, 4096);
    let mut container = Container { order, by_toc: true, ..Container::default() };
    let mut after = START;
    for n in 0..outer.entries {
        let Some(item) = entry(&mut list, order)? else { return Ok(None) };
        if (n == 0) != (item.name == *b"filemeta") || item.start < after {
            return Ok(None);
        }
        if item.name != TOC {
            if !leads_to(blob, item)? {
                return Ok(None);
            }
            if n == 0 {
                container.filemeta = Some(item);
            }
            after = item.end;
            continue;
        }
        let Some(inner) = toc_at(blob, order, item.start)? else { return Ok(None) };
        let mut group = Group { blocks: Vec::new(), intact: true };
        let mut blocks = Cursor::new(blob, inner.at, inner.end - 8, 4096);
        for _ in 0..inner.entries {
            let Some(block) = entry(&mut blocks, order)? else { return Ok(None) };
            if block.start < after || block.end > item.start || !leads_to(blob, block)? {
                return Ok(None);
            }
            after = block.end;
            // Blocks lie side by side. A frame says itself where it ends, so a wrong end cannot cut one off.
            if let Some(previous) = group.blocks.last_mut() {
                previous.end = block.start;
            }
            group.blocks.push(block);
        }
        if let Some(last) = group.blocks.last_mut() {
            last.end = item.start;
        }
        container.groups.push(group);
        after = inner.end;
    }
    Ok(container.filemeta.is_some().then_some(container))
}

fn leads_to(blob: &Blob, block: Block) -> Result<bool> {
    let mut name = [0; 8];
    let long_enough = block.end >= block.start.saturating_add(16);
    Ok(long_enough && blob.read_at(&mut name, block.start)? == 8 && name == block.name)
}

/// What was found where a block was looked for.
enum Found {
    /// A block up to here.
    Block(u64),
    /// A table of contents up to here; `outer` lists other tables.
    Toc { end: u64, outer: bool },
    /// A block that the file's end cuts off.
    Cut,
    /// Nothing that makes sense; what was expected.
    Nonsense(u64, &'static str),
}

/// Walks the blocks from the start. The way for files of killed processes, and where the table of contents lies.
fn front_to_back(blob: &Blob, order: Order) -> Result<Container> {
    let mut cursor = Cursor::new(blob, START, blob.len(), 4096);
    let mut container = Container { order, ..Container::default() };
    let mut group = Group::default();
    let mut ended_well = false;
    while cursor.left() > 0 {
        let start = cursor.position();
        let Some(name) = cursor.take::<8>()? else {
            container.damage = Some(Error::at_byte(blob.len(), "a block ends early"));
            break;
        };
        let block = |end| Block { name, start, end };
        let found = walk(&mut cursor, order, name)?;
        // A table of contents that has begun says that all blocks of the snapshot are there.
        ended_well = matches!(found, Found::Toc { outer: true, .. });
        if name == TOC && !group.blocks.is_empty() {
            group.intact = true;
            container.groups.push(std::mem::take(&mut group));
        }
        match found {
            Found::Block(end) if name == *b"filemeta" => {
                container.filemeta = container.filemeta.or(Some(block(end)));
            }
            Found::Block(end) if name == *b"snapmeta" && group.find(name).is_some() => {
                container.groups.push(std::mem::take(&mut group));
                group.blocks.push(block(end));
            }
            Found::Block(end) => group.blocks.push(block(end)),
            Found::Toc { end, .. } => cursor.seek(end),
            Found::Cut => {
                let what = block(blob.len()).title();
                // Half a text says nothing; half a column does.
                if name != TOC && !JSON.contains(&name) {
                    group.blocks.push(block(blob.len()));
                }
                container.damage = Some(Error::at_byte(blob.len(), format!("{what} ends early")));
                break;
            }
            Found::Nonsense(at, what) => {
                container.damage = Some(Error::at_byte(at, what));
                break;
            }
        }
    }
    if !group.blocks.is_empty() {
        container.groups.push(group);
    }
    if container.damage.is_none() {
        let what =
            if ended_well { "the table of contents is damaged" } else { "the table of contents is missing" };
        container.damage = Some(Error::at_byte(blob.len(), what));
    }
    Ok(container)
}

/// Finds the end of the block whose name was just read.
fn walk(cursor: &mut Cursor<'_>, order: Order, name: [u8; 8]) -> Result<Found> {
    let start = cursor.position();
    if name == TOC {
        return walk_toc(cursor, order);
    }
    // A block with an unknown name can have any of the three layouts. The magic of a frame or the first byte of a text
    // shows which.
    let head = cursor.peek(14)?;
    let framed = |at: usize| head.get(at..at + 4) == Some(&frame::MAGIC[..]);
    let (column, strings) = (framed(10), framed(8));
    let length = order.u64_at(head, 0);
    let json = JSON.contains(&name) || (!column && !strings && head.get(8) == Some(&b'{'));
    if head.len() < 8 {
        return Ok(Found::Cut);
    }
    if json {
        cursor.skip(8);
        return Ok(if length > cursor.left() {
            // A cut file and a broken length look the same; a text that cannot be is no text.
            if length > MAX_JSON {
                Found::Nonsense(start, "a block has an impossible length")
            } else {
                Found::Cut
            }
        } else {
            cursor.skip(length);
            Found::Block(cursor.position())
        });
    }
    let short = if name == STRINGS { head.len() < 12 } else { head.len() < 14 };
    if short {
        return Ok(Found::Cut);
    }
    if !column && !strings {
        return Ok(Found::Nonsense(start - 8, "expected a block"));
    }
    cursor.skip(if strings { 8 } else { 10 });
    Ok(match frame::extent(cursor)? {
        Extent::Complete(end) => Found::Block(end),
        Extent::Cut => Found::Cut,
        Extent::Bad(at) => Found::Nonsense(at, "expected a block of zstd data"),
    })
}

fn walk_toc(cursor: &mut Cursor<'_>, order: Order) -> Result<Found> {
    let Some(count) = cursor.take::<8>()? else { return Ok(Found::Cut) };
    let first = cursor.peek(8)?.first_chunk::<8>().copied().unwrap_or_default();
    let size = order.u64(count).checked_mul(24).and_then(|n| n.checked_add(8));
    Ok(match size {
        Some(size) if size <= cursor.left() => {
            let outer = order.u64(count) > 0 && (first == *b"filemeta" || first == TOC);
            Found::Toc { end: cursor.position() + size, outer }
        }
        _ => Found::Cut,
    })
}

/// The text of a JSON block without its closing NUL, or what is wrong with it.
pub(crate) fn json(blob: &Blob, order: Order, block: Block) -> Result<Result<String>> {
    let mut length = [0; 8];
    blob.read_at(&mut length, block.start + 8)?;
    let (length, left) = (order.u64(length), block.end.saturating_sub(block.start + 16));
    let broken = |what: &str| Ok(Err(Error::at_byte(block.start + 16, format!("{} {what}", block.title()))));
    if length > left || length > MAX_JSON {
        return broken("ends early");
    }
    let mut text = vec![0; length as usize];
    blob.read_exact_at(&mut text, block.start + 16, "a text")?;
    if text.last() == Some(&0) {
        text.pop();
    }
    match String::from_utf8(text) {
        Ok(text) => Ok(Ok(text)),
        Err(_) => broken("is not text"),
    }
}

/// Entry size and start of the data of a column block, or what is wrong with it.
pub(crate) fn column(blob: &Blob, order: Order, block: Block) -> Result<Result<(u16, u64)>> {
    let mut width = [0; 2];
    blob.read_at(&mut width, block.start + 8)?;
    let width = order.u16(width);
    Ok(if matches!(width, 1 | 2 | 4 | 8) {
        Ok((width, block.start + 18))
    } else {
        Err(Error::at_byte(block.start + 8, format!("{} has entries of {width} bytes", block.title())))
    })
}
