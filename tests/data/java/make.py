#!/usr/bin/env python3
"""Writes two-dumps.hprof, agent.hprof and traced.hprof: small files as the hprof agent of JDK 5 to 8 writes them.

two-dumps.hprof: two dumps in segments; the second has one more node of a list, and a class that was loaded in between.
agent.hprof: one dump in one record, version 1.0.1; identifiers are counters, 100 strings.
traced.hprof: with the stacks at which objects were allocated (heap=dump,depth=4); sessions that a static list keeps."""
import struct

u4 = lambda n: struct.pack(">I", n)


class File:
    def __init__(self, version, first):
        self.out = f"JAVA PROFILE {version}\0".encode() + u4(4) + struct.pack(">Q", 1_700_000_000_000)
        self.names, self.classes, self.heap, self.next, self.trace = {}, {}, b"", first, 1

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
        self.heap += b"\x20" + u4(self.classes[name]) + u4(self.trace) + u4(self.classes.get(above, 0)) + u4(0) * 5
        self.heap += u4(size) + b"\0\0" + struct.pack(">H", len(statics))
        self.heap += b"".join(u4(self.name(n)) + b"\x02" + u4(value) for n, value in statics)
        self.heap += struct.pack(">H", len(fields))
        self.heap += b"".join(u4(self.name(n)) + bytes([kind]) for n, kind in fields)

    def instance(self, at, name, *values):
        self.heap += b"\x21" + u4(at) + u4(self.trace) + u4(self.classes[name]) + u4(4 * len(values)) + b"".join(map(u4, values))

    def chars(self, at, text):
        data = text.encode("utf-16-be")
        self.heap += b"\x23" + u4(at) + u4(self.trace) + u4(len(data) // 2) + b"\x05" + data

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

EMPTY = 300000
traced = File("1.0.2", 0x10000)
traced.trace = EMPTY
for name in ["java.lang.Object", "java.lang.String", "java.util.HashMap", "[Ljava.lang.Object;", "app.Session", "app.Server"]:
    traced.load(name, 0x100)
for text in ["value", "table", "user", "sessions"]:
    traced.name(text)
frames = [("<init>", "app.Session", 12), ("open", "app.Server", 40), ("login", "app.Server", 31), ("replay", "app.Server", 52),
          ("main", "app.Server", 9), ("resize", "java.util.HashMap", 581), ("put", "java.util.HashMap", 496)]
for at, (method, owner, line) in enumerate(frames, 1):
    ids = [at, traced.name(method), traced.name("()V"), traced.name(owner.split(".")[-1] + ".java")]
    traced.record(4, b"".join(map(u4, ids)) + u4(list(traced.classes).index(owner) + 1) + u4(line))
traces = [[], [1, 2, 3, 5], [1, 2, 4, 5], [6, 7, 2, 3], [3, 5]]
for serial, trace in enumerate(traces, EMPTY):
    traced.record(5, u4(serial) + u4(200001 if trace else 0) + u4(len(trace)) + b"".join(map(u4, trace)))
sessions = [(traced.new(16), traced.new(16), traced.new(32)) for _ in range(120)]
table, everyone = traced.new(528), traced.new(16)
traced.dump_class("java.lang.Object", None, [])
traced.dump_class("java.lang.String", "java.lang.Object", [("value", 2)])
traced.dump_class("java.util.HashMap", "java.lang.Object", [("table", 2)])
traced.dump_class("[Ljava.lang.Object;", "java.lang.Object", [])
traced.dump_class("app.Session", "java.lang.Object", [("user", 2)])
traced.dump_class("app.Server", "java.lang.Object", [], [("sessions", everyone)])
for number, (session, user, chars) in enumerate(sessions):
    traced.trace = EMPTY + (1 if number % 4 else 2)
    traced.instance(session, "app.Session", user)
    traced.trace = EMPTY + 4
    traced.instance(user, "java.lang.String", chars)
    traced.trace = EMPTY
    traced.chars(chars, f"user{number}")
traced.heap += b"\x22" + u4(table) + u4(EMPTY + 3) + u4(128) + u4(traced.classes["[Ljava.lang.Object;"])
traced.heap += b"".join(u4(session) for session, _, _ in sessions) + u4(0) * 8
traced.instance(everyone, "java.util.HashMap", table)
traced.heap += b"\x05" + u4(traced.classes["app.Server"])
traced.end(0x1C, 5)
open("traced.hprof", "wb").write(traced.out)
