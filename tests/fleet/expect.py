"""What the queries must find in the fleet of make.py, whatever engine asks them; and the sums of heap-sum."""

import json
import pathlib
import subprocess

HERE = pathlib.Path(__file__).parent
QUERIES = ["classes", "grew", "outlier", "build", "duplicates", "over_time"]


def sql(name):
    lines = (HERE / f"{name}.sql").read_text().splitlines()
    return "\n".join(line for line in lines if not line.startswith("--"))


def heap_sum(*arguments):
    """Rows of heap-sum, by class."""
    run = subprocess.run(["heap-sum", *map(str, arguments)], check=False, capture_output=True, text=True)
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    return sorted((row["class"], row["count"], row["size"]) for row in rows)


def check(answers, fleet, damaged=()):
    """answers: rows of each query; fleet: the folder of make.py."""
    files = [path for path in sorted(fleet.rglob("*.heapsnapshot")) if path not in damaged]
    found = sorted((name, int(n), int(size)) for name, n, size in answers["classes"])
    assert found == heap_sum(*files), "sums differ from heap-sum"
    dumps = {}
    for program, name, dump, n, size in answers["over_time"]:
        one = dumps.setdefault(name, [0, 0])
        one[0] += int(n)
        one[1] += int(size)
    assert sorted((name, n, size) for name, (n, size) in dumps.items()) == found, "sums of sums differ"
    assert [tuple(row[:2]) for row in answers["grew"]][0] == ("web", "CacheEntry"), answers["grew"]
    outliers = {(row[0], int(row[1]), int(row[2]), row[3]) for row in answers["outlier"]}
    assert outliers == {("web", 2, 1, "CacheEntry")}, outliers
    builds = [(program, name, int(version)) for program, name, version in answers["build"]]
    assert builds == [("api", "Session", 4)], builds
    data, copies, dumps, wasted = answers["duplicates"][0]
    assert (data, int(copies), int(dumps)) == ("region eu-central-1", 20 * len(files), len(files)), data
    assert int(wasted) == 19 * 32 * len(files), wasted
    print(f"ok: {len(files)} dumps, {sum(n for _, n, _ in found)} objects: sums as heap-sum has them; planted leaks found")
