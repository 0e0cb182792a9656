"""The checks of `GuardedStore` and `repair`."""

from autograder.checks import Case, Mismatch, Rows, check, claim, same_items, same_sequence
from autograder.checks.compare import equal, shown
from autograder.checks.registry import Judge
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab09_system.degraded import cases, oracle
from autograder.stages.lab09_system.degraded.comparators import first_wrong_step, guard_of, repair_of


def _steps(*fields: str) -> Judge:
    def judge(case: Case, rows: Rows) -> Mismatch | None:
        if not oracle.is_valid(case):
            return must_reject(guard_of(case), rows)
        expected = oracle.steps(case)
        return must_answer(guard_of(case), "a store", rows) or first_wrong_step(case, expected, rows, fields)

    return judge


@check("repair", cases=cases.oldest)
def the_oldest_are_decided_first(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the decisions and the one call to the store."""
    asked = oracle.asked(case)
    wrong = _same_decisions(case, rows)
    if wrong or "rejected" in rows or equal(asked, rows.get("asked")):
        return wrong
    calls = f"one call for {shown(asked[0])}" if asked else "no call"
    return Mismatch(f"Expected {calls} of {repair_of(case)}; yours asks for {shown(rows.get('asked'))}.", asked)


@check("repair", cases=cases.once, invariant=8)
def each_is_decided_once(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the decisions of logs with repeated and decided windows, in any order."""
    expected = oracle.decided(case)
    what = f"the decisions of {repair_of(case)}"
    return must_answer(repair_of(case), "a list", rows) or same_items(expected or [], rows.get("decided"), what=what)


@check("repair", cases=cases.silent, invariant=7, after="the_oldest_are_decided_first")
def no_answer_decides_nothing(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the decisions when some accounts have no answer, and others are unknown."""
    return _same_decisions(case, rows)


def _same_decisions(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.decided(case)
    if expected is None:
        return must_reject(repair_of(case), rows)
    what = f"the decisions of {repair_of(case)}"
    return must_answer(repair_of(case), "a list", rows) or same_sequence(expected, rows.get("decided"), what=what)


OPENS = "it_opens_after_failures_in_a_row_and_asks_nobody"
DECIDES = "one_call_decides_after_the_rest"
ANSWERS = "no_answer_is_not_unknown"
CHAIN = "your_own_lab_6_remembers_limits"
BOTH = _steps("answer", "asked")
LRU = "lab06_enrichment/LruCache"
CLAIMS = [
    claim("GuardedStore", OPENS, cases.opening, _steps("state", "asked"), invariant=9),
    claim("GuardedStore", DECIDES, cases.resting, _steps("state", "asked"), invariant=9, after=OPENS),
    claim("GuardedStore", ANSWERS, cases.answering, _steps("answer"), invariant=7),
    claim("GuardedStore", CHAIN, cases.remembered, BOTH, invariant=7, chain=LRU, after=(DECIDES, ANSWERS)),
]
