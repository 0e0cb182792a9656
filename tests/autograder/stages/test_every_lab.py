"""Rules for every lab of course.yml: its cases, its checks on rows of any form, its texts, its drives.

A new lab gets all of these tests. Tests for one lab only are in its folder next to this file.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import islice
from typing import Any

import pytest

from autograder.checks import Case, Check, Rows, load_stage
from autograder.checks.agreement import agree
from autograder.checks.teaching import hints, invariants
from autograder.course import load_course
from autograder.inside import DRIVES, load_drives
from autograder.inside.stage_groups import group_modules
from autograder.judge.jobs import NumberedCase
from autograder.judge.outcomes import Driven, Outcome
from autograder.judge.verdicts import Verdict, judge_check
from autograder.verify.variants import alternatives_of, mutants_of
from tests.autograder.stages.driven_reference import (
    ROOT,
    STAGES,
    RecordingRows,
    cells_of,
    drive_modules,
    fields_of,
    imported,
    is_plain,
    paths_in,
    reference_rows,
    replaced,
)

Cases = Callable[[str], list[Case]]
COURSE = load_course(ROOT)
LABS = list(COURSE.labs)
STAGE_OF = {lab: load_stage(lab) for lab in LABS}
CHECKS = [(lab, each) for lab in LABS for each in STAGE_OF[lab].checks]
MAKERS = {each.cases: f"{lab}/{each.cases.__name__}" for lab, each in CHECKS}

of_every_lab = pytest.mark.parametrize("lab", LABS)
of_every_check = pytest.mark.parametrize(("lab", "check"), CHECKS, ids=[f"{lab}/{each.name}" for lab, each in CHECKS])
# `./lab verify` covers the checks that need Spark or services.
PLAIN = [(lab, each) for lab, each in CHECKS if is_plain(lab, each.task)]
of_plain_checks = pytest.mark.parametrize(("lab", "check"), PLAIN, ids=[f"{lab}/{each.name}" for lab, each in PLAIN])
of_all_cases = pytest.mark.parametrize("make", MAKERS, ids=MAKERS.values())


# Cases

OTHER_SEEDS = ("another", "a third", "a fourth", "a fifth")
LINE = 120


@cache
def made(make: Cases, seed: str = "public") -> list[Case]:
    return make(seed)


@of_all_cases
def test_the_same_seed_gives_the_same_cases(make: Cases) -> None:
    assert make("public") == made(make)


@of_all_cases
def test_another_seed_gives_other_cases(make: Cases) -> None:
    assert any(made(make, seed) != made(make) for seed in OTHER_SEEDS)


@of_all_cases
def test_cases_survive_a_round_trip_through_json(make: Cases) -> None:
    assert json.loads(json.dumps(made(make), allow_nan=False)) == made(make)


@of_all_cases
def test_the_first_case_is_small(make: Cases) -> None:
    """A learner sees it first. It need not be the smallest case, which is often empty."""
    sizes = [len(json.dumps(case)) for case in made(make)]

    assert sizes[0] <= max(LINE, 3 * min(sizes))


@of_every_lab
def test_a_check_that_takes_long_says_so(lab: str) -> None:
    file = STAGES / lab / "verified.json"
    seconds = json.loads(file.read_text("utf-8")).get("task_seconds", {}) if file.exists() else {}

    long = {task for task, took_s in seconds.items() if took_s > 3 * 5}  # a busy machine measured some of them
    assert {task for task in long if COURSE.labs[lab].tasks[task].check_s is None} == set()


# Rows of any form: the submission decides what its sandbox returns

HUGE = 10**4000
DEEP: Any = []
for _ in range(15):  # the judge rejects a line that is nested deeper than 20
    DEEP = [DEEP]
ODD: list[Any] = [None, True, -1, HUGE, 0.5, "", "nan", "text", [], {}, [None], [[]], {"a": None}, DEEP]
ODD += [[["a", 1]], [["a", True]], ["a", "b", "c"], [[["a"], 1]], {"rejected": "ValueError"}]
ODD_ROWS: list[Rows] = [
    {},
    {"rejected": "ValueError", "text": ""},
    {"rejected": None},
    {"rejected": ["ValueError"]},
    {"returned": "<NoneType>"},
    {"returned": None},
]
AT_LEAST = {"every_batch_writes_its_own_file_of_totals"}  # it accepts any larger number of files
WITHOUT_EFFECT = {  # (check, field): read, but rightly without effect in the first case
    ("without_a_crash_every_record_is_handled_once_in_order", "first_run"),
    ("invalid_search_arguments_raise_value_error", "runs"),
}
READ_NOTHING_FIRST = {"a_blocked_producer_loses_no_message", "a_negative_k_raises_value_error"}
PATHS_VARIED = 12


def verdict_on(check: Check, rows: list[Rows], cases: list[Case]) -> Verdict:
    numbered = [NumberedCase(at, case) for at, case in enumerate(cases)]
    outcomes = {at: Outcome("rows", rows=each) for at, each in enumerate(rows)}
    return judge_check(check, numbered, Driven(outcomes), 1.0)


def fails_with_sentence(verdict: Verdict) -> bool:
    return verdict.verdict in ("fail", "error") and verdict.points == 0 and bool(verdict.sentence.strip())


@of_every_check
def test_no_check_passes_if_every_case_returns_the_same_invalid_rows(lab: str, check: Check) -> None:
    cases, fields = made(check.cases), fields_of(lab, check.task)
    odd_values = [odd for odd in ODD if not (odd == HUGE and check.name in AT_LEAST)]

    for rows in [*ODD_ROWS, *(dict.fromkeys(fields, odd) for odd in odd_values)]:
        assert fails_with_sentence(verdict_on(check, [rows] * len(cases), cases)), rows


@of_plain_checks
def test_reference_rows_with_one_invalid_value_get_a_verdict(lab: str, check: Check) -> None:
    case = made(check.cases)[0]
    rows = reference_rows(lab, check.task, json.dumps(case))

    assert verdict_on(check, [rows], [case]).verdict == "pass"
    for path in islice(paths_in(rows), PATHS_VARIED):
        for odd in ODD:
            verdict = verdict_on(check, [replaced(rows, path, odd)], [case])
            assert verdict.verdict == "pass" or fails_with_sentence(verdict), (path, odd)


@of_plain_checks
def test_a_field_of_another_type_never_passes_the_check_that_reads_it(lab: str, check: Check) -> None:
    case = made(check.cases)[0]
    rows = reference_rows(lab, check.task, json.dumps(case))
    recorded = RecordingRows(rows)
    check.judge(case, recorded)

    fields = [each for each in recorded.read & set(rows) if (check.name, each) not in WITHOUT_EFFECT]
    assert fields or check.name in READ_NOTHING_FIRST
    for field in fields:
        for odd in (odd for odd in ODD if kind_of(odd) is not kind_of(rows[field])):
            assert fails_with_sentence(verdict_on(check, [{**rows, field: odd}], [case])), (field, odd)


def kind_of(value: Any) -> type:
    return float if isinstance(value, int | float) else type(value)


# Names and texts


@of_every_lab
def test_the_course_gives_points_to_exactly_the_checks_of_the_lab(lab: str) -> None:
    agree(lab, COURSE.labs[lab], STAGE_OF[lab])


@of_every_lab
def test_only_checks_of_the_lab_come_after_others(lab: str) -> None:
    tables = [getattr(sys.modules[name], "AFTER", {}) for name in group_modules(lab, "checks")]

    assert {name for table in tables for name in table} <= {check.name for check in STAGE_OF[lab].checks}


def test_check_names_are_unique_in_the_course() -> None:
    counts = Counter(each.name for stage in STAGE_OF.values() for each in [*stage.checks, *stage.throughput_checks])

    assert [name for name, count in counts.items() if count > 1] == []


@of_every_lab
def test_every_invariant_is_cited_by_a_check_and_no_check_cites_another(lab: str) -> None:
    assert {check.invariant for check in STAGE_OF[lab].checks} - {None} == set(invariants(lab))


@of_every_lab
def test_every_task_has_three_hints(lab: str) -> None:
    assert set(hints(lab)) == set(COURSE.labs[lab].tasks)
    assert all(len(set(three)) == 3 and all(three) for three in hints(lab).values())


@of_every_lab
def test_every_written_question_has_a_model_answer(lab: str) -> None:
    written, teaching = COURSE.labs[lab].written, ROOT / "solutions" / lab / "TEACHING.md"
    text = teaching.read_text(encoding="utf-8") if written else ""

    assert [name for name in written if f"## Written: `{name}`" not in text] == []


@of_every_lab
def test_every_check_has_a_mutant_of_its_task_and_every_task_an_alternative(lab: str) -> None:
    """A lab of the small form has no alternatives."""
    tasks, stage = COURSE.labs[lab].tasks, STAGE_OF[lab]
    checks_of: dict[str, set[str]] = {task: {each.name for each in stage.of_task(task)} for task in tasks}
    for throughput in stage.throughput_checks:
        checks_of[throughput.task].add(throughput.name)
    mutants = mutants_of(STAGES / lab, tasks, cells_of(lab))

    # A mutant of one task may change what another task of its lab calls.
    assert [each.name for each in mutants if not each.killed_by & checks_of[each.task]] == []
    assert set().union(*(each.killed_by for each in mutants)) == set().union(*checks_of.values())
    assert {each.task for each in alternatives_of(STAGES / lab, tasks, cells_of(lab))} in (set(tasks), set())


# Drives

ALLOWED_IN_DRIVES = {*sys.stdlib_module_names, "streamlab", "pyspark", "kafka", "kazoo", "pandas"}


@of_every_lab
def test_every_task_has_a_drive_and_every_drive_a_task(lab: str) -> None:
    load_drives(lab)
    ours = {name for name, each in DRIVES.items() if each.run.__module__.startswith(f"autograder.stages.{lab}.")}
    throughput = {f"{each.task}.throughput" for each in STAGE_OF[lab].throughput_checks}

    assert ours == {*COURSE.labs[lab].tasks} | throughput


@of_every_lab
def test_drives_do_not_import_oracles_or_checks(lab: str) -> None:
    for path, tree in drive_modules(lab).items():
        for name in imported(tree):
            in_this_lab = name.startswith(f"autograder.stages.{lab}.") and name.split(".")[4].startswith("drive")
            in_the_sandbox = name.startswith("autograder.inside.") or name.partition(".")[0] in ALLOWED_IN_DRIVES
            assert in_this_lab or in_the_sandbox, f"{path.parent.name}/{path.name} imports {name}"
