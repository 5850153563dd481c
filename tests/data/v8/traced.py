#!/usr/bin/env python3
"""traced.py cut IN OUT: a snapshot of traced.js with no more nodes than those that have a stack, and those on a way to them.
traced.py expect FILE: what it says of its stacks, by nothing of this project: live objects and bytes by innermost function, by that
with its place, and by frame with what it called."""
import json
import sys
from collections import defaultdict, deque


def fields(snapshot, key):
    return snapshot["snapshot"]["meta"][key]


def cut(snapshot):
    names, width = fields(snapshot, "node_fields"), len(fields(snapshot, "node_fields"))
    edge_width = len(fields(snapshot, "edge_fields"))
    types, edge_types = fields(snapshot, "node_types")[0], fields(snapshot, "edge_types")[0]
    kind, count, trace = names.index("type"), names.index("edge_count"), names.index("trace_node_id")
    nodes, edges, strings = snapshot["nodes"], snapshot["edges"], snapshot["strings"]
    total = len(nodes) // width
    first = [0]
    for node in range(total):
        first.append(first[-1] + nodes[node * width + count])
    # Breadth first, without weak edges, so that ways are short and names stay what DevTools shows.
    parent, queue = {0: None}, deque([0])
    while queue:
        node = queue.popleft()
        for edge in range(first[node], first[node + 1]):
            if edge_types[edges[edge * edge_width]] == "weak":
                continue
            end = edges[edge * edge_width + 2] // width
            if end not in parent:
                parent[end] = node
                queue.append(end)
    kept = set()
    for node in range(total):
        if nodes[node * width + trace]:
            while node is not None and node not in kept:
                kept.add(node)
                node = parent.get(node)
    order = sorted(kept)
    place = {node: at for at, node in enumerate(order)}
    texts, used = [], {}

    def text(at):
        if at not in used:
            used[at] = len(texts)
            texts.append(strings[at])
        return used[at]

    out_nodes, out_edges = [], []
    for node in order:
        record = nodes[node * width:(node + 1) * width]
        record[1] = text(record[1])
        record[count] = 0
        for edge in range(first[node], first[node + 1]):
            one = edges[edge * edge_width:(edge + 1) * edge_width]
            if one[2] // width in place:
                if edge_types[one[0]] not in ("element", "hidden"):
                    one[1] = text(one[1])
                one[2] = place[one[2] // width] * width
                out_edges += one
                record[count] += 1
        out_nodes += record
    info_fields = fields(snapshot, "trace_function_info_fields")
    infos = snapshot["trace_function_infos"]
    for at in range(0, len(infos), len(info_fields)):
        for name in ("name", "script_name"):
            slot = at + info_fields.index(name)
            infos[slot] = text(infos[slot])
    locations, each = [], len(fields(snapshot, "location_fields"))
    for at in range(0, len(snapshot["locations"]), each):
        one = snapshot["locations"][at:at + each]
        if one[0] // width in place:
            locations += [place[one[0] // width] * width] + one[1:]
    head = dict(snapshot["snapshot"], node_count=len(order), edge_count=len(out_edges) // edge_width)
    return dict(snapshot, snapshot=head, nodes=out_nodes, edges=out_edges, locations=locations, strings=texts)


def expect(snapshot):
    names, width = fields(snapshot, "node_fields"), len(fields(snapshot, "node_fields"))
    trace, size = names.index("trace_node_id"), names.index("self_size")
    nodes, strings = snapshot["nodes"], snapshot["strings"]
    live = defaultdict(lambda: [0, 0])
    for at in range(0, len(nodes), width):
        of = live[nodes[at + trace]]
        of[0] += 1
        of[1] += nodes[at + size]
    keys = fields(snapshot, "trace_function_info_fields")
    flat = snapshot["trace_function_infos"]
    infos = [dict(zip(keys, flat[at:at + len(keys)])) for at in range(0, len(flat), len(keys))]
    keys = fields(snapshot, "trace_node_fields")
    functions, callers, lists = {}, {}, [(snapshot["trace_tree"], None)]
    while lists:
        flat, caller = lists.pop()
        for at in range(0, len(flat), len(keys)):
            record = dict(zip(keys, flat[at:at + len(keys)]))
            functions[record["id"]], callers[record["id"]] = infos[record["function_info_index"]], caller
            lists.append((record["children"], record["id"]))

    def name(info):
        return strings[info["name"]] or "(anonymous)"

    def place(info):
        # Lines and columns of functions count from 1 here; 0 is unknown.
        script, line = strings[info["script_name"]], info["line"]
        where = f"{script}:{line}:{info['column']}" if line else script
        return f"{name(info)} ({where})" if script else name(info)

    by = {"function": defaultdict(lambda: [0, 0]), "location": defaultdict(lambda: [0, 0]), "frame": defaultdict(lambda: [0, 0])}
    for stack, (count, size) in live.items():
        path, frame = [], stack or None
        while frame is not None:
            path.insert(0, name(functions[frame]))
            frame = callers[frame]
        ends = [("function", path[-1] if path else ""), ("location", place(functions[stack]) if stack else "")]
        ends += [("frame", ";".join(path[1:end])) for end in range(1, len(path) + 1)]
        for key, value in ends:
            of = by[key][value]
            of[0] += count
            of[1] += size
    return {key: dict(sorted(rows.items())) for key, rows in by.items()}


def lines(snapshot):
    """As V8 writes it: a record a line."""
    keys = {"nodes": "node_fields", "edges": "edge_fields", "trace_function_infos": "trace_function_info_fields",
            "samples": "sample_fields", "locations": "location_fields"}
    parts = []
    for key, value in snapshot.items():
        if key in keys:
            width = len(fields(snapshot, keys[key]))
            rows = [",".join(map(str, value[at:at + width])) for at in range(0, len(value), width)]
            parts.append(f'"{key}":[' + "\n,".join(rows) + "\n]")
        elif key == "strings":
            parts.append('"strings":[' + ",\n".join(json.dumps(text) for text in value) + "]")
        else:
            parts.append(f'"{key}":' + json.dumps(value, separators=(",", ":")))
    return "{" + ",\n".join(parts) + "}"


if sys.argv[1] == "cut":
    with open(sys.argv[2], encoding="utf-8") as source, open(sys.argv[3], "w", encoding="utf-8") as out:
        out.write(lines(cut(json.load(source))))
else:
    with open(sys.argv[2], encoding="utf-8") as source:
        json.dump(expect(json.load(source)), sys.stdout, indent=1)
        print()
