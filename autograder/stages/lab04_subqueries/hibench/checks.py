"""The checks of `hibench`: its rows, and the functions that it asks `Aggregate` for."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_items, same_sequence, same_value
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab04_subqueries.hibench import cases, oracle

ASKED_OF_AGGREGATE = {
    "count": lambda asked, t: isinstance(asked, list) and asked[:1] == ["COUNT"],
    "first": lambda asked, t: asked in (["FIRST_VAL", t], ["MIN", t]),
    "last": lambda asked, t: asked in (["LAST_VAL", t], ["MAX", t]),
}
IN_WORDS = {
    "count": "COUNT",
    "first": "FIRST_VAL or MIN of the time",
    "last": "LAST_VAL or MAX of the time",
}


def _call(case: Case) -> str:
    return f'hibench("{case["workload"]}", now_ms)'


def _results(case: Case, rows: Rows) -> tuple[Mismatch | None, list[Any]]:
    """Return the rows of the stream `results`, or the reason why there are none."""
    wrong = must_answer(_call(case), "a Query", rows)
    wrong = wrong or same_value(["visits"], rows.get("sources"), what="the sources of the query")
    results = rows.get("results")
    names = sorted(results) if isinstance(results, dict) else results
    wrong = wrong or same_value(["results"], names, what="the streams with results")
    return wrong, [] if wrong or not isinstance(results, dict) else results["results"]


@check("hibench", cases=cases.passed_on, invariant=9)
def identity_and_repartition_return_each_row_unchanged(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the rows, with all fields."""
    wrong, got = _results(case, rows)
    return wrong or same_items(case["visits"], got, what=f"rows of {case['workload']}")


@check("hibench", cases=cases.unknown, invariant=11)
def an_unknown_workload_raises_value_error(case: Case, rows: Rows) -> Mismatch | None:
    """Require ValueError unless a name is exactly right; a known one returns its rows."""
    if case["workload"] != "identity":
        return must_reject(_call(case), rows)
    wrong, got = _results(case, rows)
    times = [row.get("t") if isinstance(row, dict) else row for row in got]
    return wrong or same_items([visit["t"] for visit in case["visits"]], times, what="times of identity's rows")


@check("hibench", cases=cases.words, invariant=9)
def each_word_comes_with_its_running_count(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the counts 1, 2, 3, … in the order of time."""
    expected = oracle.running_counts(case["visits"])
    wrong, got = _results(case, rows)
    return wrong or same_sequence(expected, got, what="the rows of wordcount")


@check("hibench", cases=cases.windows, invariant=1)
def windows_of_30_s_have_count_first_and_last(case: Case, rows: Rows) -> Mismatch | None:
    """Require these functions of Aggregate for each ip; then a map adds `emitted` to each result."""
    wrong, got = _results(case, rows)
    if wrong:
        return wrong
    groups = [[row.get("ip"), row.get("t"), row.get("window")] if isinstance(row, dict) else row for row in got]
    window = ["time", oracle.WINDOW_MS, oracle.WINDOW_MS]
    asked = [[visit["ip"], visit["t"], window] for visit in case["visits"]]
    wrong = same_items(asked, groups, what="[ip, t, window] that reach Aggregate")
    return wrong or _functions(got) or _emitted(got, rows.get("now_ms"))


def _functions(got: list[Any]) -> Mismatch | None:
    for row in got:
        for name, is_right in ASKED_OF_AGGREGATE.items():
            if not is_right(row.get(name), row["t"]):
                asked = f"a row at {row['t']} ms; yours asks for {shown(row.get(name))}"
                return Mismatch(f"Expected `{name}` to be {IN_WORDS[name]} for {asked}.", IN_WORDS[name], row.get(name))
        wrong = same_items(
            ["ip", "count", "first", "last", "t", "emitted", "window"], list(row), what="fields of a result"
        )
        if wrong:
            return wrong
    return None


def _emitted(got: list[Any], calls: Any) -> Mismatch | None:
    """Require one call of `now_ms` for each result: every call returns another value."""
    values = [row["emitted"] for row in got]
    if all(type(each) is int for each in values) and sorted(values) == calls:
        return None
    what = f"now_ms() to be called once for each of {len(got)} results, and `emitted` to be what it returned"
    found = f"your calls returned {shown(calls)}, and `emitted` is {shown(values)}"
    return Mismatch(f"Expected {what}; {found}.", calls, values)
