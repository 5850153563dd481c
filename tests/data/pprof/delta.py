#!/usr/bin/env python3
"""Writes delta.pb.gz: a heap profile less an earlier one, with fields in an order of its own; and drop.pb.gz: one that has
the frames of its allocator dropped, with labels. In this folder: delta.py"""
import gzip


def varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while True:
        out.append(n & 0x7F | (0x80 if n > 0x7F else 0))
        n >>= 7
        if not n:
            return bytes(out)


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def message(*fields):
    return b''.join(field(number, value) for number, value in fields)


texts = ['', 'inuse_objects', 'count', 'inuse_space', 'bytes', 'main', 'load', 'drop', 'app.go']
out = b''.join(field(6, text.encode()) for text in texts)
out += b''.join(field(5, message((1, n), (2, 4 + n), (4, 8))) for n in (1, 2, 3))
out += b''.join(field(4, message((1, n), (3, 0x1000 * n), (4, message((1, n), (2, 10 * n))))) for n in (1, 2, 3))
for stack, count, size in ([2, 1], 30, 3000), ([3, 1], -20, -5000), ([1], -1, -16), ([1], 2, 64):
    packed = b''.join(varint(n) for n in stack)
    out += field(2, message((1, packed), (2, varint(count) + varint(size))))
out += field(1, message((1, 1), (2, 2))) + field(1, message((1, 3), (2, 4)))
with open('delta.pb.gz', 'wb') as file:
    file.write(gzip.compress(out, mtime=0))

texts = ['', 'inuse_objects', 'count', 'inuse_space', 'bytes', 'main', 'load(char const*)', 'operator new(unsigned long)', 'arena',
         'keep::alloc', 'app.cc', r'operator new|arena|keep::.*|main', 'main', 'user', 'ada']
out = field(1, message((1, 1), (2, 2))) + field(1, message((1, 3), (2, 4)))
# The arena calls load once; new was inlined into load at its second place.
for stack, count, size in ([4, 3, 2, 1], 30, 3000), ([5, 1], 20, 500), ([2, 1], 1, 16), ([2, 4, 1], 1, 64), ([3, 4], 1, 8):
    packed = b''.join(varint(n) for n in stack)
    label = message((1, 13), (2, 14))
    out += field(2, message((1, packed), (2, varint(count) + varint(size)), (3, label)))
lines = [(1, 1)], [(2, 2)], [(3, 3)], [(4, 4)], [(5, 5), (3, 6), (2, 7)]
for n, lines in enumerate(lines, 1):
    out += field(4, message((1, n), (3, 0x1000 * n), *((4, message((1, function), (2, line))) for function, line in lines)))
out += b''.join(field(5, message((1, n), (2, 4 + n), (4, 10))) for n in range(1, 6))
out += b''.join(field(6, text.encode()) for text in texts) + field(7, 11) + field(8, 12)
with open('drop.pb.gz', 'wb') as file:
    file.write(gzip.compress(out, mtime=0))
