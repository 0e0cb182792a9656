"""Run the parts of self-verification for one lab, each through the same judge that judges learners."""

import shutil
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from autograder.builder import checks_that_do_not_pass, reference_notebook, run_reference, wrong_quotes
from autograder.hostile.trial import LAB as LAB_OF_ATTACKS
from autograder.hostile.trial import Fate, try_all
from autograder.judge import judge_files
from autograder.judge.batch import judge_all
from autograder.judge.request import OnProgress, Request
from autograder.judge.submission_checks import load_agreed_stage
from autograder.verify.matrix import (
    Row,
    accused,
    caught_by,
    checks_without_mutant,
    full_marks,
    no_marks,
    rows_of_round,
    same_verdicts,
)
from autograder.verify.variants import Variant, alternatives_of, mutants_of, rounds_of, tasks_reached, written_out
from streamlab.notebooks.labfile import LabCell, read_lab

RUNS = 20


@dataclass
class Report:
    """What was found: rows of the matrix, one line for each part, what became of each attack, and the holes."""

    lab: str
    rows: list[Row] = field(default_factory=list)
    parts: list[tuple[str, str]] = field(default_factory=list)
    attacks: list[Fate] = field(default_factory=list)
    holes: list[str] = field(default_factory=list)

    def part(self, name: str, outcome: str, holes: list[str]) -> None:
        """Note one part."""
        self.parts.append((name, outcome if not holes else f"{len(holes)} holes"))
        self.holes += holes


def verify_lab(lab: str, request: Request, *, quick: bool, on_progress: OnProgress, runs: int = RUNS) -> Report:
    """Verify one lab; `quick` leaves out repeats, seeds, the notebook's run, throughput checks and the attacks on them.

    `runs` is the number of other seeds, and of repeats.
    """
    verifier = _Verifier(lab, replace(request, lab=lab, throughput=False), on_progress, 1 if quick else runs)
    parts: list[Callable[[], None]] = [verifier.starter_and_reference, verifier.mutants, verifier.alternatives]
    if not quick:
        parts += [verifier.seeds, verifier.throughput_checks, verifier.notebook]
    with tempfile.TemporaryDirectory(prefix="streamlab-verify-") as folder:
        verifier.folder = _beside_earlier_labs(Path(folder), lab, request)
        for part in parts:
            part()
        if lab == LAB_OF_ATTACKS:
            verifier.hostile(throughput_checks=not quick)
        verifier.every_check_can_fail(throughput_checks=not quick)
    return verifier.report


def verify_attacks(request: Request, *, quick: bool, on_progress: OnProgress) -> Report:
    """Only the hostile submissions; `quick` leaves out those on throughput checks."""
    verifier = _Verifier(LAB_OF_ATTACKS, replace(request, lab=LAB_OF_ATTACKS, throughput=False), on_progress, RUNS)
    with tempfile.TemporaryDirectory(prefix="streamlab-verify-") as folder:
        verifier.folder = Path(folder)
        verifier.hostile(throughput_checks=not quick)
    return verifier.report


def _beside_earlier_labs(folder: Path, lab: str, request: Request) -> Path:
    """A folder for variants of `lab`, with the references of earlier labs where the judge looks for them."""
    for earlier in request.course.labs[lab].builds_on:
        shutil.copytree(request.root / "solutions" / earlier, folder / earlier)
    (folder / lab).mkdir()
    return folder / lab


