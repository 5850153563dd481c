#!/usr/bin/env python3
"""A producer that knows the draft and nothing else: writes app.ndjson and app.db. In this folder: produce.py

Identifiers are addresses with the lowest bit set, small integers are shifted by one, strings are records of their own."""
import json
import os
import sqlite3

SUBTYPES = {
    'array': ('array', ['length']),
    'object': ('object', ['constructor']),
    'flat string': ('string_flat', ['length', 'data']),
    'concatenated string': ('string_cons', ['length', 's1', 's2']),
    'sliced string': ('string_sliced', ['length', 'source', 'offset']),
    'code': (None, []),
    'closure': ('closure', ['metadata']),
    'function metadata': ('function_metadata', ['name', 'script_name', 'position']),
    'regular expression': ('regular_expression', ['source', 'flags']),
    'date': ('date', ['timestamp']),
    'heap number': ('heap_number', ['value']),
    'native': ('native', ['address']),
    'oddball': ('oddball', ['name']),
}
EDGES = ['object property', 'array element', 'closure variable']
nodes, edges, strings = [], [], []


def small(n):
    return n << 1


def text(data):
    if data not in strings:
        strings.append(data)
    return strings.index(data) * 2 + 101


def node(subtype, **fields):
    nodes.append((0x7F00DEAD0001 + 64 * len(nodes), subtype, fields))
    return nodes[-1][0]


def edge(kind, source, label, dest):
    edges.append((EDGES.index(kind) + 1, source, dest, text(label)))


def flat(data):
    return node('flat string', length=small(len(data)), data=text(data))


# The program: App keeps a cache of three items, two of which share what a concatenated string is made of.
app = node('object')
metadata = node('function metadata', name=flat('App'), script_name=flat('app.js'), position=small(17))
constructor = node('closure', metadata=metadata)
nodes[0][2]['constructor'] = constructor
cache = node('array', length=3)
edge('object property', app, 'cache', cache)
first = flat('the first half, ')
for i in range(3):
    item = node('object', constructor=constructor)
    edge('array element', cache, str(i), item)
    second = flat(f'the second half {i}')
    rope = node('concatenated string', length=small(33), s1=first, s2=second)
    edge('object property', item, 'text', rope)
    edge('object property', item, 'number', small(i))
    edge('object property', item, 'part', node('sliced string', length=small(4), source=rope, offset=small(2)))
listener = node('closure', metadata=node('function metadata', name=flat('listen'), position=small(90)))
edge('object property', app, 'listener', listener)
edge('closure variable', listener, 'when', node('date', timestamp=node('heap number', value=1.5e12)))
edge('closure variable', listener, 'pattern', node('regular expression', source=flat('a+'), flags=flat('g')))
edge('closure variable', listener, 'nothing', node('oddball', name=flat('undefined')))
edge('closure variable', listener, 'handle', node('native', address=0xFFFF800000000008))
node('object', constructor=constructor)

METADATA = [('generator', 'produce.py'), ('target_source', 'process'), ('target_pid', '4711'), ('version_major', '1')]
numbers = {name: number for number, name in enumerate(SUBTYPES, 1)}

with open('app.ndjson', 'w', encoding='utf-8') as out:
    def record(**members):
        out.write(json.dumps(members) + '\n')

    for name, number in numbers.items():
        table = SUBTYPES[name][0]
        record(type='node_type', nodetypeid=number, name=name, **({'table_name': table} if table else {}))
    for number, name in enumerate(EDGES, 1):
        record(type='edge_type', edgetypeid=number, name=name)
    for key, value in METADATA:
        record(type='metadata', key=key, value=value)
    for kind, source, dest, label in edges:
        record(type='edge', subtype=kind, source=source, dest=dest, label=label)
    for identifier, subtype, fields in nodes:
        record(type='node', identifier=identifier, subtype=numbers[subtype], **fields)
    for string in strings:
        record(type='string', stringid=text(string), data=string)

if os.path.exists('app.db'):
    os.remove('app.db')
db = sqlite3.connect('app.db')
db.execute('PRAGMA page_size = 512')
db.execute('CREATE TABLE metadata(key, value)')
db.executemany('INSERT INTO metadata VALUES(?, ?)', METADATA)
db.execute('CREATE TABLE node_types(nodetypeid, name, table_name)')
db.execute('CREATE TABLE node(identifier, nodetypeid)')
for name, number in numbers.items():
    table, fields = SUBTYPES[name]
    db.execute('INSERT INTO node_types VALUES(?, ?, ?)', (number, name, table))
    if table:
        db.execute(f'CREATE TABLE {table}(node_identifier, {", ".join(fields)})')
for identifier, subtype, fields in nodes:
    db.execute('INSERT INTO node VALUES(?, ?)', (identifier, numbers[subtype]))
    if SUBTYPES[subtype][0]:
        values = [fields.get(field) for field in SUBTYPES[subtype][1]]
        # SQLite has signed integers.
        values = [n - (1 << 64) if isinstance(n, int) and n >= 1 << 63 else n for n in values]
        marks = ', '.join('?' * (len(values) + 1))
        db.execute(f'INSERT INTO {SUBTYPES[subtype][0]} VALUES({marks})', [identifier, *values])
db.execute('CREATE TABLE edge_types(edgetypeid, name)')
db.executemany('INSERT INTO edge_types VALUES(?, ?)', enumerate(EDGES, 1))
db.execute('CREATE TABLE edge(edgetypeid, source, dest, label)')
db.executemany('INSERT INTO edge VALUES(?, ?, ?, ?)', edges)
db.execute('CREATE TABLE strings(stringid, data)')
db.executemany('INSERT INTO strings VALUES(?, ?)', [(text(string), string) for string in strings])
db.commit()
db.execute('VACUUM')
