"""Term-Split: Spark finds what documents share, and the program judges it."""

import os
import subprocess

from dupi_programs import batches_of

# Rows that agree with each other and are joined in one piece.
SHARE = 1000
# The columns of what documents have and of what two of them have in common, as the verbs write and read them.
FEATURES = ["document", "size", "feature", "count"]
BUCKETS = ["document", "identity", "band", "bucket"]
LINKS = ["one", "other", "common", "sizes"]


def part(verb, name, option, task):
    """The arguments of a verb of `near` for a task."""
    return [b"segment", name, b"near", option, b"--task", b"%d" % task, *map(os.fsencode, verb)]


def printed(spark, programs, given, names):
    """What the blocks print, as a table with these columns."""

    verb = given.verb

    def features(batches):
        for batch in batches:
            for task in batch.column(0).to_pylist():
                with programs.running(part(verb, b"shatter", b"--print", task), stdout=subprocess.PIPE) as process:
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


def links(spark, programs, given):
    """Term-Split: sums up by feature what pairs of documents have in common, and hands it to a verb for each two blocks."""
    from pyspark.sql import functions as f

    rows = once(printed(spark, programs, given, FEATURES))
    one, other, keys = shared(rows, ["feature"], partitions_of(spark, given))
    smaller, larger = f.least("size", "other_size"), f.greatest("size", "other_size")
    # No two of other sizes are similar. What is rounded here decides nothing.
    may_be_similar = smaller >= f.lit(given.threshold * (1 - 1e-9)) * larger
    pairs = one.join(other, keys).where((f.col("document") < f.col("other_document")) & may_be_similar)
    pairs = pairs.groupBy("document", "other_document", "size", "other_size")
    common = pairs.agg(f.sum(f.least("count", "other_count")).alias("common"))
    sizes = (f.col("size") + f.col("other_size")).alias("sizes")
    hand_over(spark, programs, given, common.select("document", "other_document", "common", sizes))


def buckets(spark, programs, given):
    """Term-Split of MinHash and SimHash: documents that share a bucket, each two once, for a verb for each two blocks."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    key, none = ["band", "bucket"], f.lit(0).cast("long")
    # Of equal documents the first one stands for all.
    rows = printed(spark, programs, given, BUCKETS).groupBy(*key, "identity").agg(f.min("document").alias("document"))
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
    hand_over(spark, programs, given, found)


def hand_over(spark, programs, given, found):
    """Hands what two documents have in common to a verb for each two blocks."""
    from pyspark.sql import functions as f

    blocks, verb = given.blocks, given.verb
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
    programs.give(rows.sortWithinPartitions("task", f.col("one").isNull()), lambda task: part(verb, b"query", b"--links", task))
