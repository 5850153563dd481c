"""Counts the dumps whose program has an odd name, as with-duckdb.sh made it. usage: tag.py DATA_SET"""

import sys

import duckdb

nodes = f"read_parquet('{sys.argv[1]}/nodes/**/*.parquet', hive_partitioning = true)"
print(duckdb.execute(f"select count(distinct dump) from {nodes} where program = ?", ["a/b=c%\nd"]).fetchall())
