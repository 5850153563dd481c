#!/usr/bin/env python3
"""Changes files while tools read them: cut, grown, replaced in place or by another file, at random times, in all formats.

An answer is that of the file before or after the change, or the tool says that it is none: status 2, or a line on standard
error. Prints a row for each format; status 1 if anything else came.

usage: tests/changed-inputs.py [--bin FOLDER] [--count N] [--seed N]
"""
import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(ROOT, 'tests', 'data')
# What a dump is made to by heap-to, and those that are there as they are, with another one of the kind.
MADE = ['ndjson', 'zst', 'v8', 'hprof', 'moarvm', 'dart', 'memory-infra', 'pprof', 'sqlite', 'folded', 'csv']
THERE = {'java': ('java/shop.hprof.zst', 'java/agent.hprof'),
         'core': ('core/shop-node22.core.zst', 'core/shop-node24.core.zst')}
TOOLS = ['cat', 'check', 'sum', 'sum --sort retained', 'dom', 'suspects', 'strings', 'info', 'top', 'to v8', 'to sqlite -o out']
CHANGES = ['cut', 'grown', 'written over', 'replaced']


def tool(words, file, work, **more):
    name, *rest = words.split()
    return subprocess.Popen([os.path.join(BIN, 'heap-' + name), *rest, file], cwd=work, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def answer(words, file, work):
    """Status and output, the database that was written among it, and how long that took."""
    start = time.monotonic()
    process = tool(words, file, work)
    return finish(process, work) + (time.monotonic() - start,)


def finish(process, work):
    out, error = process.communicate(timeout=300)
    made = os.path.join(work, 'out')
    if os.path.exists(made):
        # Databases have no time in them: two of one dump are equal.
        with open(made, 'rb') as file:
            out += file.read()
        os.remove(made)
    return process.returncode, out, error.decode(errors='replace').strip()


def change(how, path, other):
    size = os.path.getsize(path)
    if how == 'cut':
        os.truncate(path, random.randrange(size))
    elif how == 'grown':
        with open(path, 'ab') as file, open(other, 'rb') as more:
            file.write(more.read(random.randrange(1, 4096)))
    elif how == 'written over':
        with open(path, 'r+b') as file, open(other, 'rb') as more:
            bytes_ = more.read()
            file.seek(random.randrange(size))
            file.write(bytes_[:random.randrange(1, len(bytes_))])
    else:
        shutil.copyfile(other, path + '.new')
        os.replace(path + '.new', path)


def unpacked(name, to):
    path = os.path.join(DATA, name)
    if name.endswith('.zst'):
        subprocess.run(['zstd', '-dqfo', to, path], check=True)
    else:
        shutil.copyfile(path, to)


def inputs(work):
    """Two dumps of each format."""
    found = {}
    for part in ('1', '3'):
        unpacked(f'v8/leak-{part}.heapsnapshot.zst', os.path.join(work, 'leak-' + part))
    for target in MADE:
        pair = []
        for part in ('3', '1'):
            name = os.path.join(work, f'{target}-{part}')
            command = [os.path.join(BIN, 'heap-to'), target, '-o', name, os.path.join(work, 'leak-' + part)]
            done = subprocess.run(command, stderr=subprocess.PIPE)
            if done.returncode == 0 and os.path.isfile(name):
                pair.append(name)
        # Only what a tool of ours reads again.
        if len(pair) == 2 and answer('sum', pair[0], work)[0] == 0:
            found[target] = pair
    for name, pair in THERE.items():
        found[name] = []
        for at, file in enumerate(pair):
            to = os.path.join(work, f'{name}-{at}')
            unpacked(file, to)
            found[name].append(to)
    return found


def main():
    global BIN
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--bin', default=os.path.join(ROOT, 'target', 'release'), metavar='FOLDER')
    parser.add_argument('--count', type=int, default=300, metavar='N')
    parser.add_argument('--seed', type=int, default=1, metavar='N')
    options = parser.parse_args()
    BIN = os.path.abspath(options.bin)
    random.seed(options.seed)
    work = tempfile.mkdtemp(prefix='changed-inputs')
    silent, counts, known = [], {}, {}
    try:
        pairs = inputs(work)
        for at in range(options.count):
            format_ = list(pairs)[at % len(pairs)]
            words, how = random.choice(TOOLS), random.choice(CHANGES)
            path, other = pairs[format_]
            read = os.path.join(work, 'read')
            for file in (path, other):
                if (words, file) not in known:
                    shutil.copyfile(file, read)
                    known[words, file] = answer(words, 'read', work)
            shutil.copyfile(path, read)
            process = tool(words, 'read', work)
            # Most have read all in the first half.
            time.sleep(random.random() * known[words, path][3] / 2)
            ended = process.poll() is not None
            change(how, read, other)
            status, out, error = finish(process, work)
            answers = [known[words, path], known[words, other]]
            if status != 2 and not error:
                answers.append(answer(words, 'read', work))
            whole = any((status, out) == known_[:2] for known_ in answers)
            kind = 'ended before' if ended else 'whole' if whole else 'said'
            if not whole and status != 2 and not error or status not in (0, 1, 2):
                kind = 'silent'
                silent.append(f'{format_}, {how}, heap-{words}: status {status}, {len(out)} bytes')
            counts.setdefault(format_, {}).setdefault(kind, 0)
            counts[format_][kind] += 1
    finally:
        shutil.rmtree(work, ignore_errors=True)
    kinds = ['said', 'whole', 'ended before', 'silent']
    print('format', *kinds, sep='\t')
    for format_, row in counts.items():
        print(format_, *(row.get(kind, 0) for kind in kinds), sep='\t')
    for line in silent:
        print('NO', line)
    sys.exit(1 if silent else 0)


if __name__ == '__main__':
    main()
