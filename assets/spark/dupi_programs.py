"""The programs that tasks run, and their streams."""

import contextlib
import ctypes
import itertools
import os
import signal
import socket
import subprocess
import sys
import tempfile

# The program, as --files calls it.
BINARY = "dupi-tui"
# The most rows of a batch that a verb gets.
ROWS = 1 << 16
# Of Linux: the signal that a process gets when its parent ends.
PR_SET_PDEATHSIG = 1


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


class StreamCut(Exception):
    """The stream of a program ended before all was read or written. How the program ends tells why."""


def lost_rows():
    """Why a task fails: when Spark ends it, the stream of its rows just ends, which alone does not tell that it is cut."""
    return TaskFailed(f"a task on {socket.gethostname()} did not get all of its rows from Spark")


class Programs:
    """Runs the program in tasks, and sums up its processor time."""

    def __init__(self, spark):
        # In seconds, with what passing on their streams took.
        self.taken = spark.sparkContext.accumulator(0.0)

    def run(self, arguments):
        """Runs a verb and returns what it prints."""
        before = processor_time()
        begin = ending_with_this()
        done = subprocess.run([binary(), *arguments], input=b"", capture_output=True, check=False, preexec_fn=begin)
        self.taken.add(processor_time() - before)
        if done.returncode == 0:
            return done.stdout
        raise failure(done.returncode, done.stderr)

    @contextlib.contextmanager
    def running(self, arguments, **pipe):
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
            self.taken.add(processor_time() - before)
            if status:
                said.seek(0)
                raise failure(status, said.read())
            if is_cut:
                raise TaskFailed(f"{BINARY} ended on {socket.gethostname()} before its stream did")

    def give(self, rows, verb):
        """Gives the rows that have the same number in the first column to the verb of this number.

        They are sorted by it. The last row of each has null in the second column: before it, not all rows are there.
        """
        from pyspark.sql import functions as f

        def write(batches):
            import pyarrow

            for number, pieces in itertools.groupby(runs(batches), lambda run: run[0]):
                with self.running(verb(number), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
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
