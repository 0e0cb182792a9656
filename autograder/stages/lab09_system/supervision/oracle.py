"""The right answers of `Supervisor`: at each step, the life of a program is computed again from its whole history."""

from typing import Any, NamedTuple

Event = tuple[int, str]  # ms, and "start", "beat", "fail" or "give_up"


class _Life(NamedTuple):
    runs: bool
    epoch: int
    row: int  # failures in a row
    last_ms: int  # of the last event that changes when something is due


def answers(case: dict[str, Any]) -> list[Any]:
    """Return the orders of each tick, the answer to each beat, and None for each end."""
    histories: dict[str, list[Event]] = {name: [] for name in case["programs"]}
    found: list[Any] = []
    for now_ms, what, *of in case["script"]:
        if what == "tick":
            found.append([order for name, history in histories.items() for order in _tick(case, name, history, now_ms)])
            continue
        history = histories.get(of[0], [])
        life = _life(case, history)
        is_own = life.runs and life.epoch == of[1]
        history += [(now_ms, "beat" if what == "beat" else "fail")] if is_own else []
        found.append(is_own if what == "beat" else None)
    return found


def _tick(case: dict[str, Any], name: str, history: list[Event], now_ms: int) -> list[list[Any]]:
    """Add what happens to the history, and return the orders."""
    orders = []
    for what in ("kill", "give_up", "start"):
        life = _life(case, history)
        if _is_due(case, history, life, what, now_ms):
            history.append((now_ms, "fail" if what == "kill" else what))
            orders.append([what, name, life.epoch + (what == "start")])
    return orders


def _is_due(case: dict[str, Any], history: list[Event], life: _Life, what: str, now_ms: int) -> bool:
    lease_ms, first_ms, most_ms, _, tries = case["rules"]
    waited_ms = now_ms - life.last_ms
    if what == "kill":
        return life.runs and waited_ms >= lease_ms
    if life.runs or any(kind == "give_up" for _, kind in history):
        return False
    if what == "give_up":
        return life.row >= tries
    wait_ms = first_ms
    for _ in range(1, life.row):
        wait_ms = min(most_ms, 2 * wait_ms)
    return not history or waited_ms >= min(most_ms, wait_ms)


def _life(case: dict[str, Any], history: list[Event]) -> _Life:
    """Divide the history into runs, and count the last ones that failed early."""
    begins = [at for at, kind in history if kind == "start"]
    fails = [at for at, kind in history if kind == "fail"]
    row = 0
    for begun_ms, failed_ms in reversed(list(zip(begins, fails, strict=False))):
        row += 1
        if failed_ms - begun_ms >= case["rules"][3]:
            break
    return _Life(len(begins) > len(fails), len(begins), row, history[-1][0] if history else 0)
