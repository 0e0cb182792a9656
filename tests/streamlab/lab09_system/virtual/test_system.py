"""The virtual system obeys its policies and its faults; the policies here are simple doubles."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from streamlab.lab09_system import NO_ANSWER, Order, StoreError
from streamlab.lab09_system.virtual import FAULTS, System, back_s, worker_ratio
from streamlab.lab09_system.virtual.control import RULES


class Kept(dict[str, Any]):
    """A cache of so many rows; what comes later is not kept."""

    def __init__(self, rows: int, *_: Any) -> None:
        self._rows = rows

    def put(self, key: str, row: Any) -> None:
        if len(self) < self._rows:
            self[key] = row


class Unguarded:
    def __init__(self, store: Any, *_: Any) -> None:
        self._store = store

    def get_many(self, keys: Any) -> dict[str, Any]:
        try:
            return self._store.get_many(keys)
        except StoreError:
            return dict.fromkeys(keys, NO_ANSWER)


class Restarts:
    def __init__(self, *_: Any) -> None:
        self._starts, self._is_up = 0, False

    def beat(self, *_: Any) -> bool:
        return True

    def ended(self, *_: Any) -> None:
        self._is_up = False

    def tick(self, _: int) -> list[Order]:
        if self._is_up:
            return []
        self._is_up, self._starts = True, self._starts + 1
        return [Order("start", "job", self._starts)]


class Eight:
    """Eight instances on two workers; what is gone gets a new name."""

    def __init__(self, _: Any) -> None:
        self._names, self._newest = [f"desk-{number}" for number in range(1, 9)], 8

    def tick(self, _offered: int, _rate: int, _lag: int, gone: Any) -> tuple[dict[str, int], int]:
        for at, name in enumerate(self._names):
            if name in gone:
                self._newest += 1
                self._names[at] = f"desk-{self._newest}"
        return {name: at // 4 for at, name in enumerate(self._names)}, 2


def all_that_fits(waiting: dict[str, int], _ranks: Any, room: int, _least: int) -> dict[str, int]:
    granted = {}
    for name, count in waiting.items():
        granted[name] = min(count, room - sum(granted.values()))
    return granted


def parts(**others: Any) -> SimpleNamespace:
    doubles: dict[str, Any] = {
        "admit": all_that_fits,
        "Supervisor": Restarts,
        "Autoscaler": Eight,
        "GuardedStore": Unguarded,
        "LruCache": Kept,
        "repair": lambda rows, *_: rows,
        "heal": lambda nodes, _, managers, *__: dict.fromkeys(nodes, max(managers)),
        "deliver": lambda arrivals_ms, service_ms, *_: SimpleNamespace(blocked_ms=service_ms),
    }
    return SimpleNamespace(**doubles | others)


def steps(system: System, count: int) -> list[dict[str, Any]]:
    return [system.step() for _ in range(count)]


@pytest.fixture
def calm() -> System:
    """A system after its start, without lag."""
    system = System(parts())
    steps(system, 40)
    return system


def test_every_alert_comes_once_on_a_calm_day(calm: System) -> None:
    due = {alert for alert, at_ms in calm.expected.items() if at_ms < 30_000}
    came = [alert for alert, _ in calm.seen]

    assert due <= set(came)
    assert len(came) == len(set(came))


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others() -> None:
    first, second, other = (steps(System(parts(), seed), 20) for seed in ("a", "a", "b"))

    assert first == second != other


def test_an_unknown_fault_is_rejected(calm: System) -> None:
    with pytest.raises(ValueError, match="expected a fault of burst, hot-key"):
        calm.inject("fire")


@pytest.mark.parametrize(
    ("fault", "seen"),
    [
        ("burst", lambda before, now: sum(now.offered) > 8 * sum(before.offered)),
        ("hot-key", lambda before, now: max(now.offered) > 3 * max(before.offered)),
        ("poison", lambda before, now: now.unreadable and not before.unreadable),
        ("clock-ahead", lambda before, now: now.ahead and not before.ahead),
        ("store-stopped", lambda before, now: now.store_ms > 10 * before.store_ms and not now.store_errors),
        ("store-killed", lambda before, now: now.store_errors and not before.store_errors),
        ("python-worker", lambda before, now: now.retries == 4),
        ("broker", lambda before, now: now.log_errors and not before.log_errors),
        ("job", lambda before, now: now.epoch == before.epoch + 1),
    ],
)
def test_a_fault_shows_its_symptom_in_the_next_sample(fault: str, seen: Callable[..., bool], calm: System) -> None:
    calm.inject(fault)
    calm.step()

    assert seen(calm.samples[-2], calm.samples[-1])
    assert fault in FAULTS


def test_another_leader_has_the_next_term_when_the_session_is_over(calm: System) -> None:
    calm.inject("leader")
    terms = [each["term"] for each in steps(calm, 6)]

    assert terms == [1, 1, 1, 1, 2, 2]


def test_what_is_down_is_named(calm: System) -> None:
    for fault in ("store-killed", "broker", "leader"):
        calm.inject(fault)

    assert calm.down == {"store", "broker", "leader", "job"}


def test_the_hit_rate_falls_when_the_cache_holds_one_row() -> None:
    rates = [steps(System(parts(), cache_rows=rows), 30)[-1]["hit_rate"] for rows in (1_000, 1)]

    assert rates[0] > 0.9
    assert rates[1] < 0.1


def test_without_a_cache_nobody_asks_the_store() -> None:
    assert steps(System(parts(), cache_rows=0), 10)[-1]["hit_rate"] is None


def test_rows_without_an_answer_wait_for_repair() -> None:
    system = System(parts(repair=lambda *_: []), cache_rows=300)
    steps(system, 40)
    system.inject("store-killed")

    assert steps(system, 5)[-1]["undecided"] > 0


def test_a_dead_worker_moves_to_a_living_machine(calm: System) -> None:
    before = calm.machines["w0"]
    calm.inject("python-worker")
    calm.step()

    assert calm.machines["w0"] != before


def test_sources_wait_for_a_log_without_room(calm: System) -> None:
    usual = calm.step()["blocked_ms"]
    calm.inject("broker")

    assert calm.step()["blocked_ms"] > usual


def test_a_lag_that_stays_is_never_back(calm: System) -> None:
    calm.inject("job")
    steps(calm, 3)

    assert back_s(calm) == {"job": None}


def test_the_worker_ratio_compares_with_full_workers(calm: System) -> None:
    records = sum(sum(each.offered) for each in calm.samples)

    assert worker_ratio(calm, RULES) == round(40 * 2 * 1000 / records, 2)
