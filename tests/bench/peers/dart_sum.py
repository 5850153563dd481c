"""Sums a Dart heap snapshot by class in one pass: dart_sum.py FILE"""

import array
import collections
import functools
import json
import re
import sys


@functools.cache
def numbers(count):
    """Matches so many LEB128 numbers, to step over references without a loop of Python's."""
    return re.compile(rb"(?:[\x80-\xff]*[\x00-\x7f]){%d}" % count)


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    assert data.startswith(b"dartheap"), "not a Dart heap snapshot"
    at = 8

    def number():
        nonlocal at
        byte = data[at]
        at += 1
        if byte < 128:
            return byte
        value, shift = byte & 127, 7
        while (byte := data[at]) >= 128:
            value |= (byte & 127) << shift
            shift += 7
            at += 1
        at += 1
        return value | byte << shift

    def skip(count):
        nonlocal at
        while count > 64:
            at = numbers(64).match(data, at).end()
            count -= 64
        at = numbers(count).match(data, at).end()

    def text():
        nonlocal at
        length = number()
        at += length
        return data[at - length : at].decode(errors="replace")

    number(), text(), skip(3)  # flags, name, sizes
    names = ["(none)"]
    for _ in range(number()):
        number()
        names.append(text())
        text(), text(), text()
        for _ in range(number()):
            skip(2), text(), text()
    number()  # references in all
    counts, sizes, external = [0] * len(names), [0] * len(names), [0] * len(names)
    owners = array.array("I", [0])
    for _ in range(number()):
        owner = number()
        counts[owner] += 1
        sizes[owner] += number()
        owners.append(owner)
        tag = data[at]
        at += 1
        if tag in (2, 3, 7):  # boolean, integer, length
            number()
        elif tag == 4:  # double
            at += 8
        elif tag == 5:  # Latin-1
            number()
            length = number()
            at += length
        elif tag == 6:  # UTF-16
            number()
            length = number()
            at += 2 * length
        elif tag == 8:  # name
            length = number()
            at += length
        if references := number():
            skip(references)
    for _ in range(number()):
        owner = owners[number()]
        external[owner] += number()
        length = number()
        at += length
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for name, *values in zip(names, counts, sizes, external):
        if values[0]:
            sums[name] = [a + b for a, b in zip(sums[name], values)]
    for name, (count, size, outside) in sorted(sums.items(), key=lambda row: -row[1][1]):
        print(json.dumps({"class": name, "count": count, "size": size, "external": outside}))


main()
