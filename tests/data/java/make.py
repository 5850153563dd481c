#!/usr/bin/env python3
"""Writes two-dumps.hprof and agent.hprof: small files as the hprof agent of JDK 5 to 8 writes them.

two-dumps.hprof: two dumps in segments; the second has one more node of a list, and a class that was loaded in between.
agent.hprof: one dump in one record, version 1.0.1; identifiers are counters, 100 strings."""
import struct

u4 = lambda n: struct.pack(">I", n)


class File:
    def __init__(self, version, first):
        self.out = f"JAVA PROFILE {version}\0".encode() + u4(4) + struct.pack(">Q", 1_700_000_000_000)
        self.names, self.classes, self.heap, self.next = {}, {}, b"", first

    def record(self, tag, body, micros=0):
        self.out += bytes([tag]) + u4(micros) + u4(len(body)) + body

    def name(self, text):
        if text not in self.names:
            self.names[text] = 0xA000_0001 + len(self.names)
            self.record(1, u4(self.names[text]) + text.encode())
        return self.names[text]

    def new(self, step):
        self.next += step
        return self.next - step

    def load(self, name, step):
        self.classes[name] = self.new(step)
        self.record(2, u4(len(self.classes)) + u4(self.classes[name]) + u4(1) + u4(self.name(name)))

    def dump_class(self, name, above, fields, statics=()):
        size = sum({2: 4, 10: 4}[kind] for _, kind in fields)
        self.heap += b"\x20" + u4(self.classes[name]) + u4(1) + u4(self.classes.get(above, 0)) + u4(0) * 5
        self.heap += u4(size) + b"\0\0" + struct.pack(">H", len(statics))
        self.heap += b"".join(u4(self.name(n)) + b"\x02" + u4(value) for n, value in statics)
        self.heap += struct.pack(">H", len(fields))
        self.heap += b"".join(u4(self.name(n)) + bytes([kind]) for n, kind in fields)

    def instance(self, at, name, *values):
        self.heap += b"\x21" + u4(at) + u4(1) + u4(self.classes[name]) + u4(4 * len(values)) + b"".join(map(u4, values))

    def chars(self, at, text):
        data = text.encode("utf-16-be")
        self.heap += b"\x23" + u4(at) + u4(1) + u4(len(data) // 2) + b"\x05" + data

    def end(self, tag, micros):
        self.record(tag, self.heap, micros)
        self.heap = b""
        if tag == 0x1C:
            self.record(0x2C, b"", micros)


two = File("1.0.2", 0x10000)
two.load("java.lang.Object", 0x100)
two.load("app.Node", 0x100)
nodes = []
for dump in range(2):
    if dump == 1:
        two.load("app.Late", 0x100)
    nodes = [two.new(16) for _ in range(3 - len(nodes) + dump if not nodes else 1)] + nodes
    two.name("next"), two.name("first")
    two.dump_class("java.lang.Object", None, [])
    two.dump_class("app.Node", "java.lang.Object", [("next", 2)], [("first", nodes[0])])
    if dump == 1:
        two.dump_class("app.Late", "java.lang.Object", [])
    for at, after in zip(nodes, nodes[1:] + [0]):
        two.instance(at, "app.Node", after)
    two.heap += b"\x05" + u4(two.classes["app.Node"])
    two.end(0x1C, 1_000_000 * (dump + 1))
open("two-dumps.hprof", "wb").write(two.out)

agent = File("1.0.1", 0x5000_0001)
for name in ["java.lang.Object", "java.lang.String", "java.lang.Thread", "app.Main"]:
    agent.load(name, 1)
for text in ["value", "name", "text"]:
    agent.name(text)
agent.record(5, u4(1) + u4(200001) + u4(0))
strings = [(agent.new(1), agent.new(1)) for _ in range(100)]
thread = agent.new(1)
agent.dump_class("java.lang.Object", None, [])
agent.dump_class("java.lang.String", "java.lang.Object", [("value", 2)])
agent.dump_class("java.lang.Thread", "java.lang.Object", [("name", 2)])
agent.dump_class("app.Main", "java.lang.Object", [], [("text", strings[0][0])])
for at, value in strings:
    agent.instance(at, "java.lang.String", value)
    agent.chars(value, "hello")
agent.instance(thread, "java.lang.Thread", strings[1][0])
agent.heap += b"\x05" + u4(agent.classes["app.Main"]) + b"\x08" + u4(thread) + u4(200001) + u4(1)
for string, _ in strings[2:]:
    agent.heap += b"\x02" + u4(string) + u4(200001) + u4(0xFFFF_FFFF)
agent.end(0x0C, 5)
open("agent.hprof", "wb").write(agent.out)
