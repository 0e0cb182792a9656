"""Measure the append of Lab 3's log against a plain sequential writer of the same bytes with the same syncs.

    .venv/bin/python benchmarks/lab03_log_append.py [--turns 9] [--folder FOLDER]

Batches of 500 records of 100 bytes. Three writers with the same durability take turns, in alternating order: the
reference's `append`, a log with one write per record (the throughput check's baseline), and `os.write` of the same
batches to one file. They sync after each batch, then once at the end. Prints batches and records per second, and each
log's share of the plain writer's rate, with the 95 % bootstrap interval of the median. Finally, one sync for 500
records is compared with one sync per record. The folder should be on a disk: on a tmpfs a sync costs nothing.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from intervals import interval  # noqa: E402

import streamlab  # noqa: E402
from streamlab.lab03_log.wire.batches import batch_of  # noqa: E402
from streamlab.notebooks.labfile import read_lab  # noqa: E402
from streamlab.notebooks.loader import Stage, load_cells  # noqa: E402

LAB = "lab03_log"
RECORDS, RECORD_BYTES = 500, 100
BATCHES = {"a sync for each batch": 100, "a sync at the end": 400}
NO_ROLL = 1 << 40

Writer = Callable[[Path, bytes, int, bool], None]  # (folder, batch, batches, whether to sync after each)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--folder", type=Path, default=ROOT / "work")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    vars(streamlab)["session"] = lambda *_, **__: None  # a log needs no Spark
    reference = _stage(ROOT / "solutions" / LAB / f"{LAB}.py").PartitionLog
    baseline = _stage(ROOT / "autograder/stages" / LAB / "baselines/one_write_per_record.py").PartitionLog
    writers: dict[str, Writer] = {"plain writer": plain, "PartitionLog": log_of(reference)}
    writers["a write a record"] = log_of(baseline)
    for name, batches in BATCHES.items():
        print(f"{name}, {batches} batches of {RECORDS} records of {RECORD_BYTES} bytes")
        seconds = _timed(writers, options.folder, batches, options.turns, each=name.endswith("batch"))
        for line in _lines(seconds, batches):
            print(line, flush=True)
    _one_sync_for_many(reference, options.folder)


def _stage(path: Path) -> Stage:
    return load_cells(LAB, read_lab(path).cells, module_name=f"measured_{path.stem}")


def plain(folder: Path, batch: bytes, batches: int, each: bool) -> None:
    """Write the batches to one file."""
    number = os.open(folder / "plain", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    for _ in range(batches):
        os.write(number, batch)
        if each:
            os.fdatasync(number)
    os.fdatasync(number)
    os.close(number)


def log_of(make: Any, records: int = RECORDS) -> Writer:
    """Return a writer that appends the same batches to a log."""

    def write(folder: Path, batch: bytes, batches: int, each: bool) -> None:
        log = make(folder, segment_bytes=NO_ROLL)
        for _ in range(batches):
            log.append(batch, records)
            if each:
                _flush(log)
        log.close()

    return write


def _flush(log: Any) -> None:
    flush = getattr(log, "flush", None)
    if flush is None:  # the baseline has no `flush`
        os.fdatasync(log._log.fileno())
    else:
        flush()


def _timed(writers: dict[str, Writer], folder: Path, batches: int, turns: int, each: bool) -> dict[str, list[float]]:
    batch = batch_of([(None, os.urandom(RECORD_BYTES)) for _ in range(RECORDS)])
    seconds: dict[str, list[float]] = {name: [] for name in writers}
    for turn in range(-1, turns):  # the first warms up
        names = list(writers) if turn % 2 else list(reversed(writers))
        for name in names:
            took = _once(writers[name], folder, batch, batches, each)
            if turn >= 0:
                seconds[name].append(took)
    return seconds


def _once(write: Writer, folder: Path, batch: bytes, batches: int, each: bool) -> float:
    run_folder = Path(tempfile.mkdtemp(dir=folder))
    try:
        began = perf_counter()
        write(run_folder, batch, batches, each)
        return perf_counter() - began
    finally:
        shutil.rmtree(run_folder)


def _lines(seconds: dict[str, list[float]], batches: int) -> list[str]:
    plain_seconds = seconds["plain writer"]
    lines = []
    for name, each in seconds.items():
        ratios = [one / other for one, other in zip(plain_seconds, each, strict=True)]
        low, high = interval(ratios)
        rate = batches / median(each)
        share = f"{median(ratios):.2f} ({low:.2f} to {high:.2f}) of the plain writer's rate"
        lines.append(f"  {name:18}{rate:>10,.0f} batches/s{rate * RECORDS:>14,.0f} records/s   {share}")
    return lines


def _one_sync_for_many(make: Any, folder: Path) -> None:
    """Print records per second with a sync after each batch, for batches of one record and of 500."""
    rates = {}
    for records, batches in (1, 300), (RECORDS, 100):
        batch = batch_of([(None, os.urandom(RECORD_BYTES)) for _ in range(records)])
        took = min(_once(log_of(make, records), folder, batch, batches, True) for _ in range(3))
        rates[records] = records * batches / took
        print(f"a sync for {records:>3} records: {rates[records]:>12,.0f} records/s")
    print(f"that is {rates[RECORDS] / rates[1]:.0f} times the rate")


if __name__ == "__main__":
    main()
