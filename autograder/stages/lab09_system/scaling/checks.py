"""The checks of `Autoscaler`."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, claim
from autograder.checks.compare import equal, shown
from autograder.stages.lab09_system.scaling import cases, oracle
from autograder.stages.lab09_system.scaling.comparators import after, answers_of, difference, outcome, story

TASK = "Autoscaler"
BACK_S = {"python-worker": 110, "hot-key": 105}  # the reference needs at most 88 and 82; without quiet ticks 112
WORKER_RATIO = 1.9  # the reference needs 1.72; if the oldest stops first, 2.0


def _counts(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the number of instances after each tick."""
    expected, got = oracle.needs(case), answers_of(case, rows)
    if isinstance(got, Mismatch):
        return got
    for at, (want, answer) in enumerate(zip(expected, got, strict=True)):
        have = len(answer[0])
        if have != want:
            count = f"{want} instance{'s' * (want != 1)}"
            return Mismatch(
                f"Expected {count} after {after(case, at)}; yours has {have}. {story(case, at)}", want, have
            )
    return None


def _packed(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the instances, their workers and the number of workers after each tick."""
    expected, got = oracle.packed(case), answers_of(case, rows)
    if isinstance(got, Mismatch):
        return got
    for at, (want, answer) in enumerate(zip(expected, got, strict=True)):
        if sentence := difference(want, answer, after(case, at)):
            return Mismatch(f"{sentence} {story(case, at)}", want, answer)
    return None


def _machines(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the machine of each worker after each tick, and the instances."""
    expected, wrong = oracle.machines(case), _packed(case, rows)
    return wrong or _extra(case, expected, rows, "the machine of each worker", "yours is")


def _blocked(case: Case, rows: Rows) -> Mismatch | None:
    """Compare how long the sources of each second wait."""
    who = f"the ms for which sources wait, with room for {100 * case['buffer']} records in the buffer,"
    return _extra(case, oracle.blocked_ms(case), rows, who, "with yours, they are")


def _extra(case: Case, expected: list[Any], rows: Rows, what: str, yours: str) -> Mismatch | None:
    got = answers_of(case, rows, "extra")
    if isinstance(got, Mismatch):
        return got
    for at, (want, answer) in enumerate(zip(expected, got, strict=True)):
        if not equal(want, answer):
            sentence = f"Expected {what} to be {shown(want)} after {after(case, at)}; {yours} {shown(answer)}."
            return Mismatch(f"{sentence} {story(case, at)}", want, answer)
    return None


def _day(case: Case, rows: Rows) -> Mismatch | None:
    """Bound the seconds until the lag is back, and the worker-seconds."""
    went = outcome(case, rows)
    if isinstance(went, str):
        return Mismatch(f"Expected {went}.")
    day = "The day: " + ", ".join(f"{fault} at {at_s} s" for at_s, fault in case["plan"])
    for fault, most_s in BACK_S.items():
        took_s = went.back_s[fault]
        if took_s is None or took_s > most_s:
            got = "it does not come back" if took_s is None else f"it takes {took_s} s"
            sentence = f"Expected the lag to be back at most {most_s} s after the fault {fault}; with yours, {got}."
            ask = "How many instances run then, and does a new one replace each that is lost?"
            return Mismatch(f"{sentence} {day}. {ask}", most_s, took_s)
    if went.ratio > WORKER_RATIO:
        ideal = f"at most {WORKER_RATIO} times the worker-seconds of full workers"
        ask = "Which instance do you stop, and does a lost one lose its place?"
        sentence = f"Expected {ideal}; yours needs {went.ratio} times as many. {day}. {ask}"
        return Mismatch(sentence, WORKER_RATIO, went.ratio)
    return None


AFTER: dict[str, str | tuple[str, ...]] = {
    "it_scales_down_after_a_quiet_time": "instances_follow_load_and_lag",
    "whole_workers_become_free": "instances_follow_load_and_lag",
    "lost_instances_are_replaced": ("it_scales_down_after_a_quiet_time", "whole_workers_become_free"),
    "the_virtual_day_meets_its_levels": "lost_instances_are_replaced",
    "your_own_lab_2_remembers_the_peak": "it_scales_down_after_a_quiet_time",
    "your_own_lab_7_packs_the_instances": "whole_workers_become_free",
    "your_own_lab_5_moves_a_dead_machines_workers": "lost_instances_are_replaced",
    "your_own_lab_1_says_how_long_sources_wait": "it_scales_down_after_a_quiet_time",
}

CLAIMS = [
    claim(TASK, name, made, judge, invariant=invariant, chain=chain, after=AFTER.get(name, ()))
    for name, made, judge, invariant, chain in (
        ("instances_follow_load_and_lag", cases.loads, _counts, None, None),
        ("it_scales_down_after_a_quiet_time", cases.quiet, _counts, 12, None),
        ("whole_workers_become_free", cases.packing, _packed, 12, None),
        ("lost_instances_are_replaced", cases.lost, _packed, None, None),
        ("the_virtual_day_meets_its_levels", cases.days, _day, 12, None),
        ("your_own_lab_2_remembers_the_peak", cases.remembered, _counts, 12, "lab02_windows/SlidingMax"),
        ("your_own_lab_7_packs_the_instances", cases.first_fit, _packed, 12, "lab07_irm/FirstFit"),
        ("your_own_lab_5_moves_a_dead_machines_workers", cases.dead_machines, _machines, None, "lab05_placement/heal"),
        ("your_own_lab_1_says_how_long_sources_wait", cases.blocked, _blocked, None, "lab01_wordcount/deliver"),
    )
]
