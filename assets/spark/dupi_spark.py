"""Runs the verbs of dupi-tui as tasks of Apache Spark. `dupi-tui spark` starts this with spark-submit.

    spark-submit --files /usr/bin/dupi-tui dupi_spark.py index --plan PLAN --segments DIR -- adopt options
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


# The exit status if all segments are built and could not be joined.
NOT_JOINED = 3


class TaskFailed(Exception):
    """What a task could not do, in a sentence."""

    status = 1
    # What the verb printed all the same.
    printed = b""


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
    failed = TaskFailed(said[-1].removeprefix(f"{BINARY}: ") if said else f"{BINARY} failed with {done.returncode}")
    failed.printed = done.stdout
    raise failed


def index(spark, given):
    """Builds the segments of a plan, one a task, and joins them."""
    import pyarrow

    lists = [name for name in os.listdir(given.plan) if name.endswith(".list")]
    cores = spark.conf.get("spark.task.cpus", "1")
    # As bytes: an executor may have another locale.
    fixed = ["segment", "build", "--plan", given.plan, "--out", given.segments, "--threads", cores]
    if given.memory:
        fixed += ["--memory", given.memory]
    fixed = [os.fsencode(argument) for argument in fixed]

    def build(batches):
        for batch in batches:
            for task in batch.column(0).to_pylist():
                printed = run([*fixed, b"--task", b"%d" % task]).strip()
                # Its last part has only letters and digits.
                name = printed.rsplit(b"/", 1)[-1].decode()
                yield pyarrow.RecordBatch.from_pydict({"segment": [name]})

    tasks = spark.range(0, len(lists), 1, max(len(lists), 1))
    names = [row.segment for row in tasks.mapInArrow(build, "segment string").collect()]
    folders = b"".join(os.fsencode(os.path.join(given.segments, name)) + b"\0" for name in names)
    adopt = [os.fsencode(argument) for argument in given.adopt]
    try:
        said = run(["segment", "adopt", "-", "--plan", os.fsencode(given.plan), *adopt], folders)
    except TaskFailed as failed:
        # It prints nothing if there is no index; with one it fails if files could not be read, as `index` does.
        sys.stdout.buffer.write(failed.printed)
        sys.stdout.flush()
        failed.status = failed.status if failed.printed else NOT_JOINED
        raise
    sys.stdout.buffer.write(said)


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
    adopt = []
    if "--" in words:
        at = words.index("--")
        words, adopt = words[:at], words[at + 1 :]
    parser = argparse.ArgumentParser(prog="dupi_spark.py", description=__doc__.splitlines()[0])
    jobs = parser.add_subparsers(dest="job", required=True)
    job = jobs.add_parser("index", help="build the segments of a plan, and join them")
    job.add_argument("--plan", required=True, help="the folder that `dupi-tui segment plan` made")
    job.add_argument("--segments", required=True, help="a folder for the segments")
    job.add_argument("--memory", help="the memory limit of a task, as of `dupi-tui segment build`")
    job.set_defaults(run=index, adopt=adopt)
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
    for name in ["plan", "segments", "documents"]:
        if hasattr(given, name):
            # An executor works in another folder.
            setattr(given, name, os.path.abspath(getattr(given, name)))
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
        sys.exit(error.status if isinstance(error, TaskFailed) else 1)


if __name__ == "__main__":
    main()
