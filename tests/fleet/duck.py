"""Asks the queries of this folder with DuckDB. usage: duck.py DATA_SET FLEET [DAMAGED...]"""

import pathlib
import sys
import time

import duckdb
import expect

root, fleet = sys.argv[1], pathlib.Path(sys.argv[2])
damaged = [pathlib.Path(path) for path in sys.argv[3:]]
db = duckdb.connect()
for table in ["nodes", "edges", "metadata"]:
    db.sql(
        f"create view {table} as select * from read_parquet('{root}/{table}/**/*.parquet',"
        " hive_partitioning = true, union_by_name = true)"
    )
db.sql("create table sums as " + expect.sql("sums"))
answers = {}
for name in expect.QUERIES:
    start = time.monotonic()
    answers[name] = db.sql(expect.sql(name)).fetchall()
    print(f"{name}: {len(answers[name])} rows, {time.monotonic() - start:.2f} s")
expect.check(answers, fleet, damaged)
assert db.sql(expect.sql("incomplete")).fetchall() == [], "dumps without metadata"

# Sums merge: those of two halves add up to those of the whole.
halves = " union all ".join(
    f"(select class, sum(n) as n, sum(bytes) as bytes from sums where pod % 2 = {half} group by class)" for half in (0, 1)
)
merged = db.sql(f"select class, sum(n), sum(bytes) from ({halves}) group by class order by class").fetchall()
assert merged == answers["classes"], "sums of halves differ"
# Every edge begins and ends at a node of its dump.
lost = db.sql(
    "select count(*) from edges e anti join nodes n on e.program = n.program and e.version = n.version and e.pod = n.pod"
    " and e.dump = n.dump and e.dest = n.identifier"
).fetchall()
assert lost == [(0,)], lost
# The counts that each dump promised.
promised = db.sql(
    "select sum(regexp_extract(value, 'nodes=([0-9]+)', 1)::bigint) from metadata where key = 'heap.end'"
).fetchall()
assert promised == db.sql("select count(*) from nodes").fetchall(), promised