class _Verifier:
    def __init__(self, lab: str, request: Request, on_progress: OnProgress, runs: int) -> None:
        self.lab, self.request, self.on_progress, self.runs = lab, request, on_progress, runs
        self.report = Report(lab)
        self.folder = Path()
        stage, tasks = request.root / "autograder" / "stages" / lab, request.course.labs[lab].tasks
        self.source = request.root / "solutions" / lab / f"{lab}.py"
        cells = read_lab(self.source).cells
        self.mutant_files = mutants_of(stage, tasks, cells)
        self.alternative_files = alternatives_of(stage, tasks, cells)
        self.stage = load_agreed_stage(lab, request.course)
        self.throughput_names = {throughput.name for throughput in self.stage.throughput_checks}

    def judge(self, what: str, paths: list[Path], **changes: Any) -> list[dict[str, Any]]:
        """Judge files with this verification's request."""
        self.on_progress(f"{what}: {len(paths)}")
        return judge_files(paths, replace(self.request, **changes), lambda text: self.on_progress(f"{what}: {text}"))

    def judge_reached(self, what: str, rounds: list[list[Variant]]) -> list[dict[str, Any]]:
        """Judge rounds of variants, each in the tasks that its variants can change."""
        self.on_progress(f"{what}: {len(rounds)} rounds")
        cells = read_lab(self.source).cells
        orders = [
            (written_out(each, self.source, self.folder), replace(self.request, tasks=self._in_order(each, cells)))
            for each in rounds
        ]
        return judge_all(orders, self.request.workers, lambda text: self.on_progress(f"{what}: {text}"))

    def _in_order(self, variants: list[Variant], cells: list[LabCell]) -> tuple[str, ...]:
        reached = tasks_reached(variants, cells)
        return tuple(task for task in self.request.course.labs[self.lab].tasks if task in reached)

    def starter_and_reference(self) -> None:
        """What students are given earns nothing; the reference earns everything, and the same every time."""
        starter = self.request.root / "labs" / self.lab / f"{self.lab}.ipynb"
        judged = self.judge("starter and reference", [starter, *[self.source] * self.runs])
        for name, results, marked in (("starter", judged[0], no_marks), ("reference", judged[1], full_marks)):
            holes = marked(f"the {name}", results) + accused(f"the {name}", results)
            self.report.part(name, f"{results['score']:g} of {results['max_score']:g}", holes)
        if self.runs > 1:
            self.report.part("repeats", f"{self.runs} runs, the same verdicts", same_verdicts(judged[1:]))

    def mutants(self) -> None:
        """Each mutant is caught by the checks that it declares, and by no other (its throughput check: see
        `throughput checks`)."""
        mutants = [replace(each, killed_by=each.killed_by - self.throughput_names) for each in self.mutant_files]
        rounds = rounds_of(mutants)
        judged = self.judge_reached("mutants", rounds)
        rows = [row for each, results in zip(rounds, judged, strict=True) for row in rows_of_round(each, results)]
        self.report.rows += sorted(rows, key=lambda row: row.mutant.name)
        holes = [hole for row in rows for hole in row.holes()]
        holes += [hole for each in judged for hole in accused("a round of mutants", each)]
        self.report.part("mutants", f"{len(rows)} caught by the checks they declare", holes)

    def alternatives(self) -> None:
        """Each other right solution earns everything."""
        rounds = rounds_of(self.alternative_files)
        judged = self.judge_reached("alternatives", rounds)
        holes = []
        for each, results in zip(rounds, judged, strict=True):
            name = " with ".join(variant.name for variant in each)
            holes += full_marks(name, results) + accused(name, results)
        self.report.part("alternatives", f"{len(self.alternative_files)} with full marks", holes)

    def seeds(self) -> None:
        """Oracle and reference agree on other cases than those of the public seed."""
        seeds = [f"verify {number}" for number in range(self.runs)]
        with ThreadPoolExecutor(self.request.workers) as pool:
            judged = list(
                pool.map(lambda seed: self.judge(f"seed {seed}", [self.source], seed=seed, workers=1)[0], seeds)
            )
        pairs = zip(seeds, judged, strict=True)
        holes = [hole for seed, results in pairs for hole in full_marks(f"the reference, seed “{seed}”,", results)]
        self.report.part("seeds", f"oracle and reference agree on {self.runs}", holes)

    def throughput_checks(self) -> None:
        """Throughput checks: reference and alternatives get full marks, the mutants that declare a throughput check
        do not."""
        if not self.throughput_names:
            return
        throughput_tasks = {throughput.task for throughput in self.stage.throughput_checks}
        right = [each for each in self.alternative_files if each.task in throughput_tasks]
        wrong = [each for each in self.mutant_files if each.killed_by & self.throughput_names]
        paths = [self.source, *(written_out([each], self.source, self.folder) for each in [*right, *wrong])]
        judged = self.judge("throughput", paths, throughput=True, workers=1, tasks=tuple(sorted(throughput_tasks)))
        holes = full_marks("the reference", judged[0])
        for each, results in zip(right, judged[1:], strict=False):
            holes += full_marks(each.name, results)
        for each, results in zip(wrong, judged[1 + len(right) :], strict=True):
            holes += self._throughput_row(each, results)
        figures = [f"{r['ratio']:.2f}×" for results in judged for r in results["streamlab"]["throughput"] if r["ratio"]]
        self.report.part("throughput", f"ratios {', '.join(figures)}", holes)

    def _throughput_row(self, mutant: Variant, results: dict[str, Any]) -> list[str]:
        caught = caught_by(results) & self.throughput_names
        row = Row(replace(mutant, killed_by=mutant.killed_by & self.throughput_names), caught)
        self.report.rows.append(row)
        return row.holes()

    def hostile(self, *, throughput_checks: bool) -> None:
        """Submissions that attack the judge gain nothing, change nothing outside, and are named in the report."""
        trial = try_all(self.request, self.folder, throughput_checks=throughput_checks, on_progress=self.on_progress)
        self.report.attacks = trial.fates
        self.report.part("hostile", f"{len(trial.fates)} attacks: nothing gained, each one named", trial.holes())

    def notebook(self) -> None:
        """The reference's notebook runs from top to bottom, silent on stderr, and its prose quotes what it printed."""
        self.on_progress("notebook: run from top to bottom")
        root, course = self.request.root, self.request.course
        earlier = {lab: reference_notebook(root, course, lab) for lab in course.labs[self.lab].builds_on}
        executed = run_reference(root, reference_notebook(root, course, self.lab), earlier=earlier)
        problems = [f"the notebook's cell {each}" for each in executed.errors]
        problems += wrong_quotes(executed.notebook) + checks_that_do_not_pass(executed.notebook)
        self.report.part("notebook", "runs from top to bottom; every quoted output is true", problems)

    def every_check_can_fail(self, *, throughput_checks: bool) -> None:
        """Each check, and each throughput check where they were run, caught a mutant."""
        names = [check.name for check in self.stage.checks] + (
            [throughput.name for throughput in self.stage.throughput_checks] if throughput_checks else []
        )
        holes = checks_without_mutant(self.report.rows, names)
        self.report.part("every check can fail", f"{len(names)} checks, each caught a mutant", holes)
