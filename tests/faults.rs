//! What goes wrong around a tool, and input that means harm. `tests/faults.sh` has what takes minutes.

use std::fmt::Write as _;

use crate::harness::{Scratch, grown_sample, readers, stream_sample, v8_sample, zstd};

/// How each tool is called on one FILE; heap-to writes V8's form to standard output.
fn commands() -> Vec<String> {
    let command = |tool: String| match tool.as_str() {
        "heap-diff" => format!("{tool} --classes --all x.ndjson"),
        "heap-grep" => format!("{tool} -e e"),
        "heap-path" | "heap-show" => format!("{tool} --id 1"),
        "heap-to" => format!("{tool} v8"),
        _ => tool,
    };
    readers().into_iter().map(command).collect()
}

/// A stream too long for any pipe.
fn long(scratch: &Scratch) {
    scratch.write("long.ndjson", stream_sample(30_000));
}

#[test]
fn a_pipe_may_close_at_any_stage() {
    let scratch = Scratch::new();
    long(&scratch);
    let stages = [
        "heap-cat long.ndjson",
        "heap-filter --max-size 1G",
        "heap-redact",
        "heap-dom",
        "heap-names",
        "heap-cat",
    ];
    for end in 1..=stages.len() {
        let pipeline = stages[..end].join(" | ");
        let run = scratch.run(&format!("{pipeline} | true; echo ${{PIPESTATUS[*]}}")).quiet(0);
        assert_eq!(run.out.trim(), vec!["0"; end + 1].join(" "), "{pipeline}");
        let run =
            scratch.run(&format!("{pipeline} | head -n 3 > /dev/null; echo ${{PIPESTATUS[*]}}")).quiet(0);
        assert_eq!(run.out.trim(), vec!["0"; end + 1].join(" "), "{pipeline}");
    }
}

#[test]
fn a_disk_may_be_full_at_any_stage() {
    let scratch = Scratch::new();
    long(&scratch);
    // Of what is sound heap-check says nothing.
    for command in commands().into_iter().filter(|command| !command.starts_with("heap-check")) {
        let to = if command.starts_with("heap-to ") { " -o /dev/full" } else { " > /dev/full" };
        let tool = command.split(' ').next().unwrap_or_default();
        scratch.run(&format!("{command} long.ndjson{to}")).complains(
            2,
            &format!("{tool}: "),
            "no space left",
        );
    }
    let run = scratch.run("heap-cat long.ndjson | tee /dev/full 2> /dev/null | heap-sum | wc -l");
    assert_eq!(run.quiet(0).out.trim(), "9");
    // No folder for spools. (Files of that size are made by faults.sh.)
    scratch.write("packed.zst", zstd(v8_sample().as_bytes()));
    scratch.run("TMPDIR=/nosuch heap-sum packed.zst").quiet(0);
}

