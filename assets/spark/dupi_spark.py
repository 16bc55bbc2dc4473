"""Runs the verbs of dupi-tui as tasks of Apache Spark. `dupi-tui spark` starts this with spark-submit.

    spark-submit --files /usr/bin/dupi-tui dupi_spark.py tasks --count 8 --printed FILE -- \\
        segment build --plan /shared/plan --task {task} --threads {cores} --out /shared/segments
    spark-submit --files /usr/bin/dupi-tui dupi_spark.py links --blocks 8 --threshold 0.5 -- --index /shared/index ...
    spark-submit --files /usr/bin/dupi-tui dupi_spark.py buckets --blocks 8 --crowd 256 -- --index /shared/index ...
    spark-submit dupi_spark.py documents --format parquet --id ID --text TEXT --documents DIR PATH...

Spark schedules, retries and reads tables; the work is done by the program, which each executor gets with --files. The
folders that are named must be the same on the driver and on all executors. On failure the last line on standard error
says why.
"""

import argparse
import contextlib
import ctypes
import itertools
import json
import os
import re
import signal
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
# The most rows of a batch that a verb gets.
ROWS = 1 << 16
# Rows that agree with each other and are joined in one piece.
SHARE = 1000
# Of Linux: the signal that a process gets when its parent ends.
PR_SET_PDEATHSIG = 1
# What a task says is found behind this in the stack trace that Spark reports.
MARK = "TaskFailed: "
# What is said behind this is the processor time of the programs, in seconds.
TAKEN = "dupi_spark: processor time of programs: "


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


def failure(status, said):
    """Why a verb failed, by its status and by what it said on standard error."""
    lines = said.decode(errors="replace").strip().splitlines()
    if status < 0:
        lines.append(f"{BINARY} was ended by signal {-status} on {socket.gethostname()}")
    return TaskFailed(lines[-1].removeprefix(f"{BINARY}: ") if lines else f"{BINARY} failed with {status}")


# The processor time of the programs that tasks ran, in seconds, with what passing on their streams took.
taken = None


def processor_time():
    """The processor time of this process and of the programs that it waited for. Spark itself knows nothing of these."""
    return sum(os.times()[:4])


def ending_with_this():
    """What a child does first so that it ends when this process is killed; None where there is no such thing."""
    if not sys.platform.startswith("linux"):
        return None
    parent, libc = os.getpid(), ctypes.CDLL(None)

    def end_with_parent():
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        # It may have been killed before.
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)

    return end_with_parent


def run(arguments, stdin=b""):
    """Runs a verb and returns what it prints."""
    before = processor_time()
    begin = ending_with_this()
    done = subprocess.run([binary(), *arguments], input=stdin, capture_output=True, check=False, preexec_fn=begin)
    taken.add(processor_time() - before)
    if done.returncode == 0:
        return done.stdout
    raise failure(done.returncode, done.stderr)


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


# The columns of what documents have and of what two of them have in common, as the verbs write and read them.
FEATURES = ["document", "size", "feature", "count"]
BUCKETS = ["document", "identity", "band", "bucket"]
LINKS = ["one", "other", "common", "sizes"]


class StreamCut(Exception):
    """The stream of a program ended before all was read or written. How the program ends tells why."""


def lost_rows():
    """Why a task fails: when Spark ends it, the stream of its rows just ends, which alone does not tell that it is cut."""
    return TaskFailed(f"a task on {socket.gethostname()} did not get all of its rows from Spark")


@contextlib.contextmanager
def running(arguments, **pipe):
    """Runs a verb that reads or writes a stream. It is killed if anything fails but its own stream."""
    before = processor_time()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([binary(), *arguments], stderr=said, preexec_fn=ending_with_this(), **pipe)
        is_cut = False
        try:
            try:
                yield process
            except StreamCut:
                is_cut = True
            if process.stdin:
                try:
                    process.stdin.close()
                except BrokenPipeError:
                    is_cut = True
            status = process.wait()
        except BaseException:
            process.kill()
            process.wait()
            raise
        taken.add(processor_time() - before)
        if status:
            said.seek(0)
            raise failure(status, said.read())
        if is_cut:
            raise TaskFailed(f"{BINARY} ended on {socket.gethostname()} before its stream did")


