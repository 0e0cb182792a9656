"""Runs every attack through the judge that learners use, each between two honest submissions.

An attack fails if it earns no more than the same work without it, costs other submissions nothing, changes nothing
outside its sandbox, and is named in the report.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from typing import Any

from rich.console import Console

from autograder.builder import reference_notebook
from autograder.course import Limits
from autograder.hostile.attack import FIRST_LAB, TWO_TASKS, Attack, read_attacks
from autograder.hostile.files import FILE_ATTACKS, FileAttack
from autograder.hostile.notebooks import Notebook, as_notebook, write, wrong_work
from autograder.hostile.surroundings import Outside, outside
from autograder.intake.safe_text import safe
from autograder.judge.batch import judge_each
from autograder.judge.request import OnProgress, Request
from autograder.report import print_results, render_html

LIMITS = Limits(wall_s=24, load_s=4, case_s=4, memory_mb=600, output_mb=16, processes=128)
SPARK_LIMITS = Limits(wall_s=300, load_s=20, case_s=30, memory_mb=2500, output_mb=16, processes=512)
TABLE_CHARS = 110
Results = dict[str, Any]


@dataclass(frozen=True)
class AttackResult:
    """The result of one attack; `problems` is empty if the attack failed."""

    name: str
    about: str
    score: float
    honest_score: float
    named_by: str
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Trial:
    """The results of all attacks, and the changes outside the sandboxes that were found at the end."""

    attack_results: list[AttackResult]
    outside: list[str]

    def holes(self) -> list[str]:
        """Return a sentence for each problem."""
        return [
            f"hostile {fate.name} {problem}" for fate in self.attack_results for problem in fate.problems
        ] + self.outside


def try_all(request: Request, folder: Path, *, throughput_checks: bool, on_progress: OnProgress) -> Trial:
    """Judge all attacks on all labs; `throughput_checks` includes those that need a throughput check."""
    attacks = [each for each in read_attacks() if throughput_checks or not each.throughput]
    labs = [lab for lab in TWO_TASKS if any(each.lab == lab for each in attacks)]
    honest = {lab: dict(reference_notebook(request.root, request.course, lab)) for lab in {FIRST_LAB, *labs}}
    with outside(request.root, honest[FIRST_LAB]) as environment:
        before, attack_results = environment.fingerprint(), list[AttackResult]()
        for lab in labs:
            lab_trial = _LabTrial(request, lab, folder, honest[lab], environment, on_progress)
            groups = _groups([each for each in attacks if each.lab == lab])
            attack_results += [fate for group in groups for fate in lab_trial.try_attacks(group)]
        first = _LabTrial(request, FIRST_LAB, folder / "files", honest[FIRST_LAB], environment, on_progress)
        attack_results += first.try_files(FILE_ATTACKS)
        return Trial(sorted(attack_results, key=lambda fate: fate.name), _changes(before, environment))


def _groups(attacks: list[Attack]) -> list[list[Attack]]:
    """Group attacks on the same work by the tasks that judge them; those on throughput checks are separate groups."""
    kinds = dict.fromkeys(map(_kind, attacks))
    return [[each for each in attacks if _kind(each) == kind] for kind in kinds]


def _kind(attack: Attack) -> tuple[tuple[str, ...], bool, str]:
    return attack.tasks, attack.throughput, attack.without


class _LabTrial:
    """The trial of one lab: the request, the honest notebook, and a folder for the submitted files."""

    def __init__(
        self, request: Request, lab: str, folder: Path, honest: Notebook, environment: Outside, on_progress: OnProgress
    ) -> None:
        self.request, self.lab = replace(request, lab=lab, throughput=False), lab
        self.folder, self.honest, self.environment, self.on_progress = folder, honest, environment, on_progress
        self.honest_file = write(honest, self.place(f"honest-{lab}") / f"{lab}.ipynb")

    def place(self, name: str) -> Path:
        """Make and return a separate folder for one file."""
        (self.folder / name).mkdir(parents=True)
        return self.folder / name

    def try_attacks(self, attacks: list[Attack]) -> Iterator[AttackResult]:
        """Judge attacks that are judged by the same tasks, and yield their results."""
        first = attacks[0]
        request = self.request_for(first.tasks, throughput=first.throughput)
        files = [self.write(each) for each in attacks]
        wrong = wrong_work(first.tasks[0], self.honest, throughput=first.throughput, source=first.without)
        without = write(wrong, self.place(f"without-{first.name}") / f"{self.lab}.ipynb")
        for attack, judged in zip(attacks, self.judge(files, without, request), strict=True):
            yield _attack_result(attack, judged, attack.named_at(self.request.sandbox))

    def request_for(self, tasks: tuple[str, ...], *, throughput: bool) -> Request:
        """Return the request for some tasks only, with tight limits if they need neither Spark nor a second sandbox.

        The fallback's sandbox starts while the notebook is loaded; in a container, this takes seconds.
        """
        limits = SPARK_LIMITS if throughput or {"count_words", "Predictor"} & set(tasks) else LIMITS
        own = {"wall_s": limits.wall_s, "case_s": limits.case_s}
        labs = self.request.course.labs
        labs = labs | {self.lab: labs[self.lab].model_copy(update=own)}
        course = self.request.course.model_copy(update={"limits": limits, "labs": labs})
        return replace(self.request, tasks=tasks, course=course, throughput=throughput)

    def write(self, attack: Attack) -> Path:
        """Write the attack as a student's notebook."""
        return as_notebook(attack, self.honest, self.environment.targets, self.place(attack.name) / f"{self.lab}.ipynb")

    def try_files(self, attacks: list[FileAttack]) -> Iterator[AttackResult]:
        """Judge attacks by files, and yield their results."""
        request = self.request_for(TWO_TASKS[self.lab], throughput=False)
        work = wrong_work("words", self.honest)
        without = write(work, self.place("without-file") / f"{self.lab}.ipynb")
        files = [each.make(self.place(each.name), work, self.environment.targets) for each in attacks]
        for attack, judged in zip(attacks, self.judge(files, without, request), strict=True):
            yield _file_attack_result(attack, judged)

    def judge(self, files: list[Path], without: Path, request: Request) -> list["_Judged"]:
        """Judge each file between two honest ones; a throughput check runs alone, so it has no neighbours."""
        to_honest = (self.honest_file, self.request_for(TWO_TASKS[self.lab], throughput=False))
        baseline, honest = self.each([(without, replace(request, throughput=False)), to_honest])
        if request.throughput:
            return [_Judged(each, baseline, []) for each in self.each([(file, request) for file in files])]
        judged = self.each([*(order for file in files for order in (to_honest, (file, request))), to_honest])
        neighbours = [judged[at : at + 3 : 2] for at in range(0, len(judged) - 1, 2)]
        disturbed = [[each for each in two if _stable_results(each) != _stable_results(honest)] for two in neighbours]
        return [_Judged(*each) for each in zip(judged[1::2], [baseline] * len(files), disturbed, strict=True)]

    def each(self, orders: list[tuple[Path, Request]]) -> list[Results]:
        """Return the results in the order given."""
        judged = dict(judge_each(orders, self.request.workers, lambda text: self.on_progress(f"hostile: {text}")))
        return [judged[at] for at in range(len(orders))]


