"""A query whose instances are processes, connected by a log that speaks Kafka's protocol. One of them may be killed."""

import logging
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from streamlab.granted_time import own_deadline
from streamlab.kit_program import kit_environment, kit_program
from streamlab.lab03_log.wire.log import OpenLog
from streamlab.lab03_log.wire.server import WireServer
from streamlab.lab04_subqueries.engine.deployment import SOURCE, Address, Deployment, batches_of
from streamlab.lab04_subqueries.engine.instance_process import JOB, failure_file
from streamlab.lab04_subqueries.engine.process_channel import RESULTS, Receiver, Sender, SendingFailed, topic_of
from streamlab.lab04_subqueries.engine.query import Query
from streamlab.lab04_subqueries.engine.rows import END_MS, START_MS, Row, in_order


class RunFailed(RuntimeError):
    """A run in processes did not finish; the message says which part failed, and how."""


class NoResult(RunFailed):
    """No result has arrived for the time allowed."""


class ProcessRun(NamedTuple):
    """The rows of each result stream in order, and the number of result messages that arrived twice."""

    results: dict[str, list[Row]]
    repeated: int


def run_in_processes(
    parts: Any,
    query: Query,
    inputs: Mapping[str, Iterable[Row]],
    degrees: Sequence[int],
    open_log: OpenLog,
    kill: Address | None = None,
    batch_rows: int = 50,
    patience_s: float = 30.0,
) -> ProcessRun:
    """Run a query with `degrees[k]` processes for subquery k, which read and write partitions of your log.

    kill: (k, i) kills instance i of subquery k with SIGKILL once half of the input has been sent and the first results
    have arrived, and restarts it; then the other half is sent.
    Raises RunFailed if a process ends early, if the log does not accept a message, or if no result arrives for
    `patience_s`. No process keeps running after that.
    """
    logging.getLogger("kafka").setLevel(logging.CRITICAL)
    to, failure = Deployment(parts, query, degrees), None
    try:
        with tempfile.TemporaryDirectory() as name, WireServer(open_log, Path(name, "log")) as server:
            try:
                with _processes(to, Path(name), server.address) as processes:
                    run = _Run(to, processes, server.address, patience_s)
                    return run.play(list(batches_of(query, inputs, batch_rows)), kill)
            except (RunFailed, SendingFailed) as problem:
                failure = problem  # the server may know the cause, and raises it at the end of the block
    except Exception as problem:
        raise RunFailed(f"the log failed: {type(problem).__name__}: {problem}") from problem
    raise RunFailed(str(failure))


class _Processes:
    """The processes of all instances, by (k, i)."""

    def __init__(self, to: Deployment, folder: Path, address: str) -> None:
        self._to, self._folder, self._address = to, folder, address
        self._running: dict[Address, subprocess.Popen[bytes]] = {}

    def start(self, k: int, i: int) -> None:
        """Start one instance."""
        self._running[k, i] = subprocess.Popen(
            kit_program(
                "streamlab.lab04_subqueries.engine.instance_process", str(self._folder), str(k), str(i), self._address
            ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=kit_environment(),
        )

    def kill(self, k: int, i: int) -> None:
        """End one instance with SIGKILL, which no process can catch."""
        self._running[k, i].send_signal(signal.SIGKILL)
        self._running[k, i].wait()

    def verify(self) -> None:
        """Raise RunFailed if a process has failed."""
        for (k, i), process in self._running.items():
            if process.poll():
                file = failure_file(self._folder, k, i)
                reason = file.read_text(encoding="utf-8") if file.exists() else f"exit code {process.returncode}"
                raise RunFailed(f"instance {self._to.names[k][i]} ended early: {reason}")

    def end(self) -> None:
        """Kill all processes that still run."""
        for address in self._running:
            self.kill(*address)


@contextmanager
def _processes(to: Deployment, folder: Path, address: str) -> Iterator[_Processes]:
    from kafka import KafkaAdminClient
    from pyspark import cloudpickle

    (folder / JOB).write_bytes(cloudpickle.dumps(to))
    partitions = {topic_of(k): degree for k, degree in enumerate(to.degrees)} | {RESULTS: 1}
    with closing(KafkaAdminClient(bootstrap_servers=address)) as admin:
        topics = {name: {"num_partitions": count, "replication_factor": 1} for name, count in partitions.items()}
        admin.create_topics(topics, wait_for_metadata=True)
    processes = _Processes(to, folder, address)
    try:
        for k, degree in enumerate(to.degrees):
            for i in range(degree):
                processes.start(k, i)
        yield processes
    finally:
        processes.end()


class _Run:
    """Plays the sources and collects the results."""

    def __init__(self, to: Deployment, processes: _Processes, address: str, patience_s: float) -> None:
        self._to, self._processes, self._address, self._patience_s = to, processes, address, patience_s
        producers = [k for k, each in enumerate(to.subqueries) if not set(each.outputs).isdisjoint(to.query.results)]
        self._inbox = to.Inbox([name for k in producers for name in to.names[k]])
        self._results: dict[str, list[Row]] = {stream: [] for stream in to.query.results}
        self._seen: set[tuple[str, int]] = set()
        self._repeated = 0

    def play(self, batches: list[Any], kill: Address | None) -> ProcessRun:
        """Send all batches and wait for the last result."""
        half = len(batches) // 2 if kill else len(batches)
        with (
            Sender(self._to, SOURCE, self._to.query.sources, self._address) as source,
            Receiver(RESULTS, 0, self._address) as receiver,
        ):
            self._send(source, batches[:half])
            if kill:
                self._receive_until(receiver, START_MS + 1)
                self._processes.kill(*kill)
                self._processes.start(*kill)
                self._send(source, batches[half:])
            self._receive_until(receiver, END_MS)
        ordered = {stream: in_order(stream, rows) for stream, rows in self._results.items()}
        return ProcessRun(ordered, self._repeated)

    def _send(self, source: Sender, batches: list[Any]) -> None:
        for arrivals, until_ms in batches:
            source.send(arrivals, until_ms)
        source.flush()

    def _receive_until(self, receiver: Receiver, until_ms: int) -> None:
        """Receive results until all of their senders have promised that no result before `until_ms` is left."""
        deadline = own_deadline(self._patience_s)
        while self._inbox.until_ms < until_ms:
            self._processes.verify()
            for message in receiver.messages():
                self._take(message)
                deadline = own_deadline(self._patience_s)
            if deadline.is_over:
                until_ms = self._inbox.until_ms
                so_far = f"they end at {until_ms} ms" if until_ms > START_MS else "none"
                raise NoResult(f"no result for {self._patience_s:g} s; the results so far: {so_far}")

    def _take(self, message: Any) -> None:
        self._repeated += (message.sender, message.number) in self._seen
        self._seen.add((message.sender, message.number))
        for arrival in self._inbox.take(message):
            self._results[arrival.stream].append(arrival.row)