def batches_of(stream, names):
    """The batches of a stream: a number of rows, and then each column, with 8 bytes a number. No rows end the stream."""
    import pyarrow

    def whole(length):
        data = stream.read(length)
        if len(data) < length:
            raise StreamCut
        return data

    while rows := int.from_bytes(whole(8), "little"):
        column = lambda: pyarrow.py_buffer(whole(8 * rows))
        arrays = [pyarrow.Array.from_buffers(pyarrow.int64(), rows, [None, column()]) for _ in names]
        yield pyarrow.RecordBatch.from_arrays(arrays, names)


def write_rows(stream, rows):
    """Writes the columns of some rows to a stream, as `batches_of` reads them; of no rows the end."""
    try:
        stream.write(rows.num_rows.to_bytes(8, "little"))
        for column in rows.columns if rows.num_rows else []:
            stream.write(column.to_numpy(False).tobytes())
    except BrokenPipeError:
        raise StreamCut from None


def runs(batches):
    """Those rows of each batch that have the same number in the first column, without it."""
    import pyarrow

    for batch in batches:
        at = 0
        for same in batch.column(0).value_counts().to_pylist():
            rows = batch.slice(at, same["counts"])
            yield same["values"], pyarrow.RecordBatch.from_arrays(rows.columns[1:], rows.schema.names[1:])
            at += same["counts"]


