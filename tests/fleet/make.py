"""Writes small V8 heap snapshots of a fleet with planted leaks.

usage: make.py FOLDER COUNT

COUNT snapshots, 5 of each process: four programs, versions 1 to 5, and as many pods of each as it takes. One process is a
folder program=NAME/version=N/pod=N with 1.heapsnapshot to 5.heapsnapshot in the order of time. Planted:

- program api, from version 4 on: three times as many Session as before, in all pods;
- program web, version 2, pod 1: CacheEntry ten times as many as in its equals, and growing;
- in all: 20 strings of one text.

The same arguments give the same bytes.
"""

import json
import pathlib
import random
import sys

META = {
    "node_fields": ["type", "name", "id", "self_size", "edge_count", "trace_node_id", "detachedness"],
    "node_types": [
        ["hidden", "array", "string", "object", "code", "closure", "regexp", "number", "native", "synthetic",
         "concatenated string", "sliced string", "symbol", "bigint", "object shape"],
        "string", "number", "number", "number", "number", "number",
    ],
    "edge_fields": ["type", "name_or_index", "to_node"],
    "edge_types": [
        ["context", "element", "property", "internal", "hidden", "shortcut", "weak"],
        "string_or_number", "node",
    ],
}
SIZES = {"Session": 56, "CacheEntry": 40, "Request": 96, "User": 72, "Array": 32, "Object": 24}


def counts(program, version, pod, time, chance):
    usual = {"Session": 20, "CacheEntry": 12, "Request": 8, "User": 15, "Array": 25, "Object": 30}
    found = {name: n + chance.randrange(n // 5 + 1) for name, n in usual.items()}
    if program == "api" and version >= 4:
        found["Session"] *= 3
    if program == "web" and version == 2 and pod == 1:
        found["CacheEntry"] = found["CacheEntry"] * 10 + 15 * time
    return found


def snapshot(found):
    strings, ids = [], {}

    def string(text):
        if text not in ids:
            ids[text] = len(strings)
            strings.append(text)
        return ids[text]

    string("")
    nodes, edges = [], []

    def node(kind, name, size):
        nodes.append([META["node_types"][0].index(kind), string(name), 2 * len(nodes) + 1, size, 0, 0, 0])
        edges.append([])
        return len(nodes) - 1

    def edge(kind, name, source, target):
        name = name if kind == "element" else string(name)
        edges[source].append([META["edge_types"][0].index(kind), name, target * len(META["node_fields"])])

    root = node("synthetic", "", 0)
    world = node("object", "global", 40)
    edge("element", 1, root, world)
    for name in sorted(found):
        all_of = node("array", name + "[]", 16 + 8 * found[name])
        edge("property", "all" + name, world, all_of)
        for i in range(found[name]):
            edge("element", i, all_of, node("object", name, SIZES[name]))
    texts = node("array", "texts", 176)
    edge("property", "texts", world, texts)
    for i in range(20):
        edge("element", i, texts, node("string", "region eu-central-1", 32))
    edge("element", 20, texts, node("string", "only once", 24))
    for one, of in zip(nodes, edges):
        one[4] = len(of)
    head = {"meta": META, "node_count": len(nodes), "edge_count": sum(map(len, edges)), "trace_function_count": 0}
    return {
        "snapshot": head,
        "nodes": [n for one in nodes for n in one],
        "edges": [n for of in edges for one in of for n in one],
        "trace_function_infos": [], "trace_tree": [], "samples": [], "locations": [],
        "strings": strings,
    }


def main():
    folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    chance = random.Random(1)
    processes = -(-count // 5)
    programs = ["api", "web", "batch", "mail"]
    for i in range(processes):
        program, version, pod = programs[i % 4], i // 4 % 5 + 1, i // 20 + 1
        place = folder / f"program={program}" / f"version={version}" / f"pod={pod}"
        place.mkdir(parents=True, exist_ok=True)
        for time in range(1, min(5, count - 5 * i) + 1):
            text = json.dumps(snapshot(counts(program, version, pod, time, chance)), separators=(",", ":"))
            (place / f"{time}.heapsnapshot").write_text(text)


main()
