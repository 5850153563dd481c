#!/usr/bin/env python3
"""Races heap-tools against what people would otherwise use, and writes RESULTS.md beside this file.

    tests/bench/peers.py [--work DIR] [--tools DIR] [--runs N] [--only GLOB] [--skip-4g]
    tests/bench/peers.py --check [FILE...] [--work DIR] [--tools DIR]

Needs Linux, Rust, Node with npm, Python 3, jq and GNU time; installs the peers from their registries into DIR/peers
(v8-heap-parser by cargo; memlab, chrome-devtools-frontend and esbuild by npm; duckdb, numpy and zstandard by pip), makes
the inputs in DIR, and runs each race's commands in turn, A B A B …, so that a drifting machine strikes all of them.
Figures are the operating system's: wall and processor seconds, and the largest resident set of each process. Every run is
kept in runs.ndjson. Races with inputs of several sizes stand in a second table too, by process, which shows the growth.
DIR is target/bench unless told otherwise; inputs and peers take 6 GB there.
"""

import argparse
import fnmatch
import json
import os
import platform
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIMIT = 600  # seconds that one run may take


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--work", type=Path, default=ROOT / "target" / "bench")
    parser.add_argument("--tools", type=Path, help="folder of tools that are built already")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="*", help="races whose name this matches")
    parser.add_argument("--skip-4g", action="store_true")
    parser.add_argument("--check", type=Path, nargs="*", metavar="FILE",
                        help="race nothing; compare the peers' sums of these files, or of the inputs, with heap-sum's")
    return parser.parse_args()


def sh(command, cwd=None):
    print("+", command, file=sys.stderr, flush=True)
    subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=cwd, check=True)


def build(work):
    """The tools, as users install them."""
    target = os.environ.get("CARGO_TARGET_DIR", ROOT / "target")
    sh("cargo build --release --locked --bins --examples", ROOT)
    return Path(target) / "release"


V8_PEER = """
fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let bytes = std::fs::read(path).expect("readable");
    let graph = v8_heap_parser::decode_slice(&bytes).expect("a snapshot");
    println!("{}", graph.nodes().len());
}
"""

JSON_PARSE = """
const fs = require('fs');
const file = process.argv[2];
console.log(Object.keys(JSON.parse(fs.readFileSync(file, 'utf8'))).length);
"""

PYTHON_SUM = """
import collections, json, sys
d = json.load(open(sys.argv[1], 'rb'))
f = d['snapshot']['meta']['node_fields']
n, w = d['nodes'], len(f)
sums = collections.Counter()
for kind, name, size in zip(n[f.index('type')::w], n[f.index('name')::w], n[f.index('self_size')::w]):
    sums[kind, name] += size
print(len(sums))
"""

DUCKDB_SUM = """
import duckdb, sys
q = '''select heap.class, count(*), sum(heap.size) from read_json(?, format='newline_delimited',
    columns={'type': 'varchar', 'heap': 'struct(size bigint, class bigint)'}) where type = 'node' group by 1'''
print(len(duckdb.execute(q, [sys.argv[1]]).fetchall()))
"""

TRACE_SUM = """
import collections, json, sys
sums = collections.Counter()
for event in json.load(open(sys.argv[1], 'rb'))['traceEvents']:
    dumps = event.get('args', {}).get('dumps')
    heaps = dumps.get('heaps_v2', {}) if isinstance(dumps, dict) else {}
    for heap in heaps.get('allocators', {}).values():
        for kind, size in zip(heap.get('types', []), heap.get('sizes', [])):
            sums[kind] += size
print(len(sums))
"""

DEVTOOLS = """
import * as Worker from 'chrome-devtools-frontend/front_end/entrypoints/heap_snapshot_worker/heap_snapshot_worker.js';
import * as Model from 'chrome-devtools-frontend/front_end/models/heap_snapshot/heap_snapshot.js';
import fs from 'node:fs';
Promise.withResolvers ??= () => { let a, b; const promise = new Promise((x, y) => { [a, b] = [x, y]; }); return {promise, resolve: a, reject: b}; };
const loader = new Worker.HeapSnapshotLoader.HeapSnapshotLoader({sendEvent() {}});
for await (const chunk of fs.createReadStream(process.argv[2], {encoding: 'utf8', highWaterMark: 1 << 22})) {
  loader.write(chunk);
  await new Promise(setImmediate);
}
loader.close();
const channel = new MessageChannel();
new Worker.HeapSnapshot.SecondaryInitManager(channel.port2);
const snapshot = await loader.buildSnapshot(channel.port1);
channel.port1.close();
console.log(Object.keys(snapshot.aggregatesWithFilter(new Model.HeapSnapshotModel.NodeFilter())).length);
"""