def give(rows, verb):
    """Gives the rows that have the same number in the first column to the verb of this number.

    They are sorted by it. The last row of each has null in the second column: before it, not all rows are there.
    """
    from pyspark.sql import functions as f

    def write(batches):
        import pyarrow

        for number, pieces in itertools.groupby(runs(batches), lambda run: run[0]):
            with running(verb(number), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
                ends = 0
                for _, rows in pieces:
                    ends = rows.column(0).null_count
                    rows = rows.slice(0, rows.num_rows - ends)
                    for at in range(0, rows.num_rows, ROWS):
                        write_rows(process.stdin, rows.slice(at, ROWS))
                if not ends:
                    raise lost_rows()
                write_rows(process.stdin, rows.slice(0, 0))
        yield pyarrow.RecordBatch.from_pydict({"done": [True]})

    rows.mapInArrow(write, "done boolean").agg(f.count("done")).collect()


def part(given, name, option, task):
    """The arguments of a verb of `near` for a task."""
    return [b"segment", name, b"near", option, b"--task", b"%d" % task, *map(os.fsencode, given.verb)]


def printed(spark, given, names):
    """What the blocks print, as a table with these columns."""

    def features(batches):
        for batch in batches:
            for task in batch.column(0).to_pylist():
                with running(part(given, b"shatter", b"--print", task), stdout=subprocess.PIPE) as process:
                    yield from batches_of(process.stdout, names)

    numbers = spark.range(0, given.blocks, 1, given.blocks)
    return numbers.mapInArrow(features, ", ".join(f"{name} long" for name in names))


def once(rows):
    """The same rows, which are made once although they are read several times."""
    from pyspark import StorageLevel

    return rows.persist(StorageLevel.DISK_ONLY)


def shared(rows, names, partitions):
    """All rows that agree in some columns as two tables, and the columns by which they are joined with each other.

    Where more than SHARE rows agree, they are divided into shares, and each two shares have a key of their own: so no
    key has more pairs than SHARE * SHARE. Each row is there once for each share.
    """
    from pyspark.sql import functions as f

    many = rows.groupBy(*names).count().where(f.col("count") > SHARE)
    many = many.select(*names, f.ceil(f.col("count") / SHARE).cast("int").alias("shares"))
    rows = rows.join(many, names, "left").withColumn("shares", f.coalesce("shares", f.lit(1)))
    own = f.pmod(f.hash("document"), "shares")
    every = f.explode(f.sequence(f.lit(0), f.col("shares") - 1))
    others = [name for name in rows.columns if name not in (*names, "shares")]
    of_other = [f.col(name).alias("other_" + name) for name in others]
    one = rows.select(*names, *others, own.alias("share"), every.alias("other_share"))
    other = rows.select(*names, *of_other, every.alias("share"), own.alias("other_share"))
    keys = [*names, "share", "other_share"]
    return one.repartition(partitions, *keys), other.repartition(partitions, *keys), keys


def partitions_of(spark, given):
    """Into how many partitions the pairs of rows are divided: by keys, since few bytes can have many pairs."""
    return 4 * max(given.blocks, spark.sparkContext.defaultParallelism)


def links(spark, given):
    """Term-Split: sums up by feature what pairs of documents have in common, and hands it to a verb for each two blocks."""
    from pyspark.sql import functions as f

    rows = once(printed(spark, given, FEATURES))
    one, other, keys = shared(rows, ["feature"], partitions_of(spark, given))
    smaller, larger = f.least("size", "other_size"), f.greatest("size", "other_size")
    # No two of other sizes are similar. What is rounded here decides nothing.
    may_be_similar = smaller >= f.lit(given.threshold * (1 - 1e-9)) * larger
    pairs = one.join(other, keys).where((f.col("document") < f.col("other_document")) & may_be_similar)
    pairs = pairs.groupBy("document", "other_document", "size", "other_size")
    common = pairs.agg(f.sum(f.least("count", "other_count")).alias("common"))
    sizes = (f.col("size") + f.col("other_size")).alias("sizes")
    hand_over(spark, given, common.select("document", "other_document", "common", sizes))


def buckets(spark, given):
    """Term-Split of MinHash and SimHash: documents that share a bucket, each two once, for a verb for each two blocks."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    key, none = ["band", "bucket"], f.lit(0).cast("long")
    # Of equal documents the first one stands for all.
    rows = printed(spark, given, BUCKETS).groupBy(*key, "identity").agg(f.min("document").alias("document"))
    crowded = None
    if given.crowd:
        sized = once(rows.withColumn("documents", f.count("document").over(Window.partitionBy(*key))))
        is_crowded = f.col("documents") > given.crowd
        crowded = sized.where(is_crowded).select("document").distinct()
        rows = sized.where(~is_crowded & (f.col("documents") > 1)).drop("documents")
    else:
        rows = once(rows)
    one, other, keys = shared(rows, key, partitions_of(spark, given))
    pairs = one.join(other, keys).where(f.col("document") < f.col("other_document"))
    if given.distance:
        pairs = pairs.where(f.bit_count(f.col("identity").bitwiseXOR(f.col("other_identity"))) <= given.distance)
    first = pairs.groupBy("document", "other_document").agg(f.min("band").alias("common"))
    found = first.select("document", "other_document", "common", none.alias("sizes"))
    if crowded is not None:
        alone = crowded.select("document", f.col("document").alias("other_document"), none.alias("common"), none.alias("sizes"))
        found = found.unionByName(alone)
    hand_over(spark, given, found)


def hand_over(spark, given, found):
    """Hands what two documents have in common to a verb for each two blocks."""
    from pyspark.sql import functions as f

    blocks = given.blocks
    block = lambda document: f.shiftright(f.col(document), 32)
    number = lambda document: f.col(document).bitwiseAND(f.lit((1 << 32) - 1))
    # As `segment query near` numbers the tasks: by the later block, and then by the earlier one.
    later = block("other_document")
    task = (later * (later + 1) / 2 + block("document")).cast("long").alias("task")
    rows = found.select(
        task, number("document").alias("one"), number("other_document").alias("other"), "common", "sizes"
    )
    tasks = blocks * (blocks + 1) // 2
    # Two blocks without a pair have a file too.
    ends = spark.range(0, tasks).select(f.col("id").alias("task"), *(f.lit(None).cast("long").alias(name) for name in LINKS))
    rows = rows.unionByName(ends).repartition(min(tasks, 10 * blocks), "task")
    give(rows.sortWithinPartitions("task", f.col("one").isNull()), lambda task: part(given, b"query", b"--links", task))


# The columns of what tasks count of blots, as the verb writes them.
COUNTS = ["blot", "count"]


def blots(spark, given):
    """Term-Split: sums up by blot how often it occurs, and hands the repeated ones to a verb for each shard of them."""
    from pyspark.sql import functions as f

    verb = [os.fsencode(word) for word in given.verb]
    folder, count = os.fsencode(given.folder), given.tasks
    tally = lambda *options: [b"segment", b"tally", b"blots", *options, *verb]

    def counts(batches):
        for batch in batches:
            for task in batch.column(0).to_pylist():
                share = [b"--print", b"--task", b"%d" % task, b"--tasks", b"%d" % count]
                with running(tally(*share), stdout=subprocess.PIPE) as process:
                    yield from batches_of(process.stdout, COUNTS)

    numbers = spark.range(0, count, 1, count)
    counted = numbers.mapInArrow(counts, ", ".join(f"{name} long" for name in COUNTS)).groupBy("blot").agg(f.sum("count").alias("count"))
    repeated = counted.where(f.col("count") > 1).select(f.shiftright("blot", given.key_bits).alias("shard"), "blot")
    # A shard without any has a file too.
    ends = spark.range(0, given.shards).select(f.col("id").alias("shard"), f.lit(None).cast("long").alias("blot"))
    rows = repeated.unionByName(ends).repartition(min(given.shards, 8 * count), "shard")
    options = lambda shard: [b"--shard", b"%d" % shard, b"--counted", b"--out", folder]
    give(rows.sortWithinPartitions("shard", f.col("blot").asc_nulls_last()), lambda shard: tally(*options(shard)))


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
    # The last row of a part: before it, not all of the part is there.
    end, none = f.lit(True).alias("end"), f.lit(None).cast("string")
    ends = spark.range(0, parts).select(f.col("id").alias("part"), end, none.alias("id"), none.alias("text"))
    table = table.select(part, f.lit(False).alias("end"), "id", "text").unionByName(ends)
    table = table.repartition(parts, "part").sortWithinPartitions("part", "end", "id", "text")
    names = (given.id, given.text)

    def write(batches):
        written, file, last = 0, None, None
        try:
            for batch in batches:
                for number, is_end, key, text in zip(*(column.to_pylist() for column in batch.columns)):
                    if is_end:
                        if file:
                            file.close()
                            os.rename(file.name, os.path.join(folder, PART_NAME + b"%06d.jsonl" % number))
                            file = None
                        continue
                    if key is None:
                        raise TaskFailed(f"a record has no {names[0]}")
                    if key == last:
                        raise TaskFailed(f"two records have the {names[0]} {key!r}")
                    if not file:
                        file = tempfile.NamedTemporaryFile("w", dir=folder, prefix=DRAFT, delete=False, encoding="utf-8")
                    record = {names[0]: key} if text is None else {names[0]: key, names[1]: text}
                    file.write(json.dumps(record, ensure_ascii=False) + "\n")
                    last, written = key, written + 1
            if file:
                raise lost_rows()
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
    job = jobs.add_parser("links", help="find similar documents by the features that they share (Term-Split)")
    job.add_argument("--blocks", required=True, type=int, help="how many blocks there are")
    job.add_argument("--threshold", required=True, type=float, help="the least similarity")
    job.set_defaults(run=links, verb=verb)
    job = jobs.add_parser("blots", help="find the repeated blots of an index by their counts (Term-Split)")
    job.add_argument("--tasks", required=True, type=int, help="how many tasks count")
    job.add_argument("--shards", required=True, type=int, help="into how many shards blots are divided")
    job.add_argument("--key-bits", required=True, type=int, help="how many bits of a blot are below its shard")
    job.add_argument("--folder", required=True, help="a folder for the files of the shards")
    job.set_defaults(run=blots, verb=verb)
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


def reason(error):
    """Why a job failed, in a line: what a task said, or else what Spark says."""
    text = str(error)
    told = re.findall(re.escape(MARK) + r"(.*)", text)
    lines = [line for line in text.splitlines() if line.strip()]
    return told[-1] if told else lines[0].strip() if lines else type(error).__name__


def main():
    global taken
    given = arguments(sys.argv[1:])
    # Executors use the same interpreter, unless spark.pyspark.python says another.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = None
    try:
        from pyspark.sql import SparkSession

        spark = SparkSession.builder.appName(f"dupi-tui {given.job}").getOrCreate()
        taken = spark.sparkContext.accumulator(0.0)
        given.run(spark, given)
        if taken.value:
            print(f"{TAKEN}{taken.value:.2f}")
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
