"""The checks of `Panes` and `add_row`."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, claims, same_value
from autograder.checks.compare import shown
from autograder.stages.lab04_subqueries.panes import cases, oracle


def _panes(case: Case) -> str:
    kind, size, advance = case["window"]
    functions = "[LAST_VAL]" if case.get("latest") else "…"
    return f"Panes({'TimeWindow' if kind == 'time' else 'SizeWindow'}({size}, {advance}), {functions})"


def _call(call: list[Any]) -> str:
    method, _, at, *values = call
    return f"add(panes, {at}, {values})" if method == "add" else f"close(panes, {at})"


def _answers(rows: Rows, count: int) -> list[Any]:
    """Return the answer of each call; an empty dict where there is none."""
    got = rows.get("answers")
    answers = [each if isinstance(each, dict) else {} for each in got] if isinstance(got, list) else []
    return [*answers, *({} for _ in range(count))][:count]


def _so_far(case: Case, number: int) -> str:
    """Name the call and the calls before it for the same group."""
    group, call = case["calls"][number][1], _call(case["calls"][number])
    before = [_call(each) for each in case["calls"][:number] if each[1] == group]
    return f"{call} of {_panes(case)}" + (f", after {shown(', '.join(before), 200)}" if before else "")


def _same_panes(case: Case, rows: Rows) -> Mismatch | None:
    """Compare what each call returns, and all panes with their partial results."""
    right = oracle.panes_answers(case)
    for number, (expected, got) in enumerate(zip(right, _answers(rows, len(right)), strict=True)):
        what = _so_far(case, number)
        wrong = same_value(
            expected["panes"], got.get("panes"), what=f"the panes [number, partial results] after {what}"
        )
        if wrong := wrong or same_value(expected["returned"], got.get("returned"), what=f"what is returned by {what}"):
            return wrong
    return None


def _same_results(case: Case, rows: Rows) -> Mismatch | None:
    """Compare what `close` returns."""
    right = oracle.panes_answers(case)
    for number, (expected, got) in enumerate(zip(right, _answers(rows, len(right)), strict=True)):
        if case["calls"][number][0] == "close":
            what = f"the results of {_so_far(case, number)}"
            if wrong := same_value(expected["returned"], got.get("returned"), what=what):
                return wrong
    return None


def _same_numbers(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the numbers of the panes that are left after each `close`."""
    right = oracle.panes_answers(case)
    for number, (expected, got) in enumerate(zip(right, _answers(rows, len(right)), strict=True)):
        if case["calls"][number][0] == "close":
            panes = got.get("panes")
            left = (
                [each[0] if isinstance(each, list) and each else each for each in panes]
                if isinstance(panes, list)
                else panes
            )
            what = f"the numbers of the panes that are left after {_so_far(case, number)}"
            if wrong := same_value([pane for pane, _ in expected["panes"]], left, what=what):
                return wrong
    return None


def _row(case: Case, number: int) -> str:
    size, advance = case["window"]
    group = case["groups"][number]
    nth = case["groups"][: number + 1].count(group)
    return f"add_row for row {nth} (from 1) of a group, with SizeWindow({size}, {advance})"


def _same_closed(case: Case, rows: Rows) -> Mismatch | None:
    """Compare what each call returns. The result of a window is its start and its rows."""
    right = oracle.row_answers(case)
    for number, (expected, got) in enumerate(zip(right, _answers(rows, len(right)), strict=True)):
        returned = got.get("returned", "no answer")
        results = shown(case["results"]) if "results" in case else "[start, values of each kept row …]"
        what = f"the result of {_row(case, number)}, where Panes.close returns {results},"
        if wrong := same_value(expected["returned"], returned, what=what):
            return wrong
    return None


def _same_groups(case: Case, rows: Rows) -> Mismatch | None:
    """Compare whether the group is {} after each call."""
    right = oracle.row_answers(case)
    for number, (expected, got) in enumerate(zip(right, _answers(rows, len(right)), strict=True)):
        what = f"whether `group` is {{}} after {_row(case, number)},"
        if wrong := same_value(expected["empty"], got.get("empty"), what=what):
            return wrong
    return None


CLAIMS = claims(
    ("Panes", "each_value_is_combined_into_the_pane_that_holds_it", cases.adding, _same_panes, 2),
    ("Panes", "a_window_is_combined_from_its_panes", cases.closing, _same_results, 2),
    ("Panes", "panes_that_no_later_window_holds_are_deleted", cases.closing, _same_numbers, 3),
    ("add_row", "the_last_row_of_a_window_closes_it", cases.counted, _same_closed, 1),
    ("add_row", "a_group_without_panes_starts_again", cases.tumbling, _same_groups, 3),
    after={
        "a_window_is_combined_from_its_panes": "each_value_is_combined_into_the_pane_that_holds_it",
        "panes_that_no_later_window_holds_are_deleted": "a_window_is_combined_from_its_panes",
        "a_group_without_panes_starts_again": "the_last_row_of_a_window_closes_it",
    },
)
