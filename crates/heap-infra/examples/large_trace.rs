//! Writes a heaps_v2 trace of a chosen size to standard output: `large_trace [ROWS [NOISE_EVENTS]]`.
//! With 991,000 rows the file has about 31 MB. The same arguments give the same bytes.

use std::io::{self, BufWriter, Write};

/// A small generator of numbers that look random (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

#[expect(clippy::disallowed_methods, reason = "an example, with no progress bar to keep off")]
fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<u64>().unwrap_or(0));
    let n_rows = args.next().unwrap_or(991_000);
    let n_noise = args.next().unwrap_or(0);
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let n_nodes = n_rows / 6 + 1;
    let n_types = 500;

    out.write_all(b"{\"traceEvents\":[\n")?;
    for i in 0..n_noise {
        writeln!(
            out,
            "{{\"args\":{{\"src_file\":\"../../base/task_{i}.cc\",\"src_func\":\"PostTask\"}},\"cat\":\"toplevel\",\
             \"dur\":{},\"name\":\"ThreadControllerImpl::RunTask\",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":{i}}},",
            numbers.below(1000)
        )?;
    }
    out.write_all(b"{\"args\":{\"dumps\":{\"heaps_v2\":{\"allocators\":{\"malloc\":{\"counts\":[")?;
    let columns: [(&str, u64, u64, u64); 4] = [
        ("", 1, 5000, 1),
        ("],\"nodes\":[", 1, n_nodes, 2),
        ("],\"sizes\":[", 1, 200_000, 10),
        ("],\"types\":[", 0, n_types, 1),
    ];
    for (name, least, below, step) in columns {
        out.write_all(name.as_bytes())?;
        for row in 0..n_rows {
            let comma = if row > 0 { "," } else { "" };
            write!(out, "{comma}{}", least + numbers.below(below) * step)?;
        }
    }
    out.write_all(b"]}},\"maps\":{\"nodes\":[")?;
    for i in 0..n_nodes {
        let comma = if i > 0 { "," } else { "" };
        // A parent comes before its children; about every fiftieth frame is outermost.
        let parent = numbers.below(i.max(1));
        let (id, sid) = (2 * i + 1, 2 * (i % 20_000));
        if i % 50 == 0 {
            write!(out, "{comma}{{\"id\":{id},\"name_sid\":{sid}}}")?;
        } else {
            write!(out, "{comma}{{\"id\":{id},\"name_sid\":{sid},\"parent\":{}}}", 2 * parent + 1)?;
        }
    }
    out.write_all(b"],\"strings\":[")?;
    for i in 0..20_000 {
        let comma = if i > 0 { "," } else { "" };
        write!(out, "{comma}{{\"id\":{},\"string\":\"pc:55a6{:08x}\"}}", 2 * i, 0x2400_0000u64 + i * 173)?;
    }
    for i in 0..n_types {
        write!(out, ",{{\"id\":{},\"string\":\"blink::Type{i}\"}}", 100_000 + i)?;
    }
    out.write_all(b"],\"types\":[")?;
    for i in 0..n_types {
        let comma = if i > 0 { "," } else { "" };
        write!(out, "{comma}{{\"id\":{i},\"name_sid\":{}}}", 100_000 + i)?;
    }
    out.write_all(
        b"]},\"version\":1},\"level_of_detail\":\"detailed\"}},\"cat\":\"disabled-by-default-memory-infra\",\
          \"id\":\"0x1\",\"name\":\"periodic_interval\",\"ph\":\"v\",\"pid\":1,\"tid\":-1,\"ts\":1000}\n]}\n",
    )?;
    out.flush()
}
