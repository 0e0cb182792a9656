"""A learner's task gets the recorded input, and what it does wrong stops neither the page nor the day."""

import json
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import psutil
import pytest

from streamlab.lab09_system import NO_ANSWER, Alert, StoreError
from streamlab.lab09_system.page import players
from streamlab.lab09_system.page.borders import Recorder
from streamlab.lab09_system.page.players import Compared, Player, in_words

SECONDS = 3
OF, HANGS = "6,027 of 7,027", "hangs: no answer within 10 s"


class Sum:
    """A task with a state. `clock()` is the time in s."""

    def __init__(self, first: int, clock: Callable[[], float]) -> None:
        self.total, self._clock = first, clock

    def add(self, number: int) -> float:
        self.total += number
        return self.total + self._clock()


def decided(rows: list[Alert], store: Any) -> list[Any]:
    try:
        return [store.get_many({row.account for row in rows}), rows]
    except StoreError:
        return []


class Store:
    answers: Iterator[Any] = iter([NO_ANSWER, "100", StoreError("no answer in time")])

    def get_many(self, keys: set[str]) -> dict[str, Any]:
        answer = next(self.answers)
        if isinstance(answer, StoreError):
            raise answer
        return dict.fromkeys(keys, answer)


def recorded(use: Callable[[Recorder, int], None]) -> list[bytes]:
    """Return a line of calls for each second of `use(recorder, second)`."""
    recorder, lines = Recorder(), []
    for second in range(SECONDS):
        use(recorder, second)
        lines.append(json.dumps(recorder.calls).encode())
        recorder.calls.clear()
    return lines


@pytest.fixture
def sums() -> list[bytes]:
    """Three calls of `add` and three readings of `total`, after an object was made."""
    made = list[Any]()

    def use(recorder: Recorder, second: int) -> None:
        if not made:
            made.append(recorder.wrap("Sum", Sum)(10, lambda: 0.5))
        made[0].add(second)
        made[0].total  # noqa: B018

    return recorded(use)


def played(name: str, own: Any, lines: list[bytes]) -> Compared:
    """Play all seconds; return the comparison when it is complete, or the task is stopped."""
    player = Player(name, own, lines)
    player.play(SECONDS)
    deadline_s = time.monotonic() + 60
    try:
        while (found := player.compared()).calls < 7 and not found.problem.startswith(("hangs", "ended")):
            assert time.monotonic() < deadline_s
            time.sleep(0.01)
    finally:
        player.end()
    return found


def test_the_task_that_was_recorded_answers_as_recorded(sums: list[bytes]) -> None:
    assert played("Sum", Sum, sums) == Compared(7, 7, "", "")


def test_rows_and_a_store_come_back_as_they_were() -> None:
    rows, store = [Alert("UNDECIDED", "ann", "10000", 9999, 500)], Store()
    lines = recorded(lambda recorder, second: recorder.wrap("decided", decided)(rows, store))
    task, compared = players._Task("decided", decided), list[Compared]()
    for second, line in enumerate(lines):
        task.take(line, second)
        compared.append(task.compared)

    assert compared == [Compared(count, count, "", "") for count in (1, 2, 3)]


def test_the_first_difference_has_its_second_its_call_and_both_answers(sums: list[bytes]) -> None:
    class Off(Sum):
        def add(self, number: int) -> float:
            return super().add(number) + (number == 2)

    assert played("Sum", Off, sums) == Compared(6, 7, "", "second 2, add(2): expected 13.5, got 14.5")


def test_a_task_that_raises_goes_on_with_the_next_call(sums: list[bytes]) -> None:
    class Raising(Sum):
        def add(self, number: int) -> float:
            return super().add(number) if number else [][0]

    found = played("Sum", Raising, sums)

    assert (found.same, found.calls, found.problem) == (6, 7, "raised IndexError")
    assert found.difference.startswith("second 0, add(0): expected 10.5, got IndexError in line")


@pytest.mark.parametrize(
    ("last", "problem"), [("hang", "hangs: no answer within 0.5 s"), ("exit", "ended its process")]
)
def test_a_task_that_hangs_or_ends_its_process_is_stopped(
    last: str, problem: str, sums: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stopping(Sum):
        def add(self, number: int) -> float:
            while number == 2 and last == "hang":
                pass
            return os._exit(0) if number == 2 else super().add(number)

    monkeypatch.setattr(players, "LIMIT_S", 0.5)

    assert played("Sum", Stopping, sums) == Compared(5, 5, problem, f"after 5 calls: {problem}")


def test_a_player_ends_with_the_page(sums: list[bytes]) -> None:
    page = os.fork()
    if not page:
        Player("Sum", Sum, sums)
        Player("Sum", Sum, sums)
        time.sleep(600)
    process = psutil.Process(page)
    while len(started := process.children()) < 2:
        time.sleep(0.01)
    process.kill()
    os.waitpid(page, 0)

    assert psutil.wait_procs(started, timeout=60)[1] == []


@pytest.mark.parametrize(
    ("compared", "texts"),
    [
        ([Compared(6_000, 7_000, "", "x"), Compared(27, 27, "", "")], [f"yours: {OF} as recorded", f"yours: {OF}", OF]),
        ([Compared(1, 1, HANGS, "")], [f"yours: {HANGS}", HANGS, "hangs"]),
        ([Compared(0, 0, "", "")], ["yours: no call yet", "no call yet", "no call"]),
        ([Compared(1, 2, "raised KeyError", "x")], ["yours: raised KeyError", "raised KeyError", "raised"]),
    ],
)
def test_the_text_of_a_box_has_three_lengths(compared: list[Compared], texts: list[str]) -> None:
    assert in_words(compared) == texts
