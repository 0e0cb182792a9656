"""The checks of `Manager`: its plans, tick by tick, and the behaviour of a cluster that follows them."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, claim, same_sequence, same_value
from autograder.checks.compare import shown
from autograder.stages.lab07_irm.manager import cases, oracle
from autograder.stages.lab07_irm.manager.comparators import are_seconds, opened_too_early, over_capacity

FIELDS = ("starts", "wanted", "on", "scheduled", "dropped")
MOST_OF_IDEAL = 1.65  # of worker-seconds; right plans take at most 1.62 times the ideal in any case that can be drawn
TASK = "Manager"


def _planned(*fields: str) -> Any:
    """Return a judge that compares these fields of each plan."""

    def judge(case: Case, rows: Rows) -> Mismatch | None:
        expected, got = oracle.plans(case), rows.get("plans")
        if not isinstance(got, list) or len(got) != len(expected):
            given = rows.get("returned", got)
            return Mismatch(f"Expected a Plan from each tick; yours gives {shown(given)}.", None, got)
        for at, (want, plan) in enumerate(zip(expected, got, strict=True)):
            if not isinstance(plan, list) or len(plan) != len(FIELDS):
                return Mismatch(f"Expected a Plan from each tick; yours gives {shown(plan)}.", want, plan)
            for name in fields:
                place = FIELDS.index(name)
                what = f"`{name}` at {at} s ({_situation(case, at)})"
                if wrong := same_value(want[place], plan[place], what=what):
                    return wrong
        return _wrong_use(case, rows) if fields == FIELDS else None

    return judge


def _wrong_use(case: Case, rows: Rows) -> Mismatch | None:
    """Expect a question to the predictor for each image of `waiting`, and `seen` as it was."""
    for at, tick in enumerate(case["ticks"]):
        questions, changed = ([*rows.get(name, [])][at : at + 1] for name in ("asked", "changed"))
        what = f"the calls of the predictor (image, length) at {at} s ({_situation(case, at)})"
        if wrong := same_sequence([[*each] for each in tick["waiting"].items()], questions[0], what=what):
            return wrong
        if changed[0]:
            text = f"Expected tick to leave `seen` as it is; yours changes `{changed[0][0]}` of it at {at} s"
            return Mismatch(f"{text} ({_situation(case, at)}).", [], changed[0])
    return None


def _situation(case: Case, at: int) -> str:
    """Return what the manager saw at this tick, and the rules that matter, as words."""
    tick, rules = case["ticks"][at], case["rules"]
    parts = [f"waiting {shown(tick['waiting'])}", f"{tick['ready']} of {tick['on']} workers ready"]
    if tick["cpu"]:
        parts.append(f"each engine wants {shown(tick['cpu'])}")
    if tick["end"]:
        names = [each if isinstance(each, str) else f"running engine {each}" for each in tick["end"]]
        parts.append(f"ended: {', '.join(names)}")
    parts += [", ".join(f"{name} {rules[name]}" for name in ("capacity", "default_size", "ttl"))]
    parts += ["test doubles for all parts"]
    return "; ".join(parts)


@check(TASK, cases=cases.clusters, invariant=6, after="each_plan_follows_the_rules")
def the_cluster_fills_up_and_empties_again(case: Case, rows: Rows) -> Mismatch | None:
    """Check that all messages finish and that nothing is left.

    No worker may be overloaded or get engines too early, and little time may be wasted.
    """
    (messages, ideal_s), seconds = oracle.work(case), rows.get("seconds")
    cluster = f"in a cluster of {case['workers']} workers with {messages} messages, which need a CPU of {case['cpu']}"
    cluster += f" for {case['busy_s']} s each, within {case['until_s']} s"
    if wrong := same_value(messages, rows.get("finished"), what=f"the number of finished messages {cluster}"):
        return wrong
    if not isinstance(seconds, list) or not are_seconds(seconds):
        return Mismatch(
            f"Expected engines, workers and CPU for each second; yours are {shown(seconds)}.", None, seconds
        )
    if wrong := same_value([0, 1], seconds[-1][:2], what=f"[engines, workers on] at the end {cluster}"):
        return wrong
    return _packed(cluster, seconds, case["rules"]["default_size"]) or _cheap(cluster, seconds, ideal_s)


def _packed(cluster: str, seconds: list[Any], size: int) -> Mismatch | None:
    if found := over_capacity(seconds):
        now_s, worker, cpu = found
        return Mismatch(
            f"Expected at most 1000 on each worker {cluster}; yours has {cpu} on worker {worker} at {now_s} s.",
            1000,
            cpu,
        )
    if early := opened_too_early(seconds, size):
        now_s, worker, lower = early
        sentence = f"Expected worker {worker} to get its first engine when no lower worker has room {cluster}"
        return Mismatch(f"{sentence}; in yours, worker {lower} has room at {now_s} s.", None, list(early))
    return None


def _cheap(cluster: str, seconds: list[Any], ideal_s: int) -> Mismatch | None:
    most, got = MOST_OF_IDEAL * ideal_s, sum(on for _, on, _ in seconds)
    if got <= most:
        return None
    what = f"at most {most:.0f} worker-seconds ({MOST_OF_IDEAL} times the ideal, {ideal_s})"
    return Mismatch(f"Expected {what} {cluster}; yours takes {got}.", most, got)


AFTER = {
    "each_plan_follows_the_rules": "an_ended_engine_frees_its_place",
    "an_ended_engine_frees_its_place": "a_request_without_a_waiting_message_is_dropped",
    "a_request_without_a_waiting_message_is_dropped": "a_request_has_ttl_more_tries_and_its_end_is_counted",
    "a_request_has_ttl_more_tries_and_its_end_is_counted": "engines_start_only_on_ready_workers",
}

CLAIMS = [
    claim(TASK, name, made, _planned(*fields), invariant=invariant, after=AFTER.get(name, ()))
    for name, made, fields, invariant in (
        ("each_plan_follows_the_rules", cases.followed, FIELDS, 9),
        ("an_ended_engine_frees_its_place", cases.ended, ("starts", "scheduled"), 7),
        ("engines_start_only_on_ready_workers", cases.ready, ("starts",), 9),
        ("a_request_has_ttl_more_tries_and_its_end_is_counted", cases.tries, ("starts", "dropped"), 9),
        ("a_request_without_a_waiting_message_is_dropped", cases.unneeded, ("starts", "dropped"), 9),
    )
]
