"""Experiment of Lab 8 on push under an offered load: the job is killed and restarted, and then the load rises.

The load is open-loop: position i is sent at i / rate, whether or not the job keeps up. So a job that is down or slow
has a lag. Job, broker and sender share the cores of this machine.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from streamlab.lab03_log.experiments.integrations import PacedSender
from streamlab.lab08_geofencing.experiments.capped_nodes import Sample
from streamlab.lab08_geofencing.experiments.job_on_kafka import LATENESS_S, SHARDS, JobOnKafka
from streamlab.lab08_geofencing.experiments.scaling import Series
from streamlab.lab08_geofencing.experiments.throughput import MOVERS, sent_fences, sent_positions
from streamlab.lab08_geofencing.two_topics import partition_of
from streamlab.progress import OnProgress, silent

KILLED, RISING = "push, killed and restarted", "push, rising load"
FENCES, DIFFERENT = 1_000, 50_000  # positions are sent over again, with new times
WARM_PER_S, WARM_S = 2_000, 15.0
KILLED_PER_S, KILL_S, END_S = 2_000, 15.0, 60.0
RATES_PER_S, RATE_S = (1_000, 2_000, 4_000, 8_000, 16_000), 30.0
PATIENCE_S = 120.0
SETUP = {"fences": FENCES, "movers": MOVERS, "shards": SHARDS, "lateness_s": LATENESS_S, "kill_s": KILL_S}


def measure(push: Callable[..., Any], address: str, on_progress: OnProgress = silent) -> Iterator[Series]:
    """Measure push on a broker, with one sample per committed batch; this takes about four minutes.

    The job of KILLED is killed after KILL_S and restarted at once. Runs are by the offered load per second. A load
    begins when the lag of the one before is gone. Raises TimeoutError if that takes more than PATIENCE_S, and JobEnded.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        job = JobOnKafka(push, address, sent_fences(FENCES), Path(name))
        with job, closing(_Sender(address, job)) as sender:
            on_progress("the job starts")
            sender.run(WARM_PER_S, WARM_S)
            sender.drain()
            on_progress(f"a kill at {KILLED_PER_S:,}/s")
            yield Series(KILLED, {KILLED_PER_S: sender.run(KILLED_PER_S, END_S, kill_s=KILL_S)})
            runs = dict[int, list[Sample]]()
            for rate_per_s in RATES_PER_S:
                sender.drain()
                on_progress(f"{rate_per_s:,}/s")
                runs[rate_per_s] = sender.run(rate_per_s, RATE_S)
            yield Series(RISING, runs)


class _Sender:
    """Sends positions to the topic of a job, and samples how far the job is."""

    def __init__(self, address: str, job: JobOnKafka) -> None:
        from kafka import KafkaProducer

        self._job, self._sent, self._rows = job, 0, sent_positions(DIFFERENT)
        self._producer = KafkaProducer(bootstrap_servers=address, linger_ms=20)

    def close(self) -> None:
        """Close the producer."""
        self._producer.close()

    def run(self, rate_per_s: float, seconds: float, kill_s: float | None = None) -> list[Sample]:
        """Send for some seconds; return a sample for each committed batch, counted from the start.

        kill_s: when the job is killed and started again, if it is; the times of the samples are relative to that.
        """
        before, zero_s, samples = self._sent, kill_s or 0.0, list[Sample]()
        sender = PacedSender(self._send, rate_per_s)
        began_s = time.monotonic()
        sender.begin()
        try:
            while (now_s := time.monotonic() - began_s) < seconds:
                if kill_s is not None and now_s >= kill_s:
                    kill_s = None
                    self._job.kill()
                    self._job.start()
                if (done := self._job.done() - before) > (samples[-1][2] if samples else 0):
                    samples.append((round(now_s - zero_s, 2), sender.sent, done))
                self._job.pause()
        finally:
            sender.end()
            self._sent += sender.sent
        return samples

    def drain(self) -> None:
        """Wait until the job has done all that was sent."""
        self._producer.flush()
        self._job.wait_until_done(self._sent, PATIENCE_S)

    def _send(self, number: int) -> None:
        row = self._rows[(self._sent + number) % DIFFERENT]
        self._producer.send(self._job.positions, row.value, key=row.key, partition=partition_of(row))
