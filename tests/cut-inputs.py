#!/usr/bin/env python3
"""Cuts every dump of tests/data, has heap-to write every target from the part, and asks every tool about the result.

What was lost must stay lost: heap-to ends with status 2, and writes nothing under the name of `-o` without `--partial`, but
for streams, whose missing end mark says it. What it wrote with `--partial`, and the part itself, no tool takes for a whole
in silence: status 2, or a line on standard error. Prints a row for each target; status 1 if something was silent.

usage: tests/cut-inputs.py [--bin FOLDER] [--parts N] [DUMP...]
"""
import argparse
import concurrent.futures
import glob
import gzip
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGETS = ['stream', 'zst', 'v8', 'hprof', 'moarvm', 'dart', 'memory-infra', 'pprof', 'sqlite', 'parquet']
# Written by hand for people and other programs; no tool of ours reads them back.
UNREAD = ['folded', 'dot', 'graphml', 'csv']
# heap-info is not among them: it reads heads, and says of a database whether it is `complete`.
TOOLS = ['cat', 'check', 'diff {} {}', 'dom', 'filter', 'grep a', 'names', 'path --limit 3', 'redact', 'show --limit 3',
         'strings', 'sum', 'sum --retained', 'suspects', 'top', 'tree', 'view', 'walk --class Object', 'to v8', 'to csv']
DUMPS = ['v8/leak-1.heapsnapshot.zst', 'java/shop.hprof.zst', 'java/small.phd', 'java/small.classic.txt', 'moarvm/v3.mvmheap',
         'dart/kinds-pruned.dartheap.gz', 'memory-infra/chromium-150-v2-excerpt.json.gz', 'pprof/orders-1.pb.gz',
         'core/shop-node22.core.zst', 'ruby/*', 'webkit/*', 'mdb/kinds.mdbv8heap', 'sqlite/*.db', 'draft/app.ndjson']


def run(tool, arguments, work, seconds=120):
    # A report on standard output is of no interest here, its status and messages are.
    done = subprocess.run([os.path.join(BIN, 'heap-' + tool), *arguments], cwd=work, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=seconds)
    return done.returncode, done.stderr.strip()


def unpacked(path):
    if path.endswith('.zst'):
        return subprocess.run(['zstd', '-dqc', path], check=True, stdout=subprocess.PIPE).stdout
    if path.endswith('.gz') and not path.endswith('.pb.gz'):
        return gzip.open(path).read()
    with open(path, 'rb') as file:
        return file.read()


def ask(words, work, file):
    tool, _, rest = words.partition(' ')
    rest = rest.split()
    if '{}' not in rest:
        rest.append('{}')
    return run(tool, [file if word == '{}' else word for word in rest], work)


def one(job):
    """Everything about one part of one dump: rows of what was silent, and counts."""
    path, part, data = job
    silent, asked, made = [], 0, {}
    work = tempfile.mkdtemp(prefix='cut-inputs')
    label = f'{os.path.relpath(path, ROOT)} cut at {part} of {len(data)}'
    try:
        with open(os.path.join(work, 'part'), 'wb') as file:
            file.write(data[:part])
        status, error = run('check', ['part'], work)
        # A text cut between two lines may be whole: folded stacks, text profiles.
        if status == 0 and not error:
            return silent, asked, {'whole': 1}
        for words in TOOLS:
            asked += 1
            status, error = ask(words, work, 'part')
            if status not in (0, 1, 2):
                silent.append(f'{label}: heap-{words}: status {status}')
            elif status != 2 and not error:
                silent.append(f'{label}: heap-{words} of the part: status {status}, not a word')
        for target in [*TARGETS, *UNREAD]:
            words = ['ndjson' if target == 'stream' else target]
            out = 'out'
            status, error = run('to', [*words, '-o', out, 'part'], work)
            asked += 1
            exists = bool(files(os.path.join(work, out)))
            stream = target in ('stream', 'zst')
            if status != 2:
                silent.append(f'{label}: heap-to {target}: status {status} {error[:100]}')
            if exists and not stream:
                silent.append(f'{label}: heap-to {target} without --partial wrote {out}')
            left = sorted(set(os.listdir(work)) - {'part', out})
            if left:
                silent.append(f'{label}: heap-to {target} left {left}')
            remove(os.path.join(work, out))
            run('to', [*words, '--partial', '-o', out, 'part'], work)
            if not files(os.path.join(work, out)):
                remove(os.path.join(work, out))
                made.setdefault(target, 0)
                continue
            made[target] = made.get(target, 0) + 1
            for words in TOOLS if target not in UNREAD else []:
                asked += 1
                status, error = ask(words, work, out)
                if status not in (0, 1, 2):
                    silent.append(f'{label}: {target}: heap-{words}: status {status} {error[:100]}')
                elif status != 2 and not error and target in LOUD:
                    silent.append(f'{label}: {target}: heap-{words}: status {status}, not a word')
            remove(os.path.join(work, out))
    finally:
        shutil.rmtree(work)
    return silent, asked, made


# Targets whose file itself says that it is a part. The others need --partial, whose page says that nothing in the file does.
LOUD = ['stream', 'zst', 'sqlite', 'parquet']


def files(path):
    """The file, or the files of a folder: a data set may be there without a partition."""
    return [path] if os.path.isfile(path) else [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.remove(path)


def main():
    global BIN
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', default=os.path.join(ROOT, 'target', 'release'), metavar='FOLDER')
    parser.add_argument('--parts', type=int, default=3, metavar='N', help='at how many places each dump is cut')
    parser.add_argument('dumps', nargs='*', metavar='DUMP')
    options = parser.parse_args()
    BIN = os.path.abspath(options.bin)
    paths = options.dumps or [path for pattern in DUMPS for path in sorted(glob.glob(os.path.join(ROOT, 'tests/data', pattern)))
                              if os.path.isfile(path) and not path.endswith(('.md', '.js', '.rb', '.py', '.sh'))]
    jobs = []
    for path in paths:
        data = unpacked(path)
        for n in range(options.parts):
            part = len(data) - 1 if n == 0 else len(data) * n // options.parts
            # A text without its last line end is whole.
            if data[part:].strip() or not data.isascii():
                jobs.append((path, part, data))
    silent, asked, made = [], 0, {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for found, number, counts in pool.map(one, jobs):
            silent += found
            asked += number
            for target, count in counts.items():
                made[target] = made.get(target, 0) + count
            for line in found:
                print('NO', line, flush=True)
    print(f'{len(paths)} dumps, {len(jobs)} parts ({made.pop("whole", 0)} whole all the same), {asked} commands, {len(silent)} silent')
    print('written with --partial: ' + ', '.join(f'{target} {count}' for target, count in made.items()))
    sys.exit(1 if silent else 0)


if __name__ == '__main__':
    main()