MEMLAB = """
const {getFullHeapFromFile} = require('@memlab/heap-analysis');
getFullHeapFromFile(process.argv[2]).then(heap => {
  const sums = new Map();
  heap.nodes.forEach(n => { sums.set(n.name, (sums.get(n.name) || 0) + n.retainedSize); });
  console.log(sums.size);
});
"""

LOCALES = "\n".join(
    ["export const LOCALES = ['en-US'];", "export const BUNDLED_LOCALES = ['en-US'];",
     "export const DEFAULT_LOCALE = 'en-US';", "export const REMOTE_FETCH_PATTERN = '';",
     "export const LOCAL_FETCH_PATTERN = '';"])


def peers(folder, tools, wanted=None):
    """Installs the peers, all or those wanted; what cannot be had is left out, and said."""
    folder.mkdir(parents=True, exist_ok=True)
    have = {}

    def attempt(name, make):
        if wanted and name not in wanted:
            return
        try:
            have[name] = make()
        except (subprocess.CalledProcessError, OSError) as error:
            print(f"peers.py: {name} is left out: {error}", file=sys.stderr)

    def written(name, text):
        (folder / name).write_text(text)
        return folder / name

    def v8_heap_parser():
        crate = folder / "v8-heap-parser"
        (crate / "src").mkdir(parents=True, exist_ok=True)
        (crate / "Cargo.toml").write_text(
            '[package]\nname = "peer"\nversion = "0.0.0"\nedition = "2021"\n'
            '[dependencies]\nv8-heap-parser = "1.1"\n[workspace]\n')
        (crate / "src" / "main.rs").write_text(V8_PEER)
        sh(f"CARGO_TARGET_DIR={shlex.quote(str(crate / 'target'))} cargo build --release", crate)
        return f"{crate}/target/release/peer"

    def devtools():
        npm = folder / "devtools"
        npm.mkdir(exist_ok=True)
        if not (npm / "node_modules").exists():
            sh("npm install --no-audit --no-fund --loglevel=error chrome-devtools-frontend@1.0.1705227 esbuild@0.28", npm)
        front = npm / "node_modules" / "chrome-devtools-frontend" / "front_end"
        (front / "core" / "i18n" / "locales.js").write_text(LOCALES)
        (npm / "load.mjs").write_text(DEVTOOLS)
        sh("node_modules/.bin/esbuild load.mjs --bundle --platform=node --format=esm --log-level=error "
           "--loader:.css=empty --outfile=bundle.mjs", npm)
        return f"node --max-old-space-size=16000 {npm}/bundle.mjs"

    def memlab():
        npm = folder / "memlab"
        npm.mkdir(exist_ok=True)
        if not (npm / "node_modules").exists():
            sh("PUPPETEER_SKIP_DOWNLOAD=1 npm install --no-audit --no-fund --loglevel=error @memlab/heap-analysis", npm)
        (npm / "load.js").write_text(MEMLAB)
        return f"node --max-old-space-size=16000 {npm}/load.js"

    def python_with(name, *packages):
        venv = folder / name
        if not (venv / "bin" / "python").exists():
            quoted = shlex.quote(str(venv))
            install = f"python3 -m venv {quoted} && {quoted}/bin/pip install -q {' '.join(packages)}"
            sh(f"{install} || {{ rm -rf {quoted}; false; }}")
        return f"{venv}/bin/python"

    def columns():
        example = tools / "examples" / "columns"
        if not example.exists():
            raise OSError(f"there is no {example}")
        return str(example)

    attempt("JSON.parse", lambda: f"node --max-old-space-size=16000 {written('json-parse.js', JSON_PARSE)}")
    attempt("v8-heap-parser", v8_heap_parser)
    attempt("DevTools' worker", devtools)
    attempt("memlab", memlab)
    attempt("DuckDB", lambda: f"{python_with('duckdb', 'duckdb')} {written('duckdb_sum.py', DUCKDB_SUM)}")
    attempt("Python json", lambda: f"{sys.executable} {written('sum.py', PYTHON_SUM)}")
    attempt("Python json, trace", lambda: f"{sys.executable} {written('trace.py', TRACE_SUM)}")
    attempt("Python, Dart", lambda: f"{sys.executable} {HERE}/peers/dart_sum.py")
    attempt("Python numpy", lambda: f"{python_with('numpy', 'numpy', 'zstandard')} {HERE}/peers/moarvm_sum.py")
    attempt("zstd alone", columns)
    return have


