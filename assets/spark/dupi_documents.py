"""Tables as files of documents."""

import contextlib
import json
import os
import tempfile

from dupi_programs import TaskFailed, lost_rows

# Characters of text in a file.
PART = 16 << 20
# What the names of unfinished files begin with.
DRAFT = b".tmp-"
# What the names of finished files begin with.
PART_NAME = b"part-"
# Bytes of rows that a task has at once.
BATCH = 16 << 20


def remove(folder, beginnings):
    """Removes the files of a folder whose names begin so."""
    for name in os.listdir(folder):
        if name.startswith(tuple(beginnings)):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(folder, name))


def documents(spark, _programs, given):
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
