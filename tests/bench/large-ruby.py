#!/usr/bin/env python3
"""A dump of Ruby 3.1 of any size with known figures, for heap-sum and other readers.

usage: tests/bench/large-ruby.py [MEGABYTES] > dump.json; 1000 if not given. Says the figures on standard error.

A class holds a hash, the hash arrays of a thousand pages, each page a text and an array of products, each product a tag of
its own. So all is retained by the class `Catalog`, and a page retains itself, its text, its array, products and tags.
"""
import sys

size = int(sys.argv[1]) * 1_000_000 if len(sys.argv) > 1 else 1_000_000_000
PAGE, PRODUCT, STRING, ARRAY, HASH, CATALOG, CLASS, TOP = ('0x7f0000000%03x' % (40 * i) for i in range(1, 9))
flags = '"flags":{"wb_protected":true, "old":true, "uncollectible":true, "marked":true}'
out = sys.stdout
text = 'row of a page ' * 8


def put(line):
    put.written += len(line) + 1
    out.write(line + '\n')


put.written = 0
put('{"type":"ROOT", "root":"vm", "references":["%s", "%s", "%s", "%s", "%s", "%s", "%s"]}'
    % (PAGE, PRODUCT, STRING, ARRAY, HASH, CATALOG, CLASS))
for address, name in ((PAGE, 'Page'), (PRODUCT, 'Product'), (STRING, 'String'), (ARRAY, 'Array'), (HASH, 'Hash'), (CLASS, 'Class')):
    put('{"address":"%s", "type":"CLASS", "class":"%s", "name":"%s", "memsize":500, %s}' % (address, CLASS, name, flags))
put('{"address":"%s", "type":"CLASS", "class":"%s", "name":"Catalog", "references":["%s"], "memsize":500, %s}'
    % (CATALOG, CLASS, TOP, flags))
next_address = 0x7f1000000000
pages, shards = 0, []
while put.written < size:
    own = []
    for _ in range(1000):
        at = next_address
        next_address += 40 * 11
        a = ['0x%x' % (at + 40 * i) for i in range(11)]
        own.append(a[0])
        put('{"address":"%s", "type":"OBJECT", "class":"%s", "ivars":2, "references":["%s", "%s"], "memsize":40, %s}'
            % (a[0], PAGE, a[1], a[2], flags))
        put('{"address":"%s", "type":"STRING", "class":"%s", "bytesize":%d, "value":"%s%d", "encoding":"UTF-8", "memsize":168, %s}'
            % (a[1], STRING, len(text) + len(str(pages)), text, pages, flags))
        put('{"address":"%s", "type":"ARRAY", "class":"%s", "length":4, "references":["%s", "%s", "%s", "%s"], "memsize":72, %s}'
            % (a[2], ARRAY, a[3], a[5], a[7], a[9], flags))
        for i in (3, 5, 7, 9):
            put('{"address":"%s", "type":"OBJECT", "class":"%s", "ivars":1, "references":["%s"], "memsize":40, %s}'
                % (a[i], PRODUCT, a[i + 1], flags))
            put('{"address":"%s", "type":"STRING", "class":"%s", "embedded":true, "bytesize":5, "value":"tag %d", '
                '"encoding":"UTF-8", "memsize":40, %s}' % (a[i + 1], STRING, pages % 10, flags))
        pages += 1
    shard = '0x%x' % next_address
    next_address += 40
    shards.append(shard)
    put('{"address":"%s", "type":"ARRAY", "class":"%s", "length":1000, "references":["%s"], "memsize":8040, %s}'
        % (shard, ARRAY, '", "'.join(own), flags))
put('{"address":"%s", "type":"HASH", "class":"%s", "size":%d, "references":["%s"], "memsize":1000, %s}'
    % (TOP, HASH, len(shards), '", "'.join(shards), flags))
page = 40 + 168 + 72 + 4 * (40 + 40)
all_pages = page * pages + 8040 * len(shards)
print(f'{pages} pages, {11 * pages + len(shards) + 8} objects, {all_pages + 1000 + 7 * 500} bytes; Catalog retains '
      f'{all_pages + 1500}, the pages {page * pages}', file=sys.stderr)