def make_trace(path, rows=1_000_000):
    """A memory-infra trace of version 2 with many rows, in one event."""
    step = range(rows)
    entries = {
        "nodes": [1 + i % 50_000 for i in step], "types": [1 + i % 997 for i in step],
        "counts": [1 + i % 7 for i in step], "sizes": [16 + i * 37 % 4096 for i in step],
    }
    maps = {
        "nodes": [{"id": 1 + i, "name_sid": 1 + i % 9000, **({"parent": 1 + i // 3} if i else {})} for i in range(50_000)],
        "types": [{"id": 1 + i, "name_sid": 9001 + i} for i in range(997)],
        "strings": [{"id": 1 + i, "string": f"frame_{i}" if i < 9000 else f"Type{i - 9000}"} for i in range(9997)],
    }
    heaps = {"version": 1, "maps": maps, "allocators": {"malloc": entries}}
    event = {"name": "explicitly_triggered", "ph": "v", "pid": 7, "ts": 1000, "cat": "disabled-by-default-memory-infra",
             "id": "0x1", "args": {"dumps": {"level_of_detail": "detailed", "heaps_v2": heaps}}}
    path.write_text(json.dumps({"traceEvents": [event]}, separators=(",", ":")))


def inputs(work, tools, skip_4g):
    """Makes what is not there yet; name → path."""
    files = {name: work / file for name, file in {
        "V8 100 MB": "100M.heapsnapshot", "V8 1 GB": "1G.heapsnapshot", "V8 4 GB": "4G.heapsnapshot",
        "stream": "100M.ndjson", "MoarVM": "100M.mvmheap", "MoarVM 30 M rows": "trees.mvmheap", "Dart": "100M.dartheap", "trace": "trace.json"}.items()}
    small, large, huge = files["V8 100 MB"], files["V8 1 GB"], files["V8 4 GB"]
    for size, path in [("100M", small), ("1G", large)]:
        if not path.exists():
            sh(f"node {HERE}/make-v8.mjs {size} {shlex.quote(str(path))}")
    if skip_4g:
        del files["V8 4 GB"]
    elif not huge.exists():
        sh(f"{tools}/examples/repeat {shlex.quote(str(large))} 4 {shlex.quote(str(huge))}")
    for name, command in [
        ("stream", f"{tools}/heap-cat {small} > {files['stream']}"),
        ("MoarVM", f"{tools}/heap-to moarvm -o {files['MoarVM']} {small}"),
        ("Dart", f"{tools}/heap-to dart -o {files['Dart']} {small}"),
    ]:
        if not files[name].exists():
            sh(command)
    trees = files["MoarVM 30 M rows"]
    if not trees.exists():
        # The benchmark leaves the file that it makes for itself.
        made = f"HEAP_MOAR_TREES=150 HEAP_MOAR_FILE={shlex.quote(str(trees.resolve()))}"
        sh(f"{made} cargo bench --locked -p heap-tools-moar --bench big", ROOT)
    if not files["trace"].exists():
        make_trace(files["trace"])
    return files


def repeated(path, number):
    """What the first copy calls this node in a file that `repeat` made: it adds one number to all of a copy's."""
    with open(path, "rb") as file:
        head = file.read(1 << 16).decode(errors="replace")
    fields = json.JSONDecoder().raw_decode(head, head.index('"node_fields":') + 14)[0]
    numbers = head.split('"nodes":[')[1].split(",")[fields.index("id")::len(fields)]
    # The new root has the number of the old one, which comes next.
    return number + int(numbers[1]) - int(numbers[0])


def once(command, tools):
    """One run: exit status, wall, cpu, the largest process in MiB, and each process of the pipeline."""
    environment = {**os.environ, "PATH": f"{Path(tools).resolve()}:{os.environ['PATH']}"}
    # In a process of its own, which reports the processor time of its children alone.
    probe = (
        "import resource,subprocess,sys,time\n"
        "began = time.monotonic()\n"
        f"code = subprocess.run(['timeout','{LIMIT}','bash','-o','pipefail','-c',sys.argv[1]],"
        "stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL).returncode\n"
        "wall, used = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(code, wall, used.ru_utime + used.ru_stime)")
    with tempfile.NamedTemporaryFile("r", suffix=".times") as times:
        # A process is charged with the memory of the one that started it, so a small one starts it: time(1).
        timed = f"command time -q -a -o {shlex.quote(times.name)} -f '%M %e %U %S %C' "
        command = " | ".join(timed + stage for stage in command.split(" | "))
        done = subprocess.run([sys.executable, "-c", probe, command], env=environment, capture_output=True, text=True,
                              check=True)
        status, wall, cpu = done.stdout.split()
        processes = [line.split(maxsplit=5)[:5] for line in times]
    processes = [{"name": Path(name).name, "wall": float(wall), "cpu": round(float(user) + float(system), 2),
                  "peak_mib": round(int(peak) / 1024, 1)} for peak, wall, user, system, name in processes]
    return {"status": int(status), "wall": round(float(wall), 3), "cpu": round(float(cpu), 3),
            "peak_mib": max((p["peak_mib"] for p in processes), default=0), "processes": processes}


def races(files, peer):
    """Name, input, our command, the others' commands."""
    pipeline = "heap-cat {} | heap-filter --type Array | heap-sum"
    decoders = ["JSON.parse", "v8-heap-parser", "DevTools' worker"]
    whole = ["DevTools' worker", "memlab"]
    # No peer: what both need as well.
    retained = {"heap-sum --sort retained": "heap-sum --sort retained {}"}
    named = lambda names: {n: peer[n] + " {}" for n in names if n in peer}
    table = [
        ("pipeline, 100 MB", "V8 100 MB", pipeline, named(decoders)),
        ("pipeline, 1 GB", "V8 1 GB", pipeline, named(["v8-heap-parser"])),
        ("sum, 100 MB", "V8 100 MB", "heap-sum {}", named([*decoders, "Python json"])),
        ("sum, 1 GB", "V8 1 GB", "heap-sum {}", named(["v8-heap-parser"])),
        ("retained, 100 MB", "V8 100 MB", "heap-sum --sort retained {}", named(whole)),
        ("retained, 1 GB", "V8 1 GB", "heap-sum --sort retained {}", named(whole)),
        ("path, 100 MB", "V8 100 MB", "heap-path --id @1001 {}", {}),
        ("path, 1 GB", "V8 1 GB", "heap-path --id @1001 {}", {}),
        ("page, 100 MB", "V8 100 MB", "heap-view {}", retained),
        ("page, 1 GB", "V8 1 GB", "heap-view {}", retained),
        ("suspects, 100 MB", "V8 100 MB", "heap-suspects {}", retained),
        ("suspects, 1 GB", "V8 1 GB", "heap-suspects {}", retained),
        ("dominators, 1 GB", "V8 1 GB", "heap-dom {} | heap-sum --sort retained", {}),
        ("walk a piece, 1 GB", "V8 1 GB", "heap-walk --class Session3 --depth 4 {} | heap-to v8", {}),
        ("diff, 100 MB", "V8 100 MB", "heap-diff {0} {0}", {}),
        ("diff by class, 100 MB", "V8 100 MB", "heap-diff --classes {0} {0}", {}),
        ("redact, 100 MB", "V8 100 MB", "heap-redact {}", {}),
        ("check, 100 MB", "V8 100 MB", "heap-check {}", {}),
        ("names, 100 MB", "V8 100 MB", "heap-names {}", {}),
        ("strings, 100 MB", "V8 100 MB", "heap-strings {}", {}),
        ("grep, 100 MB", "V8 100 MB", "heap-grep -F Session3 {}", {"grep -F": "grep -F Session3 {} | cat"}),
        ("to sqlite, 100 MB", "V8 100 MB", "heap-to sqlite -o /dev/shm/heap-tools.db {} && rm /dev/shm/heap-tools.db", {}),
        ("v8 to stream to v8, 100 MB", "V8 100 MB", "heap-cat {} | heap-to v8", {}),
        ("filter a stream", "stream", "heap-filter --type Array {} | cat", {"grep -F": "grep -F Array {} | cat", "jq": "jq -c 'select(.type==\"node\")' {}"}),
        ("copy a stream", "stream", "heap-cat {} | cat", {"cat": "cat {} | cat"}),
        ("sum a stream", "stream", "heap-sum {}", named(["DuckDB"])),
        ("sum, MoarVM", "MoarVM", "heap-sum {}", named(["Python numpy", "zstd alone"])),
        ("sum, MoarVM 30 M rows", "MoarVM 30 M rows", "heap-sum {}", named(["Python numpy", "zstd alone"])),
        ("sum, Dart", "Dart", "heap-sum {}", {"Python": peer["Python, Dart"] + " {}"}),
        ("sum, trace", "trace", "heap-sum {}", {"Python json": peer["Python json, trace"] + " {}"}),
        ("pipeline, 4 GB", "V8 4 GB", pipeline, {}),
        ("retained, 4 GB", "V8 4 GB", "heap-sum --sort retained {}", {}),
    ]
    if "V8 4 GB" in files:
        table.append(("path, 4 GB", "V8 4 GB", f"heap-path --id @{repeated(files['V8 4 GB'], 1001)} {{}}", {}))
    return [race for race in table if race[1] in files]


def main():
    args = arguments()
    if not shutil.which("time"):
        sys.exit("peers.py: there is no GNU time")
    args.work.mkdir(parents=True, exist_ok=True)
    tools = args.tools or build(args.work)
    if args.check is not None:
        return check(args, tools)
    files = inputs(args.work, tools, args.skip_4g)
    peer = peers(args.work / "peers", tools)
    store = HERE / "runs.ndjson"
    # Races that are not run now keep their runs.
    old = [json.loads(line) for line in open(store)] if store.exists() else []
    table = races(files, peer)
    now = {race[0] for race in table if fnmatch.fnmatch(race[0], args.only)}
    runs = [run for run in old if run["race"] not in now]
    for name, source, ours, others in table:
        if name not in now:
            continue
        commands = {"heap-tools": ours, **others}
        failed = set()
        for turn in range(args.runs + 1):
            for who, command in commands.items():
                if who in failed:
                    continue
                run = once(command.format(shlex.quote(str(files[source]))), tools)
                print(name, who, run, file=sys.stderr, flush=True)
                if run["status"]:
                    failed.add(who)  # It would fail again.
                elif turn == 0:
                    continue  # The first turn fills caches.
                runs.append({"race": name, "who": who, "machine": machine(), "command": shown(command).format(source), **run})
    with open(store, "w") as out:
        out.writelines(json.dumps(run) + "\n" for run in runs)
    idle = statistics.median(once("true", tools)["wall"] for _ in range(5))
    write(runs, table, files, idle)


def check(args, tools):
    """Whether the peers that print their sums get what heap-sum gets; they are raced as its equals."""
    peer = peers(args.work / "peers", tools, ["Python, Dart", "Python numpy"])
    paths, differing = args.check, 0
    if not paths:
        files = inputs(args.work, tools, skip_4g=True)
        paths = [files[name] for name in ("MoarVM", "MoarVM 30 M rows", "Dart")]
    for path in paths:
        with open(path, "rb") as file:
            who = "Python, Dart" if file.read(8) == b"dartheap" else "Python numpy"
        ours, theirs = (
            {row["class"]: (row["count"], row["size"], row.get("external", 0)) for row in map(json.loads, rows.splitlines())}
            for rows in (subprocess.run([*command, path], capture_output=True, check=True).stdout
                         for command in ([tools / "heap-sum"], shlex.split(peer[who]))))
        different = [name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]
        print(f"{path}: {len(ours)} classes, {sum(row[1] for row in ours.values())} bytes; "
              f"{who} differs in {len(different)}", *different[:3])
        differing += bool(different)
    return 1 if differing else 0


def shown(command):
    """A command without the folders of this machine."""
    return " ".join(Path(word).name if word.startswith("/") else word for word in command.split())


def machine():
    model = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), platform.machine())
    return f"{model}, {os.cpu_count()} processors, {platform.system()} {platform.release().split('-')[0]}"


def write(runs, table, files, idle):
    """The medians, in the order of the table."""
    sizes = ", ".join(f"{name} {path.stat().st_size / 1e6:,.0f} MB" for name, path in files.items())
    # Those of most races first; a race runs on one machine.
    raced = {}
    for run in runs:
        raced.setdefault(run["machine"], {})[run["race"]] = None
    first, *others = sorted(raced, key=lambda name: -len(raced[name]))
    machines = first + "".join(f"; of {', '.join(f'“{race}”' for race in raced[name])}: {name}" for name in others)
    lines = [
        "# Results", "",
        "Written by `tests/bench/peers.py`; every run is in `runs.ndjson`. Medians of runs taken in turn, after one turn "
        "that is not counted.", "",
        f"Machine: {machines}.",
        f"Inputs: {sizes}.", "",
        "`ratio` is our wall time through theirs. `peak` is the largest process. `zstd alone` is no peer but a floor: it "
        f"decodes the columns that the sum needs and adds nothing up. The shell and the clocks around a command take "
        f"{idle * 1000:.0f} ms of its wall time.", "",
        "| race | who | runs | wall s | cpu s | peak MiB | ratio |", "|---|---|--:|--:|--:|--:|--:|",
    ]
    for name, _, _, others in table:
        ours = None
        for who in ["heap-tools", *others]:
            those = [r for r in runs if r["race"] == name and r["who"] == who]
            if not those:
                continue
            wall, cpu, peak = (statistics.median(r[k] for r in those) for k in ("wall", "cpu", "peak_mib"))
            ours = ours or wall
            failed = next((r["status"] for r in those if r["status"]), 0)
            ratio = "" if who == "heap-tools" else f"failed, status {failed}" if failed else f"{ours / wall:.3f}"
            lines.append(f"| {name} | {who} | {len(those)} | {wall:.2f} | {cpu:.2f} | {peak:,.0f} | {ratio} |")
    lines += memory(runs, table, files)
    results = HERE / "RESULTS.md"
    # What follows this heading is written by hand and kept.
    _, heading, notes = results.read_text().partition("\n## Measurements and trials\n") if results.exists() else ("", "", "")
    results.write_text("\n".join(lines) + "\n" + heading + notes)


def memory(runs, table, files):
    """The races of several sizes, by process."""
    head = [
        "", "## Memory by size", "",
        "The same runs by process. Where time and memory grow as the input does, the columns per GB stay the same.", "",
        "| race | process | runs | peak MiB | cpu s | wall s | MiB per GB | cpu s per GB | wall s per GB |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    lines = []
    sizes = [f"{kind}, {size}" for kind in ("pipeline", "retained", "path") for size in ("100 MB", "1 GB", "4 GB")]
    races = {name: (source, command) for name, source, command, _ in table}
    for race in filter(races.get, sizes):
        source, command = races[race]
        size = files[source].stat().st_size / 1e9
        for name in [stage.split()[0] for stage in command.split(" | ")]:
            those = [p for r in runs if r["race"] == race and r["who"] == "heap-tools"
                     for p in r.get("processes", []) if p["name"] == name]
            if those:
                peak, cpu, wall = (statistics.median(p[k] for p in those) for k in ("peak_mib", "cpu", "wall"))
                lines.append(f"| {race} | {name} | {len(those)} | {peak:,.1f} | {cpu:.2f} | {wall:.2f} | "
                             f"{peak / size:,.0f} | {cpu / size:.2f} | {wall / size:.2f} |")
    return head + lines if lines else []


if __name__ == "__main__":
    sys.exit(main())
