"""What holds for every lab of course.yml: its cases, its checks on rows of any form, its texts, its drives.

A new lab needs no tests for any of this. What is special to a lab is tested in its own folder here.
"""

import ast
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import streamlab
from autograder.checks import Case, Check, Rows, load_stage
from autograder.checks.teaching import hints, invariants
from autograder.course import load_course
from autograder.course.agreement import agree
from autograder.inside import DRIVES, load_drives
from autograder.inside.groups import STAGES
from autograder.judge.jobs import NumberedCase
from autograder.judge.outcomes import Driven, Outcome
from autograder.judge.verdicts import Verdict, judge_check
from autograder.verify.variants import alternatives_of, mutants_of
from streamlab.notebooks.labfile import LabCell, read_lab
from streamlab.notebooks.loader import Stage, load_cells
from streamlab.notebooks.stages import send_by_value

ROOT = STAGES.parents[1]
COURSE = load_course(ROOT)
LABS = list(COURSE.labs)
STAGE_OF = {lab: load_stage(lab) for lab in LABS}
CHECKS = [pytest.param(lab, each, id=f"{lab}/{each.name}") for lab in LABS for each in STAGE_OF[lab].checks]
CASES = [
    pytest.param(make, id=f"{lab}/{make.__name__}")
    for lab in LABS
    for make in dict.fromkeys(check.cases for check in STAGE_OF[lab].checks)
]
OTHER_SEEDS = ("another", "a third", "a fourth", "a fifth")

Cases = Callable[[str], list[Case]]


# Cases


@cache
def made(make: Cases, seed: str = "public") -> list[Case]:
    return make(seed)


@pytest.mark.parametrize("make", CASES)
def test_the_same_seed_gives_the_same_cases(make: Cases) -> None:
    assert make("public") == made(make)


@pytest.mark.parametrize("make", CASES)
def test_another_seed_gives_other_cases(make: Cases) -> None:
    assert any(made(make, seed) != made(make) for seed in OTHER_SEEDS)


@pytest.mark.parametrize("make", CASES)
def test_json_holds_the_cases(make: Cases) -> None:
    assert json.loads(json.dumps(made(make), allow_nan=False)) == made(make)


