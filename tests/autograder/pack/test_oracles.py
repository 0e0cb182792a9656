"""The student's kit holds no right answers as code, but judges the public cases as the full kit does."""

import ast
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from autograder.checks.recorded import UnknownQuestion
from autograder.course import Course, load_course
from autograder.inside import DRIVES
from autograder.pack.contents import NotPackable, Packed, files_to_pack
from autograder.pack.leaks import leaks_in
from autograder.pack.oracles import oracle_files, recorded_oracles
from autograder.verify.variants import Variant, mutants_of
from streamlab.notebooks.causes import cause_of
from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.loader import Stage, load_cells
from streamlab.notebooks.stages import send_by_value
from tests.autograder.pack import judging
from tests.autograder.stages.driven_reference import ROOT, STAGES, cells_of, is_plain, reference
from tests.autograder.stages.test_every_lab import ODD, ODD_ROWS

COURSE = load_course(ROOT)
LABS = list(COURSE.labs)
CASE_S = 0.5  # limit for a case of a mutant, which may not end
PATIENCE_S = 60.0  # limit for a case of a reference, which also loads the modules that its mutants need
JUDGING = Path(judging.__file__)
CHARACTERS_MAX = 20_000  # limit for the public cases of a task as JSON
BYTES_OF_A_LAB_MAX = 1_000_000


@pytest.fixture(scope="module")
def students_kit(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The student's kit, unpacked."""
    folder = tmp_path_factory.mktemp("students")
    with zipfile.ZipFile(archive) as content:
        content.extractall(folder)
    return next(folder.iterdir())


def python_of(kit: Path, *arguments: str, text: str = "") -> "subprocess.CompletedProcess[str]":
    """Run a Python that imports the packed kit and nothing of this one."""
    return subprocess.run(
        [sys.executable, *arguments],
        input=text,
        env={**os.environ, "PYTHONPATH": str(kit)},
        cwd=kit,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def verdicts_in(kit: Path, orders: list[dict[str, Any]]) -> list[judging.Verdicts]:
    """Return the verdicts on outcomes from a process that imports only the packed kit."""
    text = "".join(f"{json.dumps(order)}\n" for order in orders)
    done = python_of(kit, str(JUDGING), text=text)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


# Verdicts


def small(lab: str) -> list[str]:
    """Return the tasks without Spark and services whose cases are driven quickly with every mutant."""
    plain = [task for task in COURSE.labs[lab].tasks if is_plain(lab, task)]
    jobs = {task: [job.as_order() for job in judging.stage_and_plan(lab, task)[1].jobs] for task in plain}
    return [task for task in plain if len(json.dumps(jobs[task])) < CHARACTERS_MAX]


@cache
def variants(lab: str) -> list[Variant]:
    return mutants_of(STAGES / lab, COURSE.labs[lab].tasks, cells_of(lab))


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in a block that takes longer."""

    def ring(*_: object) -> None:
        raise TimeoutError(f"no answer within {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def outcomes_of(stage: Stage, lab: str, task: str, case_s: float = CASE_S) -> list[dict[str, Any]]:
    """Drive a task with its public cases, and return their outcomes; cases after an endless one are not tried."""
    [job] = judging.stage_and_plan(lab, task)[1].jobs
    outcomes: list[dict[str, Any]] = []
    for case in job.cases:
        if outcomes and outcomes[-1]["kind"] in ("timeout", "untried"):
            outcomes.append({"kind": "untried"})
        else:
            outcomes.append(outcome_of(stage, task, json.loads(json.dumps(case.input)), case_s))
    return outcomes


def outcome_of(stage: Stage, task: str, case: dict[str, Any], case_s: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as scratch:
        try:
            with alarm(case_s):
                rows = DRIVES[task](stage=stage, case=case, scratch=Path(scratch), earlier=reference)
        except TimeoutError as late:
            return {"kind": "timeout", "message": str(late)}
        except Exception as problem:
            cause = cause_of(problem)
            return {"kind": "failed", "error": cause.kind, "message": cause.message, "line": cause.line}
    return {"kind": "rows", "rows": json.loads(json.dumps(rows))}


def mutated(lab: str, mutant: Variant) -> Stage:
    """Load the reference's cells with a mutant after them."""
    more = LabCell(kind="code", role=None, name=None, source=mutant.code, id="mutant")
    name = f"mutant_{mutant.name}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("streamlab.session", lambda *_, **__: None, raising=False)
        patch.setattr("streamlab.stage", reference, raising=False)
        stage = load_cells(lab, [*cells_of(lab), more], module_name=name)
    send_by_value(name)
    return stage


@pytest.mark.slow
def test_reference_and_mutants_get_the_verdicts_and_sentences_of_the_full_kit(students_kit: Path) -> None:
    tasks = {(lab, task): [each for each in variants(lab) if each.task == task] for lab in LABS for task in small(lab)}
    orders = [
        {"lab": lab, "task": task, "outcomes": outcomes_of(stage, lab, task, case_s)}
        for (lab, task), mutants in tasks.items()
        for stage, case_s in [(reference(lab), PATIENCE_S), *((mutated(lab, each), CASE_S) for each in mutants)]
    ]

    in_the_kit = verdicts_in(students_kit, orders)

    assert {lab for lab, _ in tasks} == set(LABS)
    assert in_the_kit == [json.loads(json.dumps(judging.verdicts(**order))) for order in orders]
    passes = [all(verdict == "pass" for _, verdict, *_ in each) for each in in_the_kit]
    assert passes == [at == 0 for mutants in tasks.values() for at in range(1 + len(mutants))]


@pytest.mark.slow
def test_odd_rows_get_the_verdicts_and_sentences_of_the_full_kit_in_every_task(students_kit: Path) -> None:
    tasks = [(lab, task) for lab in LABS for task in COURSE.labs[lab].tasks]
    some = [*ODD_ROWS, {"returned": ODD[2]}]
    orders = [
        {"lab": lab, "task": task, "outcomes": [{"kind": "rows", "rows": rows}] * cases_of(lab, task)}
        for lab, task in tasks
        for rows in some
    ]

    assert verdicts_in(students_kit, orders) == [json.loads(json.dumps(judging.verdicts(**order))) for order in orders]


def cases_of(lab: str, task: str) -> int:
    return sum(len(job.cases) for job in judging.stage_and_plan(lab, task)[1].jobs)


# What is in the kit


def test_no_function_of_an_oracle_can_be_imported_from_the_kit(students_kit: Path, course: Course) -> None:
    for path in oracle_files(ROOT, course):
        packed = students_kit / path.relative_to(ROOT)
        tree = ast.parse(packed.read_text()) if packed.exists() else ast.Module([], [])
        defined = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda)]
        imported = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]

        assert defined == []
        assert set(imported) <= {"typing", "autograder.checks.recorded"}


