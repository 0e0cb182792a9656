"""The checks of `first_placement` and `best_move`."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, claims, same_value
from autograder.checks.compare import equal, is_whole, shown
from autograder.stages.lab05_placement.search import cases, oracle

LEAST = 1e-6  # differences below this share of the cost come from rounding


def distances_of(case: Case) -> str:
    """Return the machine of a case in words."""
    where = case["machine"]
    return f"on nodes {shown(where['nodes'])} with the distances {shown(where['rows'], 200)}"


def links_text(case: Case) -> str:
    """Return the beginning of the traffic of a case."""
    return "{" + ", ".join(f"({shown(s)}, {shown(r)}): {x}" for s, r, x in case["traffic"][:6]) + "}"


def _machine(case: Case) -> str:
    return f"the traffic {links_text(case)} and {shown(case['machine']['cores'])} cores {distances_of(case)}"


# first_placement


def _same_placement(case: Case, rows: Rows) -> Mismatch | None:
    call = f"first_placement({shown(case['instances'], 120)}, …) for {_machine(case)}"
    if wrong := same_value(oracle.first_placement(case), rows.get("placement"), what=call):
        return wrong
    return _changed(call, rows)


def _changed(call: str, rows: Rows) -> Mismatch | None:
    if rows.get("unchanged") is True:
        return None
    return Mismatch(f"Expected {call} to leave its arguments unchanged; yours changes them.")


# best_move


def _call(case: Case, instance: str) -> str:
    return f"best_move({shown(instance)}, {shown(case['placement'], 200)}, …) for {_machine(case)}"


def _saved(possible: list[list[Any]], change: Any) -> float | None:
    """Return what a change saves; None if it is no move and no swap of the instance."""
    return next((saved for legal, saved in possible if same_value(legal, change, what="") is None), None)


def _in_words(case: Case, change: Any, saved: float | None) -> str:
    """Return what a change saves, or why it is neither a move nor a swap."""
    if saved is not None:
        return f"saves {saved:g}"
    if equal({}, change):
        return "nothing moves"
    machine, used = case["machine"], list(case["placement"].values())
    cores = dict(zip(machine["nodes"], machine["cores"], strict=True))
    to = next(iter(change.values())) if isinstance(change, dict) and len(change) == 1 else None
    is_full = is_whole(to) and to in cores and used.count(to) >= cores[to]
    return f"node {to} has no free core" if is_full else "no move and no swap"


def _no_worse_change(case: Case, rows: Rows) -> Mismatch | None:
    """Check the instances that can lower the cost: their changes save as much as the best ones."""
    every, least = oracle.savings(case), LEAST * oracle.cost(case["placement"], case)
    changes = rows.get("changes")
    for instance, possible in every.items():
        best = max((saved for _, saved in possible), default=0)
        change = changes.get(instance) if isinstance(changes, dict) else changes
        saved = _saved(possible, change)
        if best > least and (saved is None or saved < best - least):
            right = next(legal for legal, each in possible if each == best)
            yours = _in_words(case, change, saved)
            what = f"{_call(case, instance)} to save {best:g}, as {shown(right)} does"
            return Mismatch(f"Expected {what}; yours is {shown(change)} ({yours}).", right, change)
    return _changed(_call(case, next(iter(every))), rows)


def _only_helpful_changes(case: Case, rows: Rows) -> Mismatch | None:
    """Check that a change is returned exactly for the instances that can lower the cost, and that it lowers it."""
    every, least = oracle.savings(case), LEAST * oracle.cost(case["placement"], case)
    changes = rows.get("changes")
    for instance, possible in every.items():
        change = changes.get(instance) if isinstance(changes, dict) else changes
        call = _call(case, instance)
        if max((saved for _, saved in possible), default=0) <= least:
            if wrong := same_value({}, change, what=call):
                return wrong
            continue
        saved = _saved(possible, change)
        if saved is None or saved <= least:
            what = f"{call} to return a change that lowers the cost, since one does"
            yours = f"{shown(change)} ({_in_words(case, change, saved)})"
            return Mismatch(f"Expected {what}; yours is {yours}.", None, change)
    return None


AFTER = {
    "a_change_comes_only_if_it_lowers_the_cost": "no_other_move_or_swap_saves_more",
}

CLAIMS = claims(
    ("first_placement", "next_is_the_one_with_most_traffic_to_those_placed", cases.orders, _same_placement, None),
    ("first_placement", "each_goes_where_its_links_cost_least", cases.nodes, _same_placement, None),
    ("best_move", "no_other_move_or_swap_saves_more", cases.moves, _no_worse_change, None),
    ("best_move", "a_change_comes_only_if_it_lowers_the_cost", cases.moves, _only_helpful_changes, None),
    after=AFTER,
)