#[test]
fn an_interrupted_tool_leaves_nothing() {
    let scratch = Scratch::new();
    // Above 32 MiB what has to be read twice goes to a spool.
    scratch.write("large.ndjson", stream_sample(200_000));
    for tool in ["heap-dom", "heap-redact", "heap-walk --class Class2"] {
        for signal in ["INT", "TERM"] {
            // The pipe is held open: all is read, and the tool waits for more.
            let script = format!(
                "mkfifo pipe; env --default-signal={signal} {tool} < pipe > /dev/null & exec 3> pipe; rm pipe; cat large.ndjson >&3; \
                 ls -l /proc/$!/fd | grep -c 'tmp.*deleted'; kill -{signal} $!; wait $! 2> /dev/null; echo $?; ls tmp"
            );
            let run = scratch.run(&script);
            let lines: Vec<_> = run.out.lines().collect();
            assert!(lines.len() == 2 && lines[0] != "0", "{tool}: {} {}", run.out, run.err);
            assert!(lines[1].parse::<u32>().is_ok_and(|status| status > 128), "{tool}: {}", run.out);
        }
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let scratch = Scratch::new();
    scratch.run("ln -s loop loop; mkdir folder; : > empty").quiet(0);
    let cases = [
        ("folder", "is a directory"),
        ("nosuch", "no such file"),
        ("loop", "loop"),
        ("x.ndjson/x", "not a directory"),
        ("/proc/self/mem", "input/output error"),
        ("empty", "empty input"),
        ("/dev/null", "empty input"),
    ];
    for command in commands() {
        let tool = command.split(' ').next().unwrap_or_default();
        for (file, what) in cases {
            scratch.run(&format!("{command} {file}")).complains(2, &format!("{tool}: {file}: "), what);
        }
    }
}

#[test]
fn a_file_may_shrink_while_it_is_read() {
    let scratch = Scratch::new();
    let v8 = v8_sample();
    // A list of edges long enough to be on the way when the file is cut.
    let (head, tail) = v8.split_once("\"edges\":[").expect("a snapshot");
    let big = format!("{head}\"edges\":[{}{tail}", "1,1,7,".repeat(2_000_000));
    for (name, bytes) in [("shrinks.ndjson", stream_sample(100_000)), ("shrinks.heapsnapshot", big)] {
        for command in ["heap-cat", "heap-dom", "heap-redact", "heap-sum"] {
            scratch.write(name, &bytes);
            let script = format!(
                "{{ {command} {name}; echo $? > status; }} 2> messages | (head -c 100 > /dev/null; \
                 truncate -s 300000 {name}; cat > /dev/null); cat messages; cat status"
            );
            let run = scratch.run(&script).quiet(0);
            let lines: Vec<_> = run.out.lines().collect();
            let status = lines.last().copied().unwrap_or_default();
            // It may have been read before it shrank.
            assert!(lines.len() <= 2 && matches!(status, "0" | "2"), "{command} {name}: {}", run.out);
            assert!(!run.out.contains("internal"), "{command} {name}: {}", run.out);
        }
    }
}

#[test]
fn a_file_that_changes_while_it_is_read_is_no_answer() {
    let scratch = Scratch::new();
    let big = grown_sample(60_000);
    let changes = [
        ("printf ' ' >> FILE", "is still being written while it was read"),
        ("touch -d 1999-01-01 FILE", "has changed while it was read"),
        ("truncate -s 300000 FILE", "was cut while it was read"),
    ];
    for (name, bytes) in [("x.nd", stream_sample(100_000)), ("x.snapshot", big)] {
        for (change, what) in changes {
            scratch.write(name, &bytes);
            let change = change.replace("FILE", name);
            // The tool cannot go on before the change, because nobody takes what it writes.
            let script = format!(
                "{{ heap-cat {name}; echo $? > status; }} 2> messages | (head -c 100 > /dev/null; {change}; \
                 tail -n 1 | grep -c heap.end); cat messages status"
            );
            let run = scratch.run(&script);
            let lines: Vec<_> = run.out.lines().collect();
            assert!(lines.len() == 3 && lines[0] == "0" && lines[2] == "2", "{name}, {change}: {}", run.out);
            assert!(
                lines[1].starts_with(&format!("heap-cat: {name}: ")) && lines[1].contains(what),
                "{}",
                run.out
            );
        }
    }
}

#[test]
fn many_pipelines_leave_no_files() {
    let scratch = Scratch::new();
    let run = scratch.run(
        "ulimit -n 32; set -o pipefail; for i in $(seq 60); do \
         heap-cat x.heapsnapshot | heap-redact | heap-dom | heap-sum > /dev/null || exit 1; \
         heap-cat x.ndjson.zst | head -n 1 > /dev/null; done; ls -A tmp | grep -v '^[.]\\(out\\|err\\)$'; ls /proc/$$/fd | wc -l",
    );
    assert_eq!(run.status, Some(0), "{}", run.err);
    assert!(run.out.trim().parse::<u32>().is_ok_and(|n| n < 8), "{}", run.out);
}

/// Lines that mean harm, each put into a sound stream.
fn hostile() -> Vec<(&'static str, String)> {
    let mut cases = Vec::new();
    let mut fields = String::new();
    for i in 0..300_000 {
        let _ = write!(fields, ",\"f{i}\":{i}");
    }
    cases.push((
        "hundreds of thousands of fields",
        format!("{{\"type\":\"node\",\"subtype\":2,\"identifier\":9001{fields},\"heap\":{{\"size\":1}}}}\n"),
    ));
    cases.push((
        "nested without end",
        format!("{{\"type\":\"x.y\",\"a\":{}1{}}}\n", "[".repeat(100_000), "]".repeat(100_000)),
    ));
    let name = "\\u001b]0;title\\u0007\\u001b[2J\\nroot# rm\\u009b31m\\u202e\\u0000";
    cases.push((
        "names with escapes",
        format!(
            "{{\"type\":\"string\",\"stringid\":900,\"data\":\"{name}\"}}\n\
             {{\"type\":\"node\",\"subtype\":2,\"identifier\":9001,\"heap\":{{\"size\":99999,\"class\":900,\"name\":900}}}}\n\
             {{\"type\":\"edge\",\"subtype\":1,\"source\":1,\"dest\":9001,\"label\":900}}\n"
        ),
    ));
    let node = |id: &str, size: &str| {
        format!(
            "{{\"type\":\"node\",\"subtype\":2,\"identifier\":{id},\"heap\":{{\"size\":{size},\"class\":2}}}}\n"
        )
    };
    cases.push(("duplicate ids", node("3", "8").repeat(1000)));
    cases.push(("sizes near 2^64", node("9001", "\"0xffffffffffffffff\"").repeat(3)));
    cases
        .push(("ids near 2^63", node("\"0x7fffffffffffffff\"", "8") + &node("\"-0x7fffffffffffffff\"", "8")));
    let edge = |source: &str, dest: &str| {
        format!("{{\"type\":\"edge\",\"subtype\":1,\"source\":{source},\"dest\":{dest},\"label\":1}}\n")
    };
    cases.push(("edges to nowhere", edge("\"0x7fffffffffffffff\"", "77777777777") + &edge("1", "12345677")));
    cases.push((
        "strings numbered anyhow",
        ["9007199254740991", "-9007199254740991", "4294967296", "1099511627776"]
            .map(|id| format!("{{\"type\":\"string\",\"stringid\":{id},\"data\":\"x\"}}\n"))
            .concat(),
    ));
    cases.push((
        "subtypes near 2^32",
        "{\"type\":\"node_type\",\"nodetypeid\":4294967295,\"name\":\"a\"}\n\
         {\"type\":\"edge_type\",\"edgetypeid\":4294967295,\"name\":\"b\"}\n"
            .to_owned()
            + "{\"type\":\"node\",\"subtype\":4294967295,\"identifier\":9001,\"heap\":{\"size\":1}}\n"
            + "{\"type\":\"edge\",\"subtype\":4294967295,\"source\":9001,\"dest\":9001,\"label\":1}\n",
    ));
    let frames = [[9001, 9003], [9003, 9005], [9005, 9001], [9005, 9005]];
    let mut cyclic = "{\"type\":\"node_type\",\"nodetypeid\":8,\"name\":\"heap.frame\",\"fields\":{\"function\":\"string\"}}\n\
         {\"type\":\"node_type\",\"nodetypeid\":9,\"name\":\"heap.allocation\"}\n\
         {\"type\":\"edge_type\",\"edgetypeid\":8,\"name\":\"heap.calls\"}\n\
         {\"type\":\"edge_type\",\"edgetypeid\":9,\"name\":\"heap.allocated\"}\n"
        .to_owned();
    for id in [9001, 9003, 9005] {
        let _ = writeln!(
            cyclic,
            "{{\"type\":\"node\",\"subtype\":8,\"identifier\":{id},\"function\":1,\"heap\":{{\"size\":1}}}}"
        );
    }
    cyclic += "{\"type\":\"node\",\"subtype\":9,\"identifier\":9007,\"heap\":{\"size\":64,\"class\":2}}\n";
    for [source, dest] in frames {
        let _ = writeln!(cyclic, "{{\"type\":\"edge\",\"subtype\":8,\"source\":{source},\"dest\":{dest}}}");
    }
    cyclic += "{\"type\":\"edge\",\"subtype\":9,\"source\":9005,\"dest\":9007}\n";
    cases.push(("cyclic frames", cyclic));
    cases
}

#[test]
fn hostile_records_do_no_harm() {
    let scratch = Scratch::new();
    let sound = stream_sample(50);
    let (body, end) = sound.trim_end().rsplit_once('\n').expect("lines");
    let mut more: Vec<String> = commands();
    more.extend(
        ["heap-tree --by frame", "heap-tree --by class", "heap-sum --by name", "heap-sum --retained"]
            .map(str::to_owned),
    );
    // With each, whether its output is a table.
    let mut forms: Vec<(String, bool)> = Vec::new();
    for command in more {
        // heap-redact writes rows only if asked for an audit.
        let table = if command == "heap-redact" { " --audit --table" } else { " --table" };
        let help = scratch.run(&format!("{command} --help")).quiet(0).out;
        if help.contains("--table") {
            forms.push((command.clone() + table, true));
        }
        forms.push((command, false));
    }
    for (what, lines) in hostile() {
        scratch.write("hostile.ndjson", format!("{body}\n{lines}{end}\n"));
        for (command, is_table) in &forms {
            let run = scratch.run(&format!("ulimit -v 4000000; timeout 60 {command} hostile.ndjson"));
            let sane = matches!(run.status, Some(0..=2)) && !run.err.contains("internal error");
            assert!(sane, "{what}: {command}: {:?} {}", run.status, run.err);
            let raw = |text: &str| text.chars().any(|c| c.is_control() && c != '\n');
            assert!(!raw(&run.err), "{what}: {command}: {:?}", run.err);
            assert!(!is_table || !raw(&run.out), "{what}: {command}: {:?}", run.out);
        }
    }
}

#[test]
fn of_a_dump_that_is_refused_nothing_is_written() {
    let scratch = Scratch::new();
    scratch.write("bad.heapsnapshot", "{\"snapshot\":{\"meta\":{\"node_fields\":[");
    scratch.write("bad.mvmheap", "MoarHeapDumpv999\0");
    for file in ["bad.heapsnapshot", "bad.mvmheap"] {
        for tool in ["heap-cat", "heap-filter", "heap-names", "heap-redact"] {
            let run = scratch.run(&format!("{tool} {file}")).complains(2, &format!("{tool}: {file}: "), "");
            assert_eq!(run.out, "", "{tool} {file}");
            let good = scratch.run(&format!("{tool} x.ndjson")).quiet(0).out;
            let after = scratch.run(&format!("{tool} {file} x.ndjson"));
            assert_eq!(after.status, Some(2));
            assert!(
                good.starts_with(&after.out) && after.out.len() + 100 > good.len(),
                "{tool} {file}: {}",
                after.out
            );
        }
    }
}

#[test]
fn objects_at_one_address_are_one_message() {
    let scratch = Scratch::new();
    let mut dump = b"JAVA PROFILE 1.0.2\0\0\0\0\x08\0\0\0\0\0\0\0\0".to_vec();
    let mut heap = [&[0x20][..], &0x100_u64.to_be_bytes(), &[0; 4 + 6 * 8 + 4 + 3 * 2]].concat();
    for address in [0x1000_u64, 0x1000, 0x2000, 0x2000, 0x2000] {
        heap.push(0x21);
        heap.extend([&address.to_be_bytes()[..], &[0; 4], &0x100_u64.to_be_bytes(), &[0; 4]].concat());
    }
    dump.extend([0x1c, 0, 0, 0, 0]);
    dump.extend((heap.len() as u32).to_be_bytes());
    dump.extend(heap);
    dump.extend([0x2c, 0, 0, 0, 0, 0, 0, 0, 0]);
    scratch.write("twins.hprof", dump);
    scratch.run("heap-cat twins.hprof > twins.ndjson").quiet(0);
    let tools = [
        "heap-dom",
        "heap-sum --sort retained",
        "heap-path --id 4097",
        "heap-tree",
        "heap-top --key retained",
    ];
    for tool in tools {
        let name = tool.split(' ').next().unwrap_or(tool);
        let dump = scratch.run(&format!("{tool} twins.hprof"));
        let about = format!("{name}: twins.hprof: ");
        dump.complains(2, &about, "3 objects have the address of another one");
        let stream = scratch.run(&format!("{tool} twins.ndjson"));
        stream.complains(2, &format!("{name}: "), "node identifier 4097 occurs twice");
    }
}

#[test]
fn a_dump_without_any_object_is_one_message() {
    let scratch = Scratch::new();
    scratch.write("cut.hprof", b"JAVA PROFILE 1.0.2\0\0\0\0\x08\0\0\0\0\0\0\0\0");
    for by in ["retained", "-retained", "external", "size"] {
        let run = scratch.run(&format!("heap-sum --sort {by} cut.hprof"));
        run.complains(2, "heap-sum: cut.hprof: ", "its end mark is missing");
    }
}

#[test]
fn what_broke_something_once_does_no_more() {
    let scratch = Scratch::new();
    let folder = crate::harness::root().join("tests/data/regressions");
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("a file").path();
        scratch.write("broken", std::fs::read(&path).expect("a file"));
        for command in commands() {
            let run = scratch.run(&format!("ulimit -v 4000000; timeout 60 {command} broken"));
            let lines = run.err.lines().count();
            let sane = matches!(run.status, Some(0..=2)) && !run.err.contains("internal error") && lines < 8;
            assert!(sane, "{}: {command}: {:?} {}", path.display(), run.status, run.err);
        }
    }
}