def test_the_kit_answers_only_questions_of_public_cases(students_kit: Path) -> None:
    module = "autograder.stages.lab01_wordcount.streams.oracle"
    code = f"from {module} import local_master as ask; print(ask(1, 1) if 'x' == 'y' else ask(receivers=77, workers=9))"
    done = python_of(students_kit, "-c", code)

    assert done.returncode != 0
    assert UnknownQuestion.__name__ in done.stderr
    assert importlib.import_module(module).local_master(receivers=77, workers=9) == "local[86]"


def test_another_seed_is_rejected_in_one_line(students_kit: Path) -> None:
    notebook = "labs/lab03_log/lab03_log.ipynb"
    judge = ["-m", "autograder.cli", "judge", notebook, "--sandbox", "process", "--seed", "another"]
    done = python_of(students_kit, *judge)

    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "lab: a student's kit judges the public cases only; leave --seed out"


@pytest.mark.parametrize("lab", LABS)
def test_the_recorded_answers_of_a_lab_are_small(lab: str, students_kit: Path) -> None:
    sizes = [path.stat().st_size for path in (students_kit / "autograder" / "stages" / lab).glob("*/oracle*.json")]

    assert 0 < sum(sizes) < BYTES_OF_A_LAB_MAX


def test_the_body_of_an_oracles_function_is_a_leak_under_any_name(course: Course) -> None:
    paths = oracle_files(ROOT, course)
    disguised = [Packed(f"streamlab/{at}.txt", False, path.read_bytes()) for at, path in enumerate(paths)]

    found = leaks_in(disguised, ROOT, course)

    assert [leak.partition(" holds the body of ")[0] for leak in found] == [f"{file.name}:" for file in disguised]


# A new lab


@pytest.fixture
def first_lab(course: Course) -> Course:
    """A course of Lab 1 alone, whose answers are recorded quickly."""
    return course.model_copy(update={"labs": {"lab01_wordcount": course.labs["lab01_wordcount"]}})


@pytest.mark.slow
def test_an_oracle_of_a_new_group_needs_no_registration(kit: Path, first_lab: Course) -> None:
    group = kit / "autograder" / "stages" / "lab01_wordcount" / "fresh"
    group.mkdir()
    (group / "__init__.py").write_text("")
    (group / "oracle_twice.py").write_text("LEAST = (1, 2)\n\n\ndef twice(number):\n    return {number: (number, 2)}\n")
    (group / "checks.py").write_text(
        "from autograder.checks import check\n"
        "from autograder.stages.lab01_wordcount.fresh import oracle_twice\n\n\n"
        "def cases(seed):\n    return [{'number': number} for number in oracle_twice.LEAST]\n\n\n"
        "@check('words', cases=cases)\ndef fresh(case, rows):\n    return oracle_twice.twice(case['number']) and None\n"
    )

    packed = {file.name: file.content for file in recorded_oracles(kit, first_lab, files_to_pack(kit, first_lab))}

    answers = json.loads(packed["autograder/stages/lab01_wordcount/fresh/oracle_twice.json"])
    assert answers["constants"] == {"LEAST": {"$tuple": [1, 2]}}
    assert sorted(answers["answers"]["twice"].values(), key=str) == [
        {"$dict": [[1, {"$tuple": [1, 2]}]]},
        {"$dict": [[2, {"$tuple": [2, 2]}]]},
    ]


@pytest.mark.slow
def test_an_answer_that_cannot_be_recorded_is_reported(kit: Path, first_lab: Course) -> None:
    oracle = kit / "autograder" / "stages" / "lab01_wordcount" / "streams" / "oracle.py"
    oracle.write_text(oracle.read_text().replace('return f"local[{receivers + workers}]"', "return object()"))

    with pytest.raises(NotPackable, match=r"streams\.oracle\.local_master for a public case: NotPlain: object"):
        recorded_oracles(kit, first_lab, files_to_pack(kit, first_lab))
