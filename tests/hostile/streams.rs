//! Streams that mean harm, or look as if: each of about so many bytes, made by a rule.
//!
//! Whatever a number in them is, a tool that takes it for a length, or looks at all pairs of something, shows here.

use std::fmt::Write as _;

/// A stream being written, up to a size.
struct Stream {
    text: String,
    size: usize,
    random: u64,
}

const META: &str = "{\"type\":\"metadata\",\"key\":";
const ROOT: &str = "{\"type\":\"metadata\",\"key\":\"heap.root\",\"value\":\"1\"}\n";
const TYPES: &str = concat!(
    "{\"type\":\"type\",\"name\":\"node\",\"fields\":{\"heap.size\":\"integer\",\"heap.class\":\"string\",\"heap.name\":\"string\"}}\n",
    "{\"type\":\"type\",\"name\":\"edge\",\"fields\":{\"label\":\"string\"}}\n",
    "{\"type\":\"node_type\",\"nodetypeid\":2,\"name\":\"object\",\"fields\":{\"a\":\"string\",\"b\":\"value\"}}\n",
    "{\"type\":\"node_type\",\"nodetypeid\":3,\"name\":\"string_flat\",\"fields\":{\"data\":\"string\",\"length\":\"value\"}}\n",
    "{\"type\":\"node_type\",\"nodetypeid\":4,\"name\":\"string_cons\",\"fields\":{\"s1\":\"value\",\"s2\":\"value\"}}\n",
    "{\"type\":\"node_type\",\"nodetypeid\":5,\"name\":\"string_sliced\",\"fields\":{\"source\":\"value\",\"offset\":\"integer\",\"length\":\"integer\"}}\n",
    "{\"type\":\"edge_type\",\"edgetypeid\":1,\"name\":\"object property\"}\n",
    "{\"type\":\"edge_type\",\"edgetypeid\":2,\"name\":\"array element\"}\n",
    "{\"type\":\"edge_type\",\"edgetypeid\":3,\"name\":\"v8.weak\",\"heap\":{\"retains\":\"no\"}}\n",
    "{\"type\":\"string\",\"stringid\":1,\"data\":\"A\"}\n",
    "{\"type\":\"string\",\"stringid\":2,\"data\":\"ab\"}\n",
    "{\"type\":\"node\",\"subtype\":2,\"identifier\":1,\"heap\":{\"size\":16,\"class\":1}}\n",
);

impl Stream {
    /// With a head, and a root with identifier 1 of class A.
    fn new(size: usize) -> Self {
        let mut stream = Self::bare(size);
        stream.text.push_str(ROOT);
        stream.text.push_str(TYPES);
        stream
    }

    fn bare(size: usize) -> Self {
        let text = format!("{META}\"version_major\",\"value\":\"1\"}}\n");
        Self { text, size, random: 0x9E37_79B9_7F4A_7C15 }
    }

    fn full(&self) -> bool {
        self.text.len() >= self.size
    }

    /// Calls `line` with 0, 1, 2, … until the stream is full.
    fn fill(mut self, mut line: impl FnMut(&mut Self, i64)) -> String {
        let mut i = 0;
        while !self.full() {
            line(&mut self, i);
            i += 1;
        }
        self.text
    }

    fn random(&mut self) -> i64 {
        // xorshift
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 1) as i64
    }

    fn metadata(&mut self, key: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.text, "{META}\"{key}\",\"value\":\"{value}\"}}");
    }

    fn string(&mut self, id: i64, data: impl std::fmt::Display) {
        let _ =
            writeln!(self.text, "{{\"type\":\"string\",\"stringid\":{},\"data\":\"{data}\"}}", number(id));
    }

    fn node(&mut self, id: i64, class: i64) {
        let (id, class) = (number(id), number(class));
        let _ = writeln!(
            self.text,
            "{{\"type\":\"node\",\"subtype\":2,\"identifier\":{id},\"heap\":{{\"size\":16,\"class\":{class}}}}}"
        );
    }

    fn own(&mut self, subtype: u32, id: i64, own: impl std::fmt::Display) {
        let id = number(id);
        let _ = writeln!(
            self.text,
            "{{\"type\":\"node\",\"subtype\":{subtype},\"identifier\":{id},{own},\"heap\":{{\"size\":24}}}}"
        );
    }

    fn edge(&mut self, subtype: u32, source: i64, dest: i64, label: i64) {
        let [source, dest, label] = [source, dest, label].map(number);
        let _ = writeln!(
            self.text,
            "{{\"type\":\"edge\",\"subtype\":{subtype},\"source\":{source},\"dest\":{dest},\"label\":{label}}}"
        );
    }
}