/// Whether the file has a hidden name until it is complete, as SQLite's, or none.
#[test]
fn an_interrupt_leaves_nothing_behind() {
    let scratch = Scratch::new();
    long(&scratch);
    let script = r#"
        mkfifo f; mkdir d
        for signal in TERM HUP; do for target in sqlite v8 zst parquet; do
            heap-to $target -o d/x f & tool=$!
            exec 3> f; head -c 50000 long.ndjson >&3
            for i in $(seq 100); do [ -n "$(ls -A d)" ] && break; [ $target = sqlite ] || [ $i -lt 20 ] || break; sleep 0.05; done
            [ $target = sqlite ] && stat -c %a d/.x.*
            kill -$signal $tool; [ -z "$hup_ignored" ] || kill -TERM $tool
            wait $tool; echo "$target $?"; exec 3>&-
            find d -type f; rm -rf d/x
        done; done
    "#;
    // Under nohup the hang-up is ignored, here as in the tool; then only the other signal ends it.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0").trim();
    let nohup = u64::from_str_radix(ignored, 16).expect("a mask") & 1 == 1;
    let script = format!("hup_ignored={}\n{script}", if nohup { "1" } else { "" });
    let run = scratch.run(&script);
    let hung_up = if nohup { "143" } else { "129" };
    let expected =
        ["143", hung_up].map(|rc| format!("600\nsqlite {rc}\nv8 {rc}\nzst {rc}\nparquet {rc}\n")).concat();
    assert_eq!(run.out, expected, "{}", run.err);
}

#[test]
fn the_place_of_an_output_is_named_and_a_read_only_file_stays() {
    let scratch = Scratch::new();
    long(&scratch);
    for target in ["v8", "sqlite", "zst"] {
        scratch.run(&format!("heap-to {target} -o no/x long.ndjson")).complains(
            2,
            "heap-to: ",
            "no/x: no such file",
        );
        let script = format!(": > kept; chmod 444 kept; heap-to {target} -o kept long.ndjson");
        scratch.run(&script).complains(2, "heap-to: ", "kept: permission denied");
        scratch.run("[ ! -s kept ] && rm -f kept").quiet(0);
    }
}
