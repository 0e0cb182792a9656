"""A batch that is interrupted ends at once, and leaves nothing running."""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from autograder.judge.batch import judge_each
from autograder.judge.stop import Stop, Stopped
from tests.autograder.judge.tiny_kit import RIGHT, Kit, notebook

FOR_A_MINUTE = "import time\ndef double(x):\n    time.sleep(60)"


@pytest.mark.parametrize("level", ["bubblewrap", "process"], indirect=True)
def test_an_interrupt_ends_the_sandboxes_that_are_still_running(kit: Kit) -> None:
    request = replace(kit.with_limits(case_s=60, wall_s=60).request, throughput=False)
    slow = notebook(kit.root, FOR_A_MINUTE, RIGHT["triple"])
    (kit.root / "quick").mkdir()
    quick = notebook(kit.root / "quick", *RIGHT.values())
    each = judge_each([(slow, request), (quick, request)], workers=2)
    after_the_first = interrupted_after(each, 1)
    began_s = time.monotonic()

    with pytest.raises(KeyboardInterrupt):
        list(after_the_first)

    assert time.monotonic() - began_s < 30


def interrupted_after(each: Iterator[Any], count: int) -> Iterator[Any]:
    for _ in range(count):
        yield next(each)
    each.close()  # type: ignore[attr-defined]
    raise KeyboardInterrupt


class Recorded:
    def __init__(self) -> None:
        self.is_killed = False

    def kill(self) -> None:
        self.is_killed = True


def test_a_stop_kills_only_what_is_open_and_lets_nothing_else_begin() -> None:
    stop, closed, opened, late = Stop(), Recorded(), Recorded(), Recorded()
    with stop.covers(closed):  # type: ignore[arg-type]
        pass
    with stop.covers(opened):  # type: ignore[arg-type]
        stop.set()
    with pytest.raises(Stopped), stop.covers(late):  # type: ignore[arg-type]
        pass

    assert [each.is_killed for each in (closed, opened, late)] == [False, True, False]