/// A number as the stream has it.
fn number(n: i64) -> String {
    match n.unsigned_abs() {
        0x20_0000_0000_0000.. if n < 0 => format!("\"-{:#x}\"", n.unsigned_abs()),
        0x20_0000_0000_0000.. => format!("\"{n:#x}\""),
        _ => n.to_string(),
    }
}

/// Numbers that grow by a factor, so that each is just beyond what a table makes room for that grows with its length.
fn growing(i: i64, factor: f64) -> i64 {
    (f64::from(1023) * factor.powf(i as f64)) as i64 % (1 << 62) + i
}

/// A type with as many fields as fit, and a node that has them all, with `blank` between its members: lines with blanks
/// are read by another path.
fn declared_and_met(size: usize, blank: &str) -> String {
    let mut s = Stream::bare(size / 2);
    s.text.push_str(ROOT);
    s.text.push_str(
        "{\"type\":\"node_type\",\"nodetypeid\":2,\"name\":\"object\",\"fields\":{\"a\":\"string\"",
    );
    let mut i = 0;
    while !s.full() {
        let _ = write!(s.text, ",\"f{i}\":\"value\"");
        i += 1;
    }
    s.text.push_str("}}\n{\"type\":\"node\",\"subtype\":2,\"identifier\":1");
    for at in 0..i {
        let _ = write!(s.text, ",{blank}\"f{at}\":1");
    }
    s.text.push_str(",\"heap\":{\"size\":8}}\n");
    s.text
}

