"""Runs the verbs of dupi-tui as tasks of Apache Spark. `dupi-tui spark` starts this with spark-submit.

    spark-submit --files /usr/bin/dupi-tui dupi_spark.py tasks --count 8 --printed FILE -- \\
        segment build --plan /shared/plan --task {task} --threads {cores} --out /shared/segments
    spark-submit dupi_spark.py documents --format parquet --id ID --text TEXT --documents DIR PATH...

Spark schedules, retries and reads tables; the work is done by the program, which each executor gets with --files. The
folders that are named must be the same on the driver and on all executors. On failure the last line on standard error
says why.
"""

import argparse
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import tempfile

# The program, as --files calls it.
BINARY = "dupi-tui"
# Characters of text in a file of documents.
PART = 16 << 20
# What the names of unfinished files begin with.
DRAFT = b".tmp-"
# What the names of finished files begin with.
PART_NAME = b"part-"
# Bytes of rows that a task has at once.
BATCH = 16 << 20
# What a task says is found behind this in the stack trace that Spark reports.
MARK = "TaskFailed: "


# In the arguments of a verb: the number of the task, and the cores that it has.
TASK = "{task}"
CORES = "{cores}"


class TaskFailed(Exception):
    """What a task could not do, in a sentence."""


def binary():
    """The program on this machine."""
    from pyspark import SparkFiles

    path = SparkFiles.get(BINARY)
    if not os.path.exists(path):
        raise TaskFailed(f"{socket.gethostname()} has no {BINARY}; ship it with --files")
    return path


def run(arguments, stdin=b""):
    """Runs a verb and returns what it prints."""
    done = subprocess.run([binary(), *arguments], input=stdin, capture_output=True, check=False)
    if done.returncode == 0:
        return done.stdout
    said = done.stderr.decode(errors="replace").strip().splitlines()
    if done.returncode < 0:
        said.append(f"{BINARY} was ended by signal {-done.returncode} on {socket.gethostname()}")
    raise TaskFailed(said[-1].removeprefix(f"{BINARY}: ") if said else f"{BINARY} failed with {done.returncode}")


def tasks(spark, given):
    """Runs a verb in each of some tasks, and writes what they print to a file, each followed by NUL."""
    import pyarrow

    cores = spark.conf.get("spark.task.cpus", "1")
    # As bytes: an executor may have another locale.
    verb = [os.fsencode(cores if word == CORES else word) for word in given.verb]

    def work(batches):
        for batch in batches:
            for task in batch.column(0).to_pylist():
                printed = run([b"%d" % task if word == os.fsencode(TASK) else word for word in verb])
                yield pyarrow.RecordBatch.from_pydict({"task": [task], "printed": [printed]})

    numbers = spark.range(0, given.count, 1, max(given.count, 1))
    rows = numbers.mapInArrow(work, "task long, printed binary").collect()
    with open(given.printed, "wb") as file:
        file.writelines(bytes(row.printed) + b"\0" for row in sorted(rows))


def remove(folder, beginnings):
    """Removes the files of a folder whose names begin so."""
    for name in os.listdir(folder):
        if name.startswith(tuple(beginnings)):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(folder, name))


def documents(spark, given):
    """Writes a table as JSONL files, which do not depend on how it is partitioned."""
    import pyarrow
    from pyspark.sql import functions as f

    folder = os.fsencode(given.documents)
    os.makedirs(folder, exist_ok=True)
    if os.listdir(folder):
        raise TaskFailed(f"{given.documents} is not empty; name a new folder with --documents, or remove what a stopped job left there")
    # A retry finds it empty.
    given.undo = lambda: remove(folder, [DRAFT, PART_NAME])
    table = spark.read.format(given.format).load(given.paths)
    for column in [given.id, given.text]:
        if column not in table.columns:
            raise TaskFailed(f"there is no column {column}; the columns are {', '.join(table.columns)}")
    table = table.select(f.col(given.id).cast("string").alias("id"), f.col(given.text).cast("string").alias("text"))
    size = table.agg(f.sum(f.length("text"))).first()[0] or 0
    parts = max(1, -(-size // PART))
    part = f.pmod(f.xxhash64("id"), f.lit(parts)).cast("long").alias("part")
    table = table.select(part, "id", "text").repartition(parts, "part").sortWithinPartitions("part", "id", "text")
    names = (given.id, given.text)

    def write(batches):
        written, file, open_part, last = 0, None, None, None

        def finish():
            if file:
                file.close()
                os.rename(file.name, os.path.join(folder, PART_NAME + b"%06d.jsonl" % open_part))

        try:
            for batch in batches:
                for number, key, text in zip(*(column.to_pylist() for column in batch.columns)):
                    if key is None:
                        raise TaskFailed(f"a record has no {names[0]}")
                    if key == last:
                        raise TaskFailed(f"two records have the {names[0]} {key!r}")
                    if number != open_part:
                        finish()
                        file = tempfile.NamedTemporaryFile("w", dir=folder, prefix=DRAFT, delete=False, encoding="utf-8")
                        open_part = number
                    record = {names[0]: key} if text is None else {names[0]: key, names[1]: text}
                    file.write(json.dumps(record, ensure_ascii=False) + "\n")
                    last, written = key, written + 1
            finish()
            file = None
        finally:
            if file:
                file.close()
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(file.name)
        yield pyarrow.RecordBatch.from_pydict({"written": [written]})

    # Documents can be long. A Spark without the limit by bytes has only that by rows.
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "64")
    spark.conf.set("spark.sql.execution.arrow.maxBytesPerBatch", str(BATCH))
    counts = table.mapInArrow(write, "written long").agg(f.sum("written")).first()
    # Of tasks that were killed.
    remove(folder, [DRAFT])
    print(f"{counts[0] or 0} documents in {given.documents}")


def arguments(words):
    """The arguments. `@FILE` names a file of them, each ended by NUL, which no locale changes on the way."""
    if words[:1] and words[0].startswith("@"):
        with open(words[0][1:], "rb") as file:
            words = [os.fsdecode(word) for word in file.read().split(b"\0")[:-1]]
    verb = []
    if "--" in words:
        at = words.index("--")
        words, verb = words[:at], words[at + 1 :]
    parser = argparse.ArgumentParser(prog="dupi_spark.py", description=__doc__.splitlines()[0])
    jobs = parser.add_subparsers(dest="job", required=True)
    job = jobs.add_parser("tasks", help="run a verb of the program in each task")
    job.add_argument("--count", required=True, type=int, help="how many tasks")
    job.add_argument("--printed", required=True, help="a file for what they print")
    job.set_defaults(run=tasks, verb=verb)
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


def reason(error):
    """Why a job failed, in a line: what a task said, or else what Spark says."""
    text = str(error)
    told = re.findall(re.escape(MARK) + r"(.*)", text)
    lines = [line for line in text.splitlines() if line.strip()]
    return told[-1] if told else lines[0].strip() if lines else type(error).__name__


def main():
    given = arguments(sys.argv[1:])
    # Executors use the same interpreter, unless spark.pyspark.python says another.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = None
    try:
        from pyspark.sql import SparkSession

        spark = SparkSession.builder.appName(f"dupi-tui {given.job}").getOrCreate()
        given.run(spark, given)
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
            given.undo()
        print(f"dupi_spark: {why}", file=sys.stderr, flush=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
