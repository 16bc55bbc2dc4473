"""Runs the verbs of dupi-tui as tasks of Apache Spark. `dupi-tui spark` starts this with spark-submit.

    spark-submit --files /usr/bin/dupi-tui dupi_spark.py tasks --count 8 --printed FILE -- \\
        segment build --plan /shared/plan --task {task} --threads {cores} --out /shared/segments
    spark-submit --files /usr/bin/dupi-tui dupi_spark.py links --blocks 8 --threshold 0.5 -- --index /shared/index ...
    spark-submit --files /usr/bin/dupi-tui dupi_spark.py buckets --blocks 8 --crowd 256 -- --index /shared/index ...
    spark-submit dupi_spark.py documents --format parquet --id ID --text TEXT --documents DIR PATH...

Spark schedules, retries and reads tables; the work is done by the program, which each executor gets with --files. The
folders that are named must be the same on the driver and on all executors. On failure the last line on standard error
says why.

With @FILE... each file has the arguments of a job, each ended by NUL, which no locale changes on the way. The jobs are run
one after the other.
"""

import argparse
import contextlib
import os
import re
import sys

from dupi_documents import documents
from dupi_programs import Programs, TaskFailed
from dupi_terms import buckets, links

# What lies beside this file. Executors need it too.
MODULES = ["dupi_programs.py", "dupi_terms.py", "dupi_documents.py"]
# What a task says is found behind this in the stack trace that Spark reports.
MARK = "TaskFailed: "
# What is said behind this is the processor time of the programs, in seconds.
TAKEN = "dupi_spark: processor time of programs: "
# In the arguments of a verb: the number of the task, and the cores that it has.
TASK = "{task}"
CORES = "{cores}"


def tasks(spark, programs, given):
    """Runs a verb in each of some tasks, and writes what they print to a file, if one is given, each followed by NUL."""
    import pyarrow
    from pyspark.sql import functions as f

    cores = spark.conf.get("spark.task.cpus", "1")
    # As bytes: an executor may have another locale.
    verb = [os.fsencode(cores if word == CORES else word) for word in given.verb]

    def work(batches):
        for batch in batches:
            for task in batch.column(0).to_pylist():
                printed = programs.run([b"%d" % task if word == os.fsencode(TASK) else word for word in verb])
                yield pyarrow.RecordBatch.from_pydict({"task": [task], "printed": [printed]})

    numbers = spark.range(0, given.count, 1, max(given.count, 1))
    done = numbers.mapInArrow(work, "task long, printed binary")
    if given.printed is None:
        done.agg(f.count("task")).collect()
        return
    with open(given.printed, "wb") as file:
        file.writelines(bytes(row.printed) + b"\0" for row in sorted(done.collect()))


def arguments(words):
    """The arguments of a job."""
    verb = []
    if "--" in words:
        at = words.index("--")
        words, verb = words[:at], words[at + 1 :]
    parser = argparse.ArgumentParser(prog="dupi_spark.py", description=__doc__.splitlines()[0])
    jobs = parser.add_subparsers(dest="job", required=True)
    job = jobs.add_parser("tasks", help="run a verb of the program in each task")
    job.add_argument("--count", required=True, type=int, help="how many tasks")
    job.add_argument("--printed", help="a file for what they print")
    job.set_defaults(run=tasks, verb=verb)
    job = jobs.add_parser("links", help="find similar documents by the features that they share (Term-Split)")
    job.add_argument("--blocks", required=True, type=int, help="how many blocks there are")
    job.add_argument("--threshold", required=True, type=float, help="the least similarity")
    job.set_defaults(run=links, verb=verb)
    job = jobs.add_parser("buckets", help="find candidates by the bands or tables that they share (Term-Split)")
    job.add_argument("--blocks", required=True, type=int, help="how many blocks there are")
    job.add_argument("--crowd", type=int, help="more documents that share a band are not linked with each other")
    job.add_argument("--distance", type=int, help="in how many bits the identities of two may differ")
    job.set_defaults(run=buckets, verb=verb)
    job = jobs.add_parser("documents", help="write a table as JSONL files")
    job.add_argument("--format", required=True, help="a format that Spark reads, such as parquet or json")
    job.add_argument("--id", default="id", help="the column with the identity of a document")
    job.add_argument("--text", default="text", help="the column with its text")
    job.add_argument("--documents", required=True, help="a new folder for the files")
    job.add_argument("paths", nargs="+")
    job.set_defaults(run=documents)
    # What is done after a failure.
    parser.set_defaults(undo=lambda: None)
    given = parser.parse_args(words)
    if hasattr(given, "documents"):
        # An executor works in another folder.
        given.documents = os.path.abspath(given.documents)
    return given


def of_all_jobs(words):
    """The arguments of all jobs."""
    if not words or not words[0].startswith("@"):
        return [arguments(words)]
    given = []
    for word in words:
        with open(word.removeprefix("@"), "rb") as file:
            given.append(arguments([os.fsdecode(argument) for argument in file.read().split(b"\0")[:-1]]))
    return given


def reason(error):
    """Why a job failed, in a line: what a task said, or else what Spark says."""
    text = str(error)
    told = re.findall(re.escape(MARK) + r"(.*)", text)
    lines = [line for line in text.splitlines() if line.strip()]
    return told[-1] if told else lines[0].strip() if lines else type(error).__name__


def main():
    jobs = of_all_jobs(sys.argv[1:])
    job = jobs[0]
    # Executors use the same interpreter, unless spark.pyspark.python says another.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = None
    try:
        from pyspark.sql import SparkSession

        spark = SparkSession.builder.appName(f"dupi-tui {jobs[-1].job}").getOrCreate()
        for module in MODULES:
            spark.sparkContext.addPyFile(os.path.join(os.path.dirname(os.path.abspath(__file__)), module))
        programs = Programs(spark)
        for job in jobs:
            spark.sparkContext.setJobDescription(job.job)
            job.run(spark, programs, job)
        if programs.taken.value:
            print(f"{TAKEN}{programs.taken.value:.2f}")
        sys.stdout.flush()
        spark.stop()
    except Exception as error:  # Whatever it is, its reason comes last.
        why = str(error) if isinstance(error, TaskFailed) else reason(error)
        if spark:
            # Spark may have been ended by a signal.
            with contextlib.suppress(Exception):
                spark.sparkContext.setLogLevel("OFF")
                spark.stop()
        # No task runs any more.
        with contextlib.suppress(OSError):
            job.undo()
        print(f"dupi_spark: {why}", file=sys.stderr, flush=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