@pytest.mark.parametrize("make", CASES)
def test_the_first_case_is_a_small_one(make: Cases) -> None:
    """It is the one that a learner sees; the smallest of all may be one with nothing in it."""
    sizes = [len(json.dumps(case)) for case in made(make)]

    assert sizes[0] <= 3 * min(sizes)
    assert sizes[0] <= sorted(sizes)[len(sizes) // 2]


# Rows of any form: what comes from a sandbox is the submission's choice

DEEP: Any = []
for _ in range(15):  # the judge reads no line that is deeper than 20
    DEEP = [DEEP]
ODD = [None, True, -1, 10**4000, 0.5, "", "nan", "text", [], {}, [None], [[]], [["a", 1]], [["a", True]], {"a": None}]
ODD += [["a", "b", "c"], [[["a"], 1]], DEEP, {"rejected": "ValueError"}]
ODD_ROWS: list[Rows] = [
    {},
    {"rejected": "ValueError", "text": ""},
    {"rejected": None},
    {"rejected": ["ValueError"]},
    {"returned": "<NoneType>"},
    {"returned": None},
]
NODES_VARIED = 12


def verdict_on(check: Check, rows: list[Rows], cases: list[Case]) -> Verdict:
    numbered = [NumberedCase(at, case) for at, case in enumerate(cases)]
    outcomes = {at: Outcome("rows", rows=each) for at, each in enumerate(rows)}
    return judge_check(check, numbered, Driven(outcomes), 1.0)


def says_why(verdict: Verdict) -> bool:
    return verdict.verdict in ("fail", "error") and verdict.points == 0 and verdict.sentence.endswith((".", "…"))


@pytest.mark.parametrize(("lab", "check"), CHECKS)
def test_no_check_passes_on_the_same_odd_rows_for_every_case(lab: str, check: Check) -> None:
    cases = made(check.cases)
    for rows in [*ODD_ROWS, *({field: odd for field in fields_of(lab, check.task)} for odd in ODD)]:
        assert says_why(verdict_on(check, [rows] * len(cases), cases)), rows


@pytest.mark.parametrize(("lab", "check"), CHECKS)
def test_reference_rows_with_one_odd_value_get_a_verdict(lab: str, check: Check) -> None:
    if not is_plain(lab, check.task):
        pytest.skip("needs Spark or a service; ./lab verify runs it")
    case = made(check.cases)[0]
    rows = reference_rows(lab, check.task, json.dumps(case))

    assert verdict_on(check, [rows], [case]).verdict == "pass"
    for varied in variations(rows):
        verdict = verdict_on(check, [varied], [case])
        assert verdict.verdict == "pass" or says_why(verdict), varied


def variations(rows: Rows) -> Iterator[Rows]:
    """`rows` with one value, at any depth, replaced by something odd."""
    for path in list(paths_in(rows))[:NODES_VARIED]:
        for odd in ODD:
            varied = json.loads(json.dumps(rows))
            parent = varied
            for step in path[:-1]:
                parent = parent[step]
            parent[path[-1]] = odd
            yield varied


def paths_in(value: Any) -> Iterator[tuple[Any, ...]]:
    """Where values are inside of `value`, the outer ones first."""
    level = [((), value)]
    while level:
        inner = []
        for path, each in level:
            steps = each.items() if isinstance(each, dict) else enumerate(each) if isinstance(each, list) else ()
            inner += [((*path, step), part) for step, part in steps]
        yield from (path for path, _ in inner)
        level = inner


@cache
def fields_of(lab: str, task: str) -> list[str]:
    """The names of the fields in rows of a task: each key that a drive module of its group writes."""
    trees = [tree for path, tree in drive_modules(lab).items() if path.parent == drive_file(task).parent]
    keys = (key for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys)
    names = {key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}
    return sorted(names - {"rejected", "returned"})


@cache
def reference_rows(lab: str, task: str, case: str) -> Rows:
    with tempfile.TemporaryDirectory() as scratch:
        rows = DRIVES[task](stage=reference(lab), case=json.loads(case), scratch=Path(scratch), earlier=reference)
    rows_as_read: Rows = json.loads(json.dumps(rows))
    return rows_as_read


@cache
def reference(lab: str) -> Stage:
    """The reference of a lab, loaded without a Spark session."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(vars(streamlab), "session", lambda *_, **__: None)
        patch.setitem(vars(streamlab), "stage", reference)
        stage = load_cells(lab, cells_of(lab), module_name=f"reference_of_{lab}")
    assert not stage.errors
    send_by_value(f"reference_of_{lab}")
    return stage


@cache
def cells_of(lab: str) -> list[LabCell]:
    return read_lab(ROOT / "solutions" / lab / f"{lab}.py").cells


# Names and texts


@pytest.mark.parametrize("lab", LABS)
def test_course_gives_points_to_just_the_checks_of_the_lab(lab: str) -> None:
    agree(lab, COURSE.labs[lab], STAGE_OF[lab])


def test_names_of_checks_are_unique_over_the_course() -> None:
    named = Counter(each.name for stage in STAGE_OF.values() for each in [*stage.checks, *stage.throughput_checks])

    assert [name for name, count in named.items() if count > 1] == []


@pytest.mark.parametrize("lab", LABS)
def test_every_invariant_is_cited_by_a_check_and_every_check_cites_one(lab: str) -> None:
    assert {check.invariant for check in STAGE_OF[lab].checks} == set(invariants(lab))


@pytest.mark.parametrize("lab", LABS)
def test_every_task_has_three_hints(lab: str) -> None:
    assert list(hints(lab)) == list(COURSE.labs[lab].tasks)
    assert all(len(set(three)) == 3 and all(three) for three in hints(lab).values())


@pytest.mark.parametrize("lab", LABS)
def test_every_written_question_has_a_model_answer(lab: str) -> None:
    teaching = (ROOT / "solutions" / lab / "TEACHING.md").read_text(encoding="utf-8")

    assert [name for name in COURSE.labs[lab].written if f"## Written: `{name}`" not in teaching] == []


@pytest.mark.parametrize("lab", LABS)
def test_every_check_has_a_mutant_of_its_task_and_every_task_an_alternative(lab: str) -> None:
    tasks, stage = COURSE.labs[lab].tasks, STAGE_OF[lab]
    mutants = mutants_of(STAGES / lab, tasks, cells_of(lab))
    checks_of = {task: {each.name for each in stage.checks if each.task == task} for task in tasks}
    for throughput in stage.throughput_checks:
        checks_of[throughput.task].add(throughput.name)

    assert [each.name for each in mutants if not each.killed_by <= checks_of[each.task]] == []
    assert set().union(*(each.killed_by for each in mutants)) == set().union(*checks_of.values())
    assert {each.task for each in alternatives_of(STAGES / lab, tasks, cells_of(lab))} == set(tasks)


# Drives

FOR_DRIVES = {*sys.stdlib_module_names, "streamlab", "pyspark", "kafka", "kazoo"}
SERVICES = ("autograder.inside.servers", "streamlab.services", "kafka", "kazoo")


@pytest.mark.parametrize("lab", LABS)
def test_every_task_has_a_drive_and_every_drive_a_task(lab: str) -> None:
    load_drives(lab)
    ours = {name for name, each in DRIVES.items() if each.run.__module__.startswith(f"autograder.stages.{lab}.")}
    throughput = {f"{each.task}.throughput" for each in STAGE_OF[lab].throughput_checks}

    assert ours == {*COURSE.labs[lab].tasks} | throughput


@pytest.mark.parametrize("lab", LABS)
def test_drives_import_nothing_that_knows_what_is_right(lab: str) -> None:
    for path, tree in drive_modules(lab).items():
        for name in imported(tree):
            ours = name.startswith(f"autograder.stages.{lab}.") and name.split(".")[4:][0].startswith("drive")
            assert ours or name.startswith("autograder.inside") or name.partition(".")[0] in FOR_DRIVES, path


@cache
def drive_modules(lab: str) -> dict[Path, ast.Module]:
    """What a sandbox gets of a lab."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in (STAGES / lab).glob("*/drive*.py")}


def imported(tree: ast.Module) -> Iterator[str]:
    """The full names of what a module imports, wherever it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "write the whole name of the module"
            yield from (f"{node.module}.{each.name}" for each in node.names)


def drive_file(task: str) -> Path:
    return Path(DRIVES[task].run.__code__.co_filename)


@cache
def is_plain(lab: str, task: str) -> bool:
    """Whether the task runs here and now, with neither Spark nor a service."""
    load_drives(lab)
    used = [name for name in imported(drive_modules(lab)[drive_file(task)]) if name.startswith(SERVICES)]
    return not DRIVES[task].needs_spark and not used


for each in LABS:
    load_drives(each)
