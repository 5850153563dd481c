//! Writes version 3 files for tests and the benchmark, laid out as MoarVM does it.

#![allow(unreachable_pub, reason = "the benchmark has this file too")]

use zstd::stream::raw::CParameter;

/// A file in the making.
#[derive(Default)]
pub struct File {
    /// What is written so far.
    pub bytes: Vec<u8>,
    /// Window of the columns, as a power of two.
    pub window: u32,
    inner: Vec<([u8; 8], usize, usize)>,
    outer: Vec<([u8; 8], usize, usize)>,
}

/// A zstd frame much as MoarVM makes it: level 9, streamed, so without the size of its contents.
pub fn frame(contents: impl IntoIterator<Item = u8>) -> Vec<u8> {
    let mut packer = Packer::new();
    contents.into_iter().for_each(|b| packer.push(&[b]));
    packer.finish()
}

/// Compresses as the numbers come.
pub struct Packer {
    encoder: zstd::stream::write::Encoder<'static, Vec<u8>>,
    buf: Vec<u8>,
}

impl Packer {
    #[allow(clippy::new_without_default)]
    /// With a window of 1 KiB; MoarVM's have 4 MiB.
    pub fn new() -> Self {
        Self::with_window(10)
    }

    pub fn with_window(log: u32) -> Self {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 9).expect("an encoder");
        encoder.set_parameter(CParameter::WindowLog(log)).expect("a legal window");
        Self { encoder, buf: Vec::new() }
    }

    pub fn push(&mut self, bytes: &[u8]) {
        self.buf.extend_from_slice(bytes);
        if self.buf.len() >= 1 << 16 {
            self.drain();
        }
    }

    fn drain(&mut self) {
        std::io::Write::write_all(&mut self.encoder, &self.buf).expect("memory");
        self.buf.clear();
    }

    pub fn finish(mut self) -> Vec<u8> {
        self.drain();
        self.encoder.finish().expect("memory")
    }
}

impl File {
    pub fn new() -> Self {
        let mut file = Self { bytes: b"MoarHeapDumpv003".to_vec(), window: 10, ..Self::default() };
        let text = r#"{ "subversion": 1, "start_time": 1, "pid": 2, "highscore_structure": { "entry_count": 2, "data_order": ["types_by_count"]}}"#;
        let block = file.json(*b"filemeta", text);
        file.outer.push(block);
        file
    }

    fn json(&mut self, name: [u8; 8], text: &str) -> ([u8; 8], usize, usize) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&name);
        self.bytes.extend_from_slice(&(text.len() as u64 + 1).to_le_bytes());
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(0);
        (name, start, self.bytes.len())
    }

    pub fn snapmeta(&mut self, text: &str) {
        let block = self.json(*b"snapmeta", text);
        self.inner.push(block);
    }

    /// A block of a finished frame; `width` for all but strings.
    pub fn block(&mut self, name: [u8; 8], width: Option<u16>, frame: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&name);
        if let Some(width) = width {
            self.bytes.extend_from_slice(&width.to_le_bytes());
        }
        self.bytes.extend_from_slice(&[0; 8]);
        self.bytes.extend_from_slice(frame);
        self.inner.push((name, start, self.bytes.len()));
    }

    pub fn column(&mut self, name: [u8; 8], width: u16, numbers: impl IntoIterator<Item = u64>) {
        let mut packer = Packer::with_window(self.window);
        numbers.into_iter().for_each(|n| packer.push(&n.to_le_bytes()[..usize::from(width)]));
        self.block(name, Some(width), &packer.finish());
    }

    pub fn strings(&mut self, strings: &[&[u8]]) {
        let bytes =
            strings.iter().flat_map(|s| (s.len() as u32).to_le_bytes().into_iter().chain(s.iter().copied()));
        self.block(*b"strings\0", None, &frame(bytes));
    }

    fn toc(&mut self, entries: &[([u8; 8], usize, usize)]) -> ([u8; 8], usize, usize) {
        let name = *b"toc\0\0\0\0\0";
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&name);
        self.bytes.extend_from_slice(&(entries.len() as u64).to_le_bytes());
        for (name, start, end) in entries {
            self.bytes.extend_from_slice(name);
            self.bytes.extend_from_slice(&(*start as u64).to_le_bytes());
            self.bytes.extend_from_slice(&(*end as u64).to_le_bytes());
        }
        let end = self.bytes.len();
        self.bytes.extend_from_slice(&(start as u64).to_le_bytes());
        (name, start, end)
    }

    /// Closes the snapshot with both tables of contents.
    pub fn close(&mut self) {
        let inner = std::mem::take(&mut self.inner);
        let block = self.toc(&inner);
        self.outer.push(block);
        let outer = self.outer.clone();
        self.toc(&outer);
    }
}
