"""Converts a fleet as a Spark job, and asks the queries of this folder.

usage: spark.py FLEET DATA_SET

Each executor runs heap-to on its own files and adds partitions to the same data set, which all of them must reach. A task
that Spark tries again replaces its partitions. Two workers with a core each; the tools are on their PATH.
"""

import os
import pathlib
import subprocess
import sys
import time

from pyspark.sql import SparkSession

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import expect

fleet, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
# Queries of a second are over before the second compiler of Java has paid.
java = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
spark = (
    SparkSession.builder.master("local-cluster[2,1,1024]")
    .config("spark.executorEnv.PATH", os.environ["PATH"])
    .config("spark.driver.extraJavaOptions", java)
    .config("spark.executor.extraJavaOptions", java)
    .config("spark.sql.shuffle.partitions", "2")
    # A file counts as so many bytes when Spark makes tasks. With 4 MB, the default, a task has 32 of our small ones.
    .config("spark.sql.files.openCostInBytes", str(256 << 10))
    # The driver lists folders itself: a task for each of a thousand small ones takes longer.
    .config("spark.sql.sources.parallelPartitionDiscovery.threshold", "100000")
    .config("spark.ui.enabled", "false")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")
if spark.version.startswith(("3.0", "3.1", "3.2")):
    # That reader knows no differences between numbers, as which the columns of numbers are written.
    spark.conf.set("spark.sql.parquet.enableVectorizedReader", "false")


def convert(process):
    """Converts the dumps of one process; gives its messages."""
    dumps = sorted(path.name for path in pathlib.Path(process).glob("*.heapsnapshot"))
    tags = [word for part in pathlib.Path(process).parts[-3:] for word in ("--tag", part)]
    run = subprocess.run(
        ["heap-to", "parquet", "-o", str(root), *tags, *dumps], check=False, cwd=process, capture_output=True, text=True
    )
    return [f"{process}: {line}" for line in run.stderr.splitlines()]


start = time.monotonic()
processes = sorted(str(path) for path in fleet.glob("*/*/*"))
messages = spark.sparkContext.parallelize(processes, 16).flatMap(convert).collect()
print(f"converted by {len(processes)} calls on two workers: {time.monotonic() - start:.1f} s")
damaged = []
for message in messages:
    print(message)
    process, _, name, *_ = message.split(": ")
    damaged.append(pathlib.Path(process) / name)

# Dumps of several formats need .option("mergeSchema", "true").
for table in ["nodes", "metadata"]:
    spark.read.parquet(str(root / table)).createOrReplaceTempView(table)
start = time.monotonic()
sums = spark.sql(expect.sql("sums")).cache()
print(f"sums: {sums.count()} rows, {time.monotonic() - start:.1f} s")
sums.createOrReplaceTempView("sums")
answers = {}
for name in expect.QUERIES:
    start = time.monotonic()
    # The name that all versions of Spark know.
    sql = expect.sql(name).replace("median(n)", "percentile(n, 0.5)")
    answers[name] = [tuple(row) for row in spark.sql(sql).collect()]
    print(f"{name}: {len(answers[name])} rows, {time.monotonic() - start:.1f} s")
expect.check(answers, fleet, damaged)
assert [tuple(row) for row in spark.sql(expect.sql("incomplete")).collect()] == [], "dumps without metadata"
spark.stop()
