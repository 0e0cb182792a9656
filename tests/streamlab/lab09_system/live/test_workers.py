"""A worker and a batch are known by what they note; a worker lives as long as its process, and dies inside a call."""

import signal
import subprocess
import sys
from pathlib import Path

from streamlab.lab09_system.live.progress import offsets_done, watermark_done_ms
from streamlab.lab09_system.live.settings import HELD_WORKER, HOLD_WORKER
from streamlab.lab09_system.live.workers import workers_of

PROGRAM = """
import sys
from pathlib import Path
from types import SimpleNamespace
from streamlab.lab09_system.live.workers import WorkersStore
from streamlab.lab09_system.store import CachedStore, CountedRows
asked = SimpleNamespace(get_many=lambda keys: {key: "5" for key in keys})
cache = SimpleNamespace(hits=3, misses=1, get=lambda key, default: default, put=lambda key, row: None)
rows = CountedRows(asked)
guarded = SimpleNamespace(get_many=rows.get_many, state="closed")
store = WorkersStore(CachedStore(guarded, cache), rows, Path(sys.argv[1]))
for line in sys.stdin:
    print(store.get_many(["ann"]), flush=True)
"""


def worker(folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-c", PROGRAM, str(folder)], stdin=-1, stdout=-1, text=True, bufsize=1)


def ask(process: "subprocess.Popen[str]") -> None:
    assert process.stdin is not None
    process.stdin.write("\n")


def answer(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def test_a_worker_is_alive_until_its_process_ends(tmp_path: Path) -> None:
    with worker(tmp_path) as process:
        ask(process)
        assert answer(process) == "{'ann': '5'}\n"
        [alive] = workers_of(tmp_path).values()
        process.kill()
    [dead] = workers_of(tmp_path).values()

    assert (alive.hits, alive.misses, alive.calls, alive.errors, alive.breaker) == (3, 1, 1, 0, "closed")
    assert (alive.is_alive, dead) == (True, alive._replace(is_alive=False))


def test_one_of_the_workers_inside_a_call_is_killed_when_the_hold_ends(tmp_path: Path) -> None:
    hold, held = tmp_path / HOLD_WORKER, tmp_path / HELD_WORKER
    hold.touch()
    with worker(tmp_path) as one, worker(tmp_path) as other:
        ask(one)
        while not held.exists():
            assert one.poll() is None
        ask(other)
        hold.unlink()

        assert one.wait(30) == -signal.SIGKILL
        assert answer(other) == "{'ann': '5'}\n"
        other.kill()


PLAN = 'v1\n{{"batchWatermarkMs":{watermark_ms},"batchTimestampMs":5}}\n{{"payments":{{"0":{count},"1":2}}}}'


def checkpoint_in(folder: Path, planned: int, complete: int) -> Path:
    for name, count in (("offsets", planned), ("commits", complete)):
        (folder / name).mkdir()
        for number in range(count):
            text = PLAN.format(watermark_ms=1000 * number, count=10 * number)
            (folder / name / str(number)).write_text(text, encoding="utf-8")
    (folder / "commits" / ".9.crc").write_text("", encoding="utf-8")
    return folder


def test_a_planned_batch_is_not_done(tmp_path: Path) -> None:
    checkpoint = checkpoint_in(tmp_path, planned=3, complete=2)

    assert offsets_done(checkpoint) == {("payments", 0): 10, ("payments", 1): 2}
    assert watermark_done_ms(checkpoint) == 1000


def test_before_the_first_complete_batch_nothing_is_done(tmp_path: Path) -> None:
    assert offsets_done(tmp_path) == {}
    assert offsets_done(checkpoint_in(tmp_path, planned=1, complete=0)) == {}
    assert watermark_done_ms(tmp_path) == 0
