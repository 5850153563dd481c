#!/usr/bin/env python3
"""All commands of tests/hostile/commands on all streams of tests/hostile/streams.rs: memory and time.

usage: tests/hostile.py [--bin FOLDER] [--bytes N] [--only STREAM] [--write]

Needs Linux and a build: `cargo build --release`, in FOLDER (target/release). The streams have N bytes (10 MB). Prints a row
for each stream, and every run that takes more than 16 MB and twelve times its input, more than ten seconds of processor
time, or ends with another status than 0, 1 or 2. --write renews the table in tests/README.md.
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
parser = argparse.ArgumentParser()
parser.add_argument("--bin", default=str(root / "target/release"))
parser.add_argument("--bytes", type=int, default=10_000_000)
parser.add_argument("--only", default="")
parser.add_argument("--write", action="store_true")
args = parser.parse_args()
# Commands run in other folders.
args.bin = os.path.abspath(args.bin)
if not os.access(os.path.join(args.bin, "heap-sum"), os.X_OK):
    parser.error(f"no heap-sum in {args.bin}")


def run(words, folder):
    """Status, peak memory in MB and seconds of a command."""
    pid = os.fork()
    if pid == 0:
        try:
            resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))
            resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            os.chdir(folder)
            null = os.open("/dev/null", os.O_RDWR)
            for stream in range(3):
                os.dup2(null, stream)
            os.execvp(words[0], words)
        finally:
            os._exit(127)
    _, status, used = os.wait4(pid, 0)
    return os.waitstatus_to_exitcode(status), used.ru_maxrss * 1024 / 1e6, used.ru_utime + used.ru_stime


os.environ["PATH"] = args.bin + ":" + os.environ["PATH"]
commands = (root / "tests/hostile/commands").read_text().splitlines()
rows, bad = [], []
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    os.environ["TMPDIR"] = str(folder)
    (folder / "in").mkdir()
    environment = os.environ | {"HOSTILE_FOLDER": str(folder / "in"), "HOSTILE_BYTES": str(args.bytes)}
    make = ["cargo", "test", "-q", "--test", "it", "hostile::streams_are_as_long_as_asked"]
    subprocess.run(make, cwd=root, env=environment, check=True, stdout=subprocess.DEVNULL)
    for stream in sorted((folder / "in").iterdir()):
        if args.only not in stream.name:
            continue
        size = stream.stat().st_size / 1e6
        most, slowest = (0, 0, ""), (0, "")
        for command in commands:
            shutil.rmtree(folder / "out", ignore_errors=True)
            (folder / "out").mkdir()
            words = [str(stream) if word == "@" else word for word in command.split()]
            status, memory, seconds = run(words, folder)
            room = 16 + 12 * size * command.count("@")
            most = max(most, (memory / room, memory, command))
            slowest = max(slowest, (seconds, command))
            if status not in (0, 1, 2) or memory > room or seconds > 10:
                bad.append(f"{stream.name}: {command}: status {status}, {memory:.0f} MB of {room:.0f}, {seconds:.1f} s")
        tool = lambda command: command.removesuffix(" @").removesuffix(" @").replace(" -o out/x", "")
        rows.append(f"| {stream.name} | {size:.1f} | {most[1]:.0f} | `{tool(most[2])}` | {slowest[0]:.1f} | `{tool(slowest[1])}` |")
        print(rows[-1], flush=True)
head = ["| stream | MB | most memory, MB | of | slowest, s | of |", "|---|---:|---:|---|---:|---|"]
tail = ["", f"{len(commands)} commands on {len(rows)} streams; beyond the bounds: {len(bad)}.", *(f"- {line}" for line in bad)]
print("\n".join(tail))
if args.write:
    path, marks = root / "tests/README.md", ("<!-- hostile -->\n", "<!-- /hostile -->\n")
    text = path.read_text()
    before, after = text.split(marks[0])[0], text.split(marks[1])[1]
    path.write_text(before + marks[0] + "\n".join(head + rows + tail) + "\n" + marks[1] + after)