@dataclass(frozen=True)
class _Judged:
    """The results of an attack and of the same work without it, and those of neighbours that it disturbed."""

    results: Results
    without: Results
    disturbed: list[Results]


def _stable_results(results: Results) -> str:
    ours = {key: value for key, value in results["streamlab"].items() if key not in ("timing", "throughput")}
    return json.dumps([results["score"], results["tests"], ours], sort_keys=True)


def _attack_result(attack: Attack, judged: _Judged, named: str) -> AttackResult:
    problems = [*_problems(named, judged)]
    kept = [task for task in attack.tasks[1:] if task not in attack.costs]
    for task in kept:
        have, want = (_points(each, task) for each in (judged.results, judged.without))
        if have != want:
            problems.append(f"cost points in {task}, which it does not touch: expected {want:g}, got {have:g}")
    return _result_with(attack.name, attack.about, named, judged, problems)


def _file_attack_result(attack: FileAttack, judged: _Judged) -> AttackResult:
    problems = [*_problems(attack.named, judged)]
    expected = 0.0 if attack.rejected else judged.without["score"]
    if judged.results["score"] != expected:
        problems.append(f"earned {judged.results['score']:g} points, expected {expected:g}")
    return _result_with(attack.name, attack.about, attack.named, judged, problems)


def _result_with(name: str, about: str, named: str, judged: _Judged, problems: list[str]) -> AttackResult:
    named_by = next((text for text in _sentences(judged.results) if named in text), "")
    return AttackResult(name, about, judged.results["score"], judged.without["score"], named_by, problems)


def _problems(named: str, judged: _Judged) -> Iterator[str]:
    results, without = judged.results, judged.without
    if results["score"] > without["score"]:
        yield f"gained {results['score'] - without['score']:g} points"
    if not any(named in text for text in _sentences(results)):
        yield f"is not named in the report: expected “{named}” among {_sentences(results)[:6]}"
    if judged.disturbed:
        yield "changed the verdicts of an honest neighbour"
    yield from _unsafe_reports(results)


def _sentences(results: Results) -> list[str]:
    """Return every sentence of the report, notes first."""
    ours = results["streamlab"]
    verdicts = [each["sentence"] for each in [*ours["checks"], *ours["throughput"]]]
    return [*ours["notes"], *ours["limits_hit"], *verdicts]


def _points(results: Results, task: str) -> float:
    return sum(check["points"] for check in results["streamlab"]["checks"] if check["task"] == task)


def _unsafe_reports(results: Results) -> Iterator[str]:
    try:
        json.dumps(results, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except ValueError as problem:
        yield f"left results that cannot be written: {problem}"
        return
    page = render_html([results]).casefold()
    if any(tag in page for tag in ("<script", "<img", "onload=alert(1)>", "onerror=alert(1)>")):
        yield "put its own markup into the page"
    screen = StringIO()
    print_results(results, Console(file=screen, width=120, color_system=None))
    if any(ord(each) < 32 and each != "\n" for each in screen.getvalue()):
        yield "put its own control codes on the terminal"


def _changes(before: dict[str, str], environment: Outside) -> list[str]:
    now = environment.fingerprint()
    different = sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))
    return [f"hostile submissions changed {path}" for path in different] + [
        f"hostile submissions {each}" for each in environment.left_behind()
    ]


def table(attack_results: list[AttackResult]) -> Iterator[str]:
    """Yield a line for each attack: its score, the score of the same work without it, and how the report names it."""
    width = max((len(fate.name) for fate in attack_results), default=0)
    for fate in attack_results:
        scores = f"{fate.score:g} of {fate.honest_score:g}"
        outcome = f"HOLE: {fate.problems[0]}" if fate.problems else fate.named_by
        yield f"{fate.name:<{width}}  {scores:<10}{safe(outcome, TABLE_CHARS)}"
