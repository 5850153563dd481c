"""Sums the last snapshot of a MoarVM heap snapshot, version 3, by type: moarvm_sum.py FILE

Needs numpy and zstandard. Finds the columns by the table of contents and decodes only those that a sum needs.
"""

import collections
import json
import mmap
import struct
import sys

import numpy
import zstandard

KINDS = ["?", "object", "type_object", "stable", "frame", "permanent_roots", "instance_roots", "cstack_roots",
         "thread_roots", "root", "intergen_roots", "callstack_roots"]


def main():
    with open(sys.argv[1], "rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    assert data[:16] == b"MoarHeapDumpv003", "not version 3"

    def contents(at):
        """Name, start and end of what a table of contents lists."""
        count, = struct.unpack_from("<Q", data, at + 8)
        return [(name.rstrip(b"\0"), start, end)
                for name, start, end in struct.iter_unpack("<8sQQ", data[at + 16 : at + 16 + 24 * count])]

    def unpacked(start, end):
        return zstandard.ZstdDecompressor().decompressobj().decompress(data[start:end])

    def column(block):
        start, end = block
        width, = struct.unpack_from("<H", data, start + 8)
        return numpy.frombuffer(unpacked(start + 18, end), f"<u{width}")

    snapshot, strings, types = None, [], []
    last, = struct.unpack_from("<Q", data, len(data) - 8)
    for name, start, _ in contents(last):
        if name != b"toc":
            continue
        blocks = {name: (start, end) for name, start, end in contents(start)}
        if b"colkind" in blocks:
            snapshot = blocks
        # Tables of strings and types grow from snapshot to snapshot.
        if b"strings" in blocks:
            start, end = blocks[b"strings"]
            texts, at = unpacked(start + 16, end), 0
            while at < len(texts):
                length, = struct.unpack_from("<I", texts, at)
                strings.append(texts[at + 4 : at + 4 + length].decode(errors="replace"))
                at += 4 + length
        if b"typename" in blocks:
            types.extend(column(blocks[b"typename"]).tolist())

    # Objects go by their type, all else by its kind.
    kinds = column(snapshot[b"colkind"])
    keys = numpy.where(kinds == 1, column(snapshot[b"coltofi"]) + len(KINDS), kinds)
    del kinds
    counts = numpy.bincount(keys)
    sizes = numpy.bincount(keys, weights=column(snapshot[b"colsize"]))
    external = numpy.bincount(keys, weights=column(snapshot[b"colusize"]))
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for key in counts.nonzero()[0].tolist():
        name = f"(moar.{KINDS[key]})" if key < len(KINDS) else strings[types[key - len(KINDS)]]
        values = int(counts[key]), int(sizes[key]), int(external[key])
        sums[name] = [a + b for a, b in zip(sums[name], values)]
    for name, (count, size, outside) in sorted(sums.items(), key=lambda row: -row[1][1]):
        print(json.dumps({"class": name, "count": count, "size": size, "external": outside}))


main()
