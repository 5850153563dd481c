#!/usr/bin/env python3
"""Cuts a core of Node down to what the reader needs: trim.py CORE OUT.

Kept are the notes, each heap page with its metadata and the first words of its space, the data of each isolate, the table
of the code of functions, 64 KiB of each thread's stack, and the lengths of shared buffers that can grow. Other malloc memory,
libraries and unused reservations are dropped."""
import mmap, struct, sys

PAGE = 256 << 10
core = open(sys.argv[1], 'rb')
m = mmap.mmap(core.fileno(), 0, prot=mmap.PROT_READ)
phoff, = struct.unpack_from('<Q', m, 32)
phnum, = struct.unpack_from('<H', m, 56)
loads, notes = [], b''
for i in range(phnum):
    kind, _, offset, start, _, size, _, _ = struct.unpack_from('<IIQQQQQQ', m, phoff + 56 * i)
    if kind == 1 and size:
        loads.append((start, start + size, offset))
    if kind == 4:
        notes = m[offset:offset + size]
loads.sort()

def read(at, size):
    for start, end, offset in loads:
        if start <= at < end:
            size = min(size, end - at)
            return m[offset + at - start:offset + at - start + size]
    return b''

def words(at, count):
    data = read(at, 8 * count)
    return struct.unpack(f'<{count}Q', data) if len(data) == 8 * count else (0,) * count

kept, heaps = [], set()
for start, end, _ in loads:
    for page in range((start + PAGE - 1) // PAGE * PAGE, end, PAGE):
        w = words(page, 12)
        meta = words(w[1], 12) if w[1] and w[1] % 8 == 0 else (0,) * 12
        forms = [(w[0], w[2], w[3], w[4], w[8]),
                 (w[2], w[3], w[4], w[5], w[9]) if w[1] == page else (0,) * 5,
                 (meta[2] or meta[6], meta[8], meta[9], meta[7], meta[10]) if meta[1] in (page, 0) else (0,) * 5]
        for size, heap, first, last, owner in forms:
            if not (4096 <= size < 1 << 40 and page < first < page + PAGE and first <= last <= page + max(size, PAGE)):
                continue
            if heap and words(owner, 2)[1] != heap:
                continue
            kept.append((page, last))
            if w[1] and w[1] != page:
                kept.append((w[1], w[1] + 96))
            if heap:
                kept.append((owner, owner + 32))
                heaps.add(heap)
            break
# A length of 0, the most, the bytes and the extension, which has a pointer to bytes, length and most.
for first, last in kept[:]:
    page = words(first, (last - first) // 8)
    for i in range(len(page) - 3):
        if page[i] == 0 and 1 << 20 <= page[i + 1] < 1 << 33 and page[i + 2] % 4096 == 0 and page[i + 3]:
            for store in words(page[i + 3], 8):
                if store and words(store, 3)[::2] == (page[i + 2], page[i + 1]):
                    kept += [(page[i + 3], page[i + 3] + 64), (store, store + 24)]
for heap in heaps:
    kept.append((heap - (64 << 10), heap + (4 << 10)))
    for table in set(words(heap - (64 << 10), 8 << 10)):
        first, code = words(table + (64 << 10), 2) if table % 4096 == 0 else (0, 0)
        if first and words((code >> 16) - (code >> 16) % 8 + 40, 1)[0] == first:
            kept.append((table, table + (1 << 20)))
at = 0
while at + 12 <= len(notes):
    name, size, kind = struct.unpack_from('<III', notes, at)
    body = at + 12 + (name + 3) // 4 * 4
    if kind == 1:
        rsp, = struct.unpack_from('<Q', notes, body + 112 + 8 * 19)
        kept.append((rsp // 16 * 16 - 256, rsp // 16 * 16 + (64 << 10)))
    at = body + (size + 3) // 4 * 4

merged = []
for first, last in sorted(kept):
    if merged and first <= merged[-1][1]:
        merged[-1][1] = max(merged[-1][1], last)
    else:
        merged.append([first, last])
# Pages of code are several segments, some with a gap between them.
parts = [(max(first, start), min(last, end)) for first, last in merged for start, end, _ in loads]
parts = [(first, read(first, last - first)) for first, last in parts if first < last]
offset = 64 + 56 * (1 + len(parts))
out = open(sys.argv[2], 'wb')
out.write(m[:32] + struct.pack('<QQ', 64, 0) + m[48:56] + struct.pack('<HHHH', 1 + len(parts), 0, 0, 0))
out.write(struct.pack('<IIQQQQQQ', 4, 0, offset, 0, 0, len(notes), 0, 4))
offset += len(notes)
for first, data in parts:
    out.write(struct.pack('<IIQQQQQQ', 1, 6, offset, first, 0, len(data), len(data), 1))
    offset += len(data)
out.write(notes)
for _, data in parts:
    out.write(data)
