"""Compares the rows of `service_levels` and `post_mortem` with the right ones."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, same_sequence, same_value
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer

FIELDS = ["lost", "twice", "unknown", "p50_ms", "p99_ms", "bad", "budget_left", "pages"]
FORM = "a list of Incident(kind, from_s, to_s, back_s)"
CALM = "calm (offered (100, 100), lag (1, 1), store_ms 2)"
Incidents = list[list[Any]]


def levels_text(case: Case) -> str:
    """Return the call; of many alerts only their number."""
    expected, seen = case["expected"], case["seen"]
    alerts = shown(expected) if len(expected) < 6 else f"{{{len(expected)} alerts}}"
    copies = shown(seen) if len(seen) < 6 else f"[{len(seen)} copies]"
    percent, limit_ms, windows = case["objective"]
    pairs = f"({', '.join(str(tuple(each)) for each in windows)}{',' * (len(windows) == 1)})"
    return f"service_levels({alerts}, {copies}, {case['now_ms']}, Objective({percent}, {limit_ms}, {pairs}))"


def wrong_levels(case: Case, expected: list[Any], rows: Rows, *names: str) -> Mismatch | None:
    """Return the first of these fields that is wrong. Other checks judge the other ones."""
    call = levels_text(case)
    if wrong := must_answer(call, "a Report", rows):
        return wrong
    found = rows.get("report")
    if not isinstance(found, list) or len(found) != len(FIELDS):
        return Mismatch(f"Expected {call} to be a Report; yours is {shown(found)}.", expected, found)
    for name in names:
        want, got = (values[FIELDS.index(name)] for values in (expected, found))
        near = 1e-6 if name == "budget_left" else 0.0
        if wrong := same_value(want, got, what=f"{name} of {call}", tolerance=near):
            return wrong
    return None


def timeline_text(case: Case) -> str:
    """Return a timeline as words: "the seconds 0 to 29, calm (…) but for 12 to 14: {"ahead": 1}"."""
    from_s, to_s = case["seconds"]
    if from_s == to_s:
        return "no samples"
    changes = [f"{begin} to {end - 1}: {shown(fields)}" for begin, end, fields in case["changes"]]
    pause = f", pause_s={case['pause_s']}" if "pause_s" in case else ""
    return f"the seconds {from_s} to {to_s - 1}{pause}, {CALM} but for {'; '.join(changes) or 'nothing'}"


def incidents_of(case: Case, rows: Rows) -> Incidents | Mismatch:
    """Return the incidents, or a mismatch if they have another form."""
    found = rows.get("incidents")
    if isinstance(found, list) and all(map(_is_incident, found)):
        return found
    return Mismatch(f"Expected {FORM}; yours is {shown(found)}, for {timeline_text(case)}.", FORM, found)


def _is_incident(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 4 and isinstance(value[0], str)


def wrong_seconds(case: Case, expected: Incidents, rows: Rows) -> Mismatch | None:
    """Compare kind, from_s and to_s of all incidents in order."""
    found = incidents_of(case, rows)
    if isinstance(found, Mismatch):
        return found
    want, got = ([each[:3] for each in incidents] for incidents in (expected, found))
    return same_sequence(want, got, what=f"[kind, from_s, to_s] of the incidents in {timeline_text(case)}")


def wrong_kinds(case: Case, expected: Incidents, rows: Rows) -> Mismatch | None:
    """Compare which kinds of faults are found at all."""
    found = incidents_of(case, rows)
    if isinstance(found, Mismatch):
        return found
    want, got = (sorted({each[0] for each in incidents}) for incidents in (expected, found))
    return same_value(want, got, what=f"the kinds of incidents in {timeline_text(case)}")


def wrong_recoveries(case: Case, expected: Incidents, rows: Rows) -> Mismatch | None:
    """Compare back_s of the last incident of each kind, wherever the incidents begin."""
    found = incidents_of(case, rows)
    if isinstance(found, Mismatch):
        return found
    back_s = {each[0]: each[3] for each in found}
    for kind, _, _, want in expected:
        if kind not in back_s:
            sentence = f"Expected an incident {shown(kind)}; yours are {shown(found)}, for {timeline_text(case)}."
            return Mismatch(sentence, expected, found)
        wrong = same_value(want, back_s[kind], what=f"back_s of {shown(kind)} in {timeline_text(case)}")
        if wrong:
            return wrong
    return None
