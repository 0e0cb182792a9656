"""The checks of `AlertWriter`: what readers of the log see, whatever happens to its writers."""

from collections.abc import Callable
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_items, same_sequence, same_value
from autograder.checks.compare import equal, is_whole, shown
from autograder.stages.lab09_system.writer import cases, oracle

Run = dict[str, Any]
ORDINALS = {1: "1st", 2: "2nd", 3: "3rd"}


@check("AlertWriter", cases=cases.again, invariant=5)
def a_batch_again_is_not_written_again(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the log, the answers and `last` where batches come again and nothing fails."""
    seen, answers, lasts = oracle.visible(case), oracle.answers(case), oracle.lasts(case)

    def judge(run: Run, at: int) -> Mismatch | None:
        text = ", then ".join(f"write({number}, {shown(each)})" for number, each in case["writes"])
        return (
            _same_log(seen, run, text)
            or same_sequence(answers, run.get("answers"), what=f"the answers to {text}")
            or same_sequence(lasts, run.get("last"), what=f"`last` at the start and after each of {text}")
        )

    return _of_all_runs(case, rows, judge)


@check("AlertWriter", cases=cases.deaths, invariant=5, after="a_batch_again_is_not_written_again")
def a_death_leaves_no_part_of_a_batch(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the log after a death at each operation and a new writer that goes on."""
    seen = oracle.visible(case)
    return _of_all_runs(case, rows, lambda run, at: _same_log(seen, run, _story(case, at)))


@check("AlertWriter", cases=cases.lost_answers, invariant=5, after="a_batch_again_is_not_written_again")
def a_lost_answer_loses_and_doubles_nothing(case: Case, rows: Rows) -> Mismatch | None:
    """Compare log and answers after one lost answer at each operation; the same writer goes on."""
    seen, answers = oracle.visible(case), oracle.answers(case)

    def judge(run: Run, at: int) -> Mismatch | None:
        story = _given_up(case, at) if case.get("again") else _story(case, at)
        if run.get("raised"):
            wrong = f"Expected no error with tries={case['tries']} if {story}; yours raises {run['raised']}."
            return Mismatch(wrong, None, run["raised"])
        wrong_log = _same_log(seen, run, story)
        if wrong_log:
            return wrong_log
        if case.get("again"):
            return _wrong_call(run.get("answers"), story)
        return same_sequence(answers, run.get("answers"), what=f"the answers of `write` if {story}")

    return _of_all_runs(case, rows, judge)


@check("AlertWriter", cases=cases.zombies, invariant=6, after="a_batch_again_is_not_written_again")
def a_zombie_writes_nothing_more(case: Case, rows: Rows) -> Mismatch | None:
    """Let another writer write everything before each operation of a writer, which must then raise Fenced."""
    seen = oracle.visible(case)

    def judge(run: Run, at: int) -> Mismatch | None:
        if not run.get("overtaken"):
            return _same_log(seen, run, "nothing happens")
        story = f"a writer with a higher epoch writes everything before the {_ordinal(at)} operation of this one"
        if run.get("raised") != "Fenced":
            wrong = f"Expected Fenced from the old writer if {story}; yours ends with {run.get('raised')}."
            return Mismatch(wrong, "Fenced", run.get("raised"))
        what = f"the number of operations after the log raised Fenced, if {story},"
        return same_value(0, run.get("after"), what=what) or _same_log(seen, run, story)

    return _of_all_runs(case, rows, judge)


@check("AlertWriter", cases=cases.outages, invariant=9)
def a_log_that_stays_down_raises(case: Case, rows: Rows) -> Mismatch | None:
    """Expect LogError after a bounded number of operations, and none if the log answers at the last try."""
    most, tries = oracle.most_asked(case["tries"]), f"tries={case['tries']}"

    def judge(run: Run, at: int) -> Mismatch | None:
        story, raised = _outage(case, at), run.get("raised")
        if case["times"]:
            wrong = f"Expected no error with {tries} if {story}; yours raises {raised}."
            return Mismatch(wrong, None, raised) if raised else None
        if raised != "LogError":
            return Mismatch(f"Expected LogError with {tries} if {story}; yours ends with {raised}.", "LogError", raised)
        if case["fault"] == "commits lost":
            return same_value(case["tries"], run.get("commits"), what=f"the calls of `commit` with {tries} if {story}")
        if at == 1:
            return same_value(case["tries"], run.get("asked"), what=f"the calls of `begin` with {tries} if {story}")
        if not equal(1, run.get("begun")):
            wrong = f"Expected one `begin` while all was well, if {story}; yours has {run.get('begun')}."
            return Mismatch(wrong, 1, run.get("begun"))
        return _at_most(most, run.get("asked"), f"operations with {tries} before it gives up, if {story}")

    return _of_all_runs(case, rows, judge)


@check(
    "AlertWriter",
    cases=cases.kafka,
    invariant=5,
    after=(
        "a_death_leaves_no_part_of_a_batch",
        "a_lost_answer_loses_and_doubles_nothing",
        "a_zombie_writes_nothing_more",
    ),
)
def kafkas_transactions_agree(case: Case, rows: Rows) -> Mismatch | None:
    """Kill a writer inside a transaction of a real broker; a second one goes on, and an old one wakes up."""
    alerts = oracle.alerts(case)
    return (
        same_value(True, rows.get("killed"), what="whether a process could be killed between its last row and `commit`")
        or same_value(1, rows.get("last"), what="`last` of a new writer after one was killed inside batch 2")
        or same_sequence([False, True, True], rows.get("answers"), what="the answers to batch 1 again, 2 and 3")
        or same_value("Fenced", rows.get("zombie"), what="the error of an old writer that wakes up")
        or same_items(alerts, rows.get("alerts"), what="the alerts that a reader with read_committed sees")
    )


def _of_all_runs(case: Case, rows: Rows, judge: Callable[[Run, int], Mismatch | None]) -> Mismatch | None:
    runs = rows.get("runs")
    if not isinstance(runs, list) or len(runs) != len(case["at"]) or not all(isinstance(run, dict) for run in runs):
        return Mismatch("Expected a run for each operation; there is none.", len(case["at"]), runs)
    return next(filter(None, map(judge, runs, case["at"])), None)


def _same_log(expected: list[Any], run: Run, story: str) -> Mismatch | None:
    return same_sequence(expected, run.get("visible"), what=f"the batches that readers see, if {story},")


def _wrong_call(calls: Any, story: str) -> Mismatch | None:
    """Expect one LogError in calls [number, whether the log has it before the call, answer or "LogError"]."""
    found = calls if isinstance(calls, list) else []
    errors = sum(answer == "LogError" for _, _, answer in found)
    if errors != 1:
        return Mismatch(f"Expected one LogError if {story}; yours raises {errors}.", 1, errors)
    for number, is_there, answer in found:
        if answer != "LogError" and not equal(not is_there, answer):
            before = "has it" if is_there else "does not have it"
            call = f"write({number}, …), since the log {before} before this call"
            return Mismatch(f"Expected {not is_there} from {call}, if {story}; yours returns {shown(answer)}.")
    return None


def _story(case: Case, at: int) -> str:
    operation = f"the {_ordinal(at)} operation"
    stories = {
        "dies before": f"the writer dies before {operation}",
        "dies after": f"the writer dies after {operation}",
        "lost before": f"{operation} has no effect and gets no answer",
        "lost after": f"{operation} has its effect, and its answer is lost",
    }
    return f"{stories[case['fault']]} (the 1st is `begin`; batches {shown(case['writes'])})"


def _given_up(case: Case, at: int) -> str:
    fault = _outage(case, at) if case["fault"] == "commits lost" else _story(case, at)
    return f"{fault}, `write` raises LogError with tries={case['tries']}, and gets the same batch again"


def _outage(case: Case, at: int) -> str:
    if case["fault"] == "commits lost":
        return f"{case['times']} commits in a row get no answer" if case["times"] else "no commit ever gets an answer"
    if case["times"]:
        return f"{case['times']} operations in a row from the {_ordinal(at)} on get no answer"
    return f"the log gives no answer from the {_ordinal(at)} operation on"


def _ordinal(at: int) -> str:
    return ORDINALS.get(at, f"{at}th")


def _at_most(most: int, got: Any, what: str) -> Mismatch | None:
    if is_whole(got) and got <= most:
        return None
    return Mismatch(f"Expected at most {most} {what}; yours needs {shown(got)}.", most, got)