/// A name and what makes the stream.
pub(crate) type Recipe = (&'static str, fn(usize) -> String);

/// All streams.
pub(crate) const STREAMS: &[Recipe] = &[
    ("string ids that grow by 4", |size| {
        Stream::new(size).fill(|s, i| {
            s.string(growing(i, if i < 30 { 4.0 } else { 1.001 }), i);
            s.node(2 * i + 3, growing(i, if i < 30 { 4.0 } else { 1.001 }));
        })
    }),
    ("string ids that double", |size| {
        Stream::new(size).fill(|s, i| {
            s.string((1 << (10 + i % 29)) + i, i);
            s.node(2 * i + 3, (1 << (10 + i % 29)) + i);
        })
    }),
    ("string ids far apart", |size| {
        Stream::new(size).fill(|s, i| {
            s.string(((i << 24) & 0xff_ffff_ffff) | i, i);
            s.node(2 * i + 3, ((i << 24) & 0xff_ffff_ffff) | i);
        })
    }),
    ("string ids below zero", |size| {
        Stream::new(size).fill(|s, i| {
            s.string(-growing(i, if i < 20 { 4.0 } else { 1.001 }), "x");
            s.node(2 * i + 3, -growing(i, if i < 20 { 4.0 } else { 1.001 }));
        })
    }),
    ("string ids that descend", |size| {
        Stream::new(size).fill(|s, i| {
            s.string((1 << 26) - 3 * i, i);
            s.node(2 * i + 3, (1 << 26) - 3 * i);
        })
    }),
    ("string ids at random", |size| {
        Stream::new(size).fill(|s, i| {
            let id = s.random();
            s.string(id, i);
            s.node(2 * i + 3, id);
        })
    }),
    ("classes without a record", |size| {
        Stream::new(size).fill(|s, i| {
            let class = s.random() >> 23;
            s.node(2 * i + 3, class);
        })
    }),
    ("array indexes that double", |size| {
        Stream::new(size).fill(|s, i| {
            let label = -((1 << (3 + i % 29)) + i);
            s.string(label, !label);
            s.edge(2, 1, 1, label);
        })
    }),
    ("array indexes far apart", |size| {
        Stream::new(size).fill(|s, i| {
            s.edge(2, 1, 1, -((i << 16) & 0xffff_ffff) - 1);
        })
    }),
    ("identifiers that double", |size| {
        Stream::new(size).fill(|s, i| {
            let id = (1 << (3 + i % 58)) + 2 * i + 1;
            s.node(id, 1);
            s.edge(1, 1, id, 2);
        })
    }),
    ("identifiers that grow by 4", |size| {
        Stream::new(size).fill(|s, i| {
            s.node(growing(i, if i < 25 { 4.0 } else { 1.01 }) | 1, 1);
        })
    }),
    ("identifiers below zero", |size| {
        Stream::new(size).fill(|s, i| {
            let id = -((1 << (3 + i % 58)) + 2 * i + 1);
            s.node(id, 1);
            s.edge(1, 1, id, 2);
        })
    }),
    ("identifiers that descend", |size| {
        Stream::new(size).fill(|s, i| {
            s.node((1 << 40) - 2 * i + 1, 1);
            s.edge(1, (1 << 40) - 2 * i + 1, (1 << 40) - 2 * i + 3, 2);
        })
    }),
    ("identifiers at random", |size| {
        Stream::new(size).fill(|s, _| {
            let id = s.random() | 1;
            s.node(id, 1);
            s.edge(1, 1, id, 2);
        })
    }),
    ("identifiers that are one", |size| {
        Stream::new(size).fill(|s, _| {
            s.node(3, 1);
            s.edge(1, 1, 3, 2);
        })
    }),
    ("ends of edges at random", |size| {
        Stream::new(size).fill(|s, _| {
            let (source, dest) = (s.random() | 1, s.random() | 1);
            s.edge(1, source, dest, 2);
        })
    }),
    ("a million classes", |size| {
        Stream::new(size).fill(|s, i| {
            s.string(i + 3, format_args!("C{i}"));
            s.node(2 * i + 3, i + 3);
        })
    }),
    ("a million labels", |size| {
        Stream::new(size).fill(|s, i| {
            s.string(i + 3, format_args!("l{i}"));
            s.edge(1, 1, 1, i + 3);
        })
    }),
    ("labels of a class", |size| {
        Stream::new(size).fill(|s, i| {
            s.string(i + 3, format_args!("l{i}"));
            s.node(2 * i + 3, 1);
            s.edge(1, 2 * i + 3, 1, i + 3);
        })
    }),
    ("a million roots", |size| {
        let mut s = Stream::new(size / 3);
        let mut i = 0;
        while !s.full() {
            i += 1;
            s.metadata("heap.root", 2 * i + 1);
        }
        for at in 1..=i {
            s.node(2 * at + 1, 1);
            s.edge(1, 1, 2 * at + 1, 2);
        }
        s.text
    }),
    ("roots that hold each other", |size| {
        let mut s = Stream::new(size / 4);
        let mut i = 0;
        while !s.full() {
            i += 1;
            s.metadata("heap.root", 2 * i + 1);
            s.metadata("heap.user_root", 2 * i + 1);
        }
        for at in 1..=i {
            s.node(2 * at + 1, 1);
            s.edge(1, 2 * at + 1, 2 * (at % i) + 3, 2);
        }
        s.text
    }),
    ("stacks in a chain", |size| {
        let mut s = Stream::new(size / 2);
        s.metadata("heap.runtime", "node:*");
        s.metadata("heap.stacks", "x.stack x.frame x.function");
        // No frame is the program's, so nothing ends the way outwards.
        s.string(3, "node:internal");
        s.text.push_str("{\"type\":\"x.function\",\"name\":2,\"script_name\":3,\"line\":1,\"column\":1}\n");
        s.node(3, 2);
        s.edge(1, 1, 3, 2);
        let mut i = 0;
        while !s.full() {
            i += 1;
            let _ = writeln!(
                s.text,
                "{{\"type\":\"x.frame\",\"id\":{i},\"parent\":{},\"function\":0}}\n\
                 {{\"type\":\"node\",\"subtype\":2,\"identifier\":{},\"heap\":{{\"size\":99,\"class\":1}},\"x\":{{\"stack\":{i}}}}}",
                (i - 1).max(1),
                2 * i + 3
            );
        }
        for at in 1..=i {
            s.edge(2, 3, 2 * at + 3, 2);
        }
        s.text
    }),
    ("a million snapshots", |size| {
        let mut s = Stream::bare(size);
        s.text.push_str(TYPES);
        s.fill(|s, i| {
            s.metadata("heap.snapshot", i);
            s.node(2 * i + 1, 1);
        })
    }),
    ("a million streams", |size| {
        Stream::bare(size).fill(|s, _| {
            s.metadata("version_major", 1);
            s.node(1, 1);
        })
    }),
    ("node types far apart", |size| {
        Stream::new(size).fill(|s, i| {
            let id = (growing(i, 1.3) & 0x7fff_ffff) + 7;
            let _ = writeln!(s.text, "{{\"type\":\"node_type\",\"nodetypeid\":{id},\"name\":\"x.t{i}\"}}");
            let at = 2 * i + 3;
            let _ = writeln!(
                s.text,
                "{{\"type\":\"node\",\"subtype\":{id},\"identifier\":{at},\"heap\":{{\"size\":8}}}}"
            );
        })
    }),
    ("edge types far apart", |size| {
        Stream::new(size).fill(|s, i| {
            let id = (growing(i, 1.3) & 0x7fff_ffff) + 7;
            let _ = writeln!(s.text, "{{\"type\":\"edge_type\",\"edgetypeid\":{id},\"name\":\"x.e{i}\"}}");
            s.edge(id as u32, 1, 1, 2);
        })
    }),
    ("fields of a type", |size| {
        let mut s = Stream::bare(size);
        s.text.push_str(ROOT);
        s.text.push_str(
            "{\"type\":\"node_type\",\"nodetypeid\":2,\"name\":\"object\",\"fields\":{\"a\":\"string\"",
        );
        let mut i = 0;
        while !s.full() {
            let _ = write!(s.text, ",\"f{i}\":\"integer\"");
            i += 1;
        }
        s.text.push_str("}}\n");
        s.node(1, 1);
        s.text
    }),
    ("fields of a node", |size| {
        let mut s = Stream::new(size);
        s.text.push_str("{\"type\":\"node\",\"subtype\":2,\"identifier\":3,\"a\":2");
        let mut i = 0;
        while !s.full() {
            let _ = write!(s.text, ",\"f{i}\":{i}");
            i += 1;
        }
        s.text.push_str(",\"heap\":{\"size\":8}}\n");
        s.text
    }),
    ("fields that are declared and met", |size| declared_and_met(size, "")),
    ("fields that are met in lines with blanks", |size| declared_and_met(size, " ")),
    ("types of extensions", |size| {
        Stream::new(size).fill(|s, i| {
            let _ =
                writeln!(s.text, "{{\"type\":\"type\",\"name\":\"x.t{i}\",\"fields\":{{\"a\":\"string\"}}}}");
            let _ = writeln!(s.text, "{{\"type\":\"x.t{i}\",\"a\":{i}}}");
        })
    }),
    ("ropes that double", |size| {
        let mut s = Stream::new(size);
        s.own(3, 3, "\"data\":2");
        s.fill(|s, i| s.own(4, 2 * i + 5, format_args!("\"s1\":{0},\"s2\":{0}", 2 * i + 3)))
    }),
    ("ropes that double, from the end", |size| {
        let mut s = Stream::new(size);
        s.own(3, (1 << 40) + 1, "\"data\":2");
        s.fill(|s, i| {
            let id = (1 << 40) - 2 * i - 1;
            s.own(4, id, format_args!("\"s1\":{0},\"s2\":{0}", id + 2));
        })
    }),
    ("ropes of nothing", |size| {
        Stream::new(size).fill(|s, i| {
            let id = 2 * i + 3;
            s.own(4, id, format_args!("\"s1\":{},\"s2\":{}", (id - 2).max(3), (id - 4).max(3)));
        })
    }),
    ("ropes that end in a long text", |size| {
        let mut s = Stream::new(size);
        s.string(3, "x".repeat(size / 4));
        s.own(3, 3, "\"data\":3");
        s.fill(|s, i| s.own(4, 2 * i + 5, "\"s1\":3,\"s2\":3"))
    }),
    ("slices of a long text", |size| {
        let mut s = Stream::new(size);
        s.string(3, "x".repeat(size / 4));
        s.own(3, 3, "\"data\":3");
        s.fill(|s, i| s.own(5, 2 * i + 5, format_args!("\"source\":3,\"offset\":{},\"length\":9", i * 8)))
    }),
    ("a chain", |size| {
        Stream::new(size).fill(|s, i| {
            s.node(2 * i + 3, 1);
            s.edge(1, 2 * i + 1, 2 * i + 3, 2);
        })
    }),
    ("a ladder", |size| {
        // Two ways from each rung to the next: 2^n paths.
        Stream::new(size).fill(|s, i| {
            let [a, b] = [4 * i + 3, 4 * i + 5];
            s.node(a, 1);
            s.node(b, 1);
            let from = if i == 0 { 1 } else { 4 * i - 1 };
            let other = if i == 0 { 1 } else { 4 * i + 1 };
            s.edge(1, from, a, 2);
            s.edge(1, from, b, 1);
            s.edge(1, other, a, 2);
            s.edge(1, other, b, 1);
        })
    }),
    ("a star of weak entries", |size| {
        Stream::new(size).fill(|s, i| {
            s.node(2 * i + 3, 1);
            s.edge(1, 1, 2 * i + 3, 2);
            let (source, dest) = (2 * i + 3, 2 * i + 1);
            let _ = writeln!(
                s.text,
                "{{\"type\":\"edge\",\"subtype\":3,\"source\":1,\"dest\":{dest},\"heap\":{{\"key\":{source}}}}}"
            );
        })
    }),
    ("all backwards", |size| {
        let n = (size / 250) as i64;
        let mut s = Stream::bare(size);
        (0..n).for_each(|i| s.edge(1, 1, 2 * (n - i) + 1, n - i + 2));
        (0..n).for_each(|i| s.node(2 * (n - i) + 1, n - i + 2));
        (0..n).for_each(|i| s.string(n - i + 2, i));
        s.text.push_str(TYPES);
        s.text
    }),
    ("sizes of 2^63", |size| {
        Stream::new(size).fill(|s, i| {
            let id = 2 * i + 3;
            let _ = writeln!(
                s.text,
                "{{\"type\":\"node\",\"subtype\":2,\"identifier\":{id},\"heap\":{{\"size\":\"0x7fffffffffffffff\",\"class\":1,\"external\":\"0x7fffffffffffffff\",\"count\":\"0x7fffffffffffffff\"}}}}"
            );
            s.edge(1, id - 2, id, 2);
        })
    }),
    ("stacks of calls", |size| {
        let mut s = Stream::bare(size);
        s.text.push_str(ROOT);
        s.text.push_str(TYPES);
        s.text.push_str("{\"type\":\"node_type\",\"nodetypeid\":6,\"name\":\"heap.frame\",\"fields\":{\"function\":\"string\"}}\n");
        s.text.push_str("{\"type\":\"node_type\",\"nodetypeid\":7,\"name\":\"heap.allocation\"}\n");
        s.text.push_str("{\"type\":\"edge_type\",\"edgetypeid\":6,\"name\":\"heap.calls\"}\n");
        s.text.push_str("{\"type\":\"edge_type\",\"edgetypeid\":7,\"name\":\"heap.allocated\"}\n");
        s.fill(|s, i| {
            s.own(6, 4 * i + 3, "\"function\":2");
            s.own(7, 4 * i + 5, "\"x\":1");
            s.edge(6, (4 * i - 1).max(1), 4 * i + 3, 2);
            s.edge(7, 4 * i + 3, 4 * i + 5, 2);
        })
    }),
    ("places far apart", |size| {
        Stream::new(size).fill(|s, i| {
            let (object, line) = (s.random() | 1, s.random());
            let (object, line) = (number(object), number(line));
            let _ = writeln!(
                s.text,
                "{{\"type\":\"v8.location\",\"object\":{object},\"script\":{line},\"line\":{line},\"column\":{i}}}"
            );
        })
    }),
];
