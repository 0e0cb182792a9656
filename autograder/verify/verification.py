"""Verify one lab completely, or by a rotating sample if nothing has changed since the last complete verification."""

import math
import os
import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from time import monotonic

from autograder.builder import checks_that_do_not_pass, reference_notebook, run_reference, wrong_quotes
from autograder.checks import ThroughputCheck
from autograder.judge.batch import judge_all
from autograder.judge.jobs import PUBLIC_SEED
from autograder.judge.reference_figures import REFERENCE
from autograder.judge.request import OnProgress, Request
from autograder.sandbox import choose_level
from autograder.verify import digest, messages
from autograder.verify.bench import Bench
from autograder.verify.busy_machine import judged_beside_busy_loops
from autograder.verify.matrix import (
    Mark,
    Row,
    accused,
    caught_by,
    checks_without_mutant,
    full_marks,
    marks_in,
    no_marks,
)
from autograder.verify.mutation_score import AutomaticMutants
from autograder.verify.parts import Alternatives, Independence, Mutants, NullStubs, Part, Repeats, Seeds
from autograder.verify.report import Report
from autograder.verify.throughput_rounds import Rounds
from autograder.verify.variants import Variant
from autograder.verify.work import Sandboxes

REPEATS, HEAVY_REPEATS = 3, 1  # the notebook's check cells run each task once more
SEEDS, HEAVY_SEEDS = 20, 1  # in addition to the public one
HEAVY_REPEATS_OF_ALL = 3  # with `--all`
SEEDS_OF_ALL, HEAVY_SEEDS_OF_ALL = 2000, 20
SEEDS_S = 20.0  # for the seeds of one task; no limit with `--all`
WAITING = 1 / 3
NOTEBOOK_RUNS = "runs from top to bottom; every quoted output is true"
SAMPLE_MUTANTS, SAMPLE_ALTERNATIVES, SAMPLE_S = 3, 1, 8.0


@dataclass(frozen=True)
class Extent:
    """How much to verify.

    `quick` leaves out repeats, other seeds, throughput checks and the notebook's run; `whole` skips nothing, even if
    the digest is unchanged; `runs` replaces the numbers of repeats and seeds.
    """

    quick: bool = False
    whole: bool = False
    runs: int | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the verification is thorough enough to be recorded."""
        return not self.quick and (self.runs is None or self.runs >= SEEDS)


def verify_lab(lab: str, request: Request, extent: Extent, on_progress: OnProgress) -> Report:
    """Verify one lab; record a complete verification without holes, in isolated sandboxes, in its verified.json.

    If only labs that it builds on have changed since the last one, its seams with them are verified.
    """
    bench, of = Bench(lab, request), (request.root, request.course, lab)
    verification = _Verification(bench, extent, on_progress)
    now = {"digest": digest.digest_of_lab(*of), "earlier": digest.digest_of_earlier(*of)}
    now["messages"], before = _messages_digest(bench), digest.read_verified(bench.folder)
    changed = {name for name, each in now.items() if before.get(name) != each}
    if not changed and not extent.whole:
        verification.unchanged(before.get("task_seconds", {}))
        return verification.report
    is_of_seams = changed == {"earlier"} and not extent.whole
    verification.seams() if is_of_seams else verification.complete()
    report = verification.report
    is_isolated = choose_level(request.sandbox) != "process"
    if extent.is_complete and is_isolated and not report.holes:
        now["messages"] = _messages_digest(bench)
        figures = before | now if is_of_seams else now | _figures(report) | {REFERENCE: bench.reference_figures}
        digest.write_verified(bench.folder, figures)
    return report


def _figures(report: Report) -> dict[str, object]:
    return {**report.figures, "seconds": {part.name: part.seconds for part in report.parts}}


def _messages_digest(bench: Bench) -> str:
    path = bench.folder / digest.MESSAGES
    return digest.digest_of_text(path.read_text(encoding="utf-8") if path.exists() else "")


class _Verification:
    def __init__(self, bench: Bench, extent: Extent, on_progress: OnProgress) -> None:
        self.bench, self.extent, self.on_progress = bench, extent, on_progress
        self.report = Report(bench.lab)
        self.reference: list[Mark] = []
        self.mutants = Mutants(bench)
        self.notebook: Future[tuple[list[str], float]] | None = None
        self.is_over = threading.Event()

    def complete(self) -> None:
        """Run all parts; the notebook runs in parallel with all of them but the throughput checks."""
        steps: list[Callable[[], None]] = [self.starter_and_reference, self.versions]
        steps += [] if self.extent.quick else [self.throughput_checks]
        steps += [self.every_check_can_fail, self.messages]
        steps += [self.busy_machine] if self.extent.whole else []
        on_progress = self.on_progress
        with ThreadPoolExecutor(1) as pool, ExitStack() as end:
            end.callback(self.is_over.set)  # Ctrl-C does not wait for the notebook
            self.notebook = None if self.extent.quick else pool.submit(self._notebook)
            for number, step in enumerate(steps, 1):
                head = f"{step.__name__.replace('_', ' ')} (step {number} of {len(steps)})"
                self.on_progress = partial(_with_head, on_progress, head)
                step()

    def seams(self) -> None:
        """Judge starter and reference, the mutants of checks that need an earlier lab's task, and the notebook."""
        self.starter_and_reference()
        chained = {check.name for check in self.bench.stage.checks if check.chain}
        self.mutants = Mutants(self.bench, [each for each in self.bench.mutants if each.killed_by & chained])
        self._drive([Independence(self.bench, [self.mutants])], self.bench.request.workers, more=[self.mutants])
        if not self.extent.quick:
            self.report.part("notebook", NOTEBOOK_RUNS, *self._notebook())
        self.report.part("seams", "only earlier labs have changed; `--all` repeats the rest", [])

    def unchanged(self, task_seconds: dict[str, float]) -> None:
        """Judge the starter, the reference and a sample of variants; cases and sample change daily."""
        today = f"{self.bench.lab} {date.today().isoformat()}"
        rng = random.Random(today)
        tasks = [*self.bench.plain, *_fitting(rng.sample(self.bench.heavy, len(self.bench.heavy)), task_seconds)]
        self.starter_and_reference(tasks or self.bench.heavy[:1], seed=today)
        mutants = [each for each in self.bench.mutants if each.task in self.bench.plain]
        others = [each for each in self.bench.alternatives if each.task in self.bench.plain]
        self.bench.independent |= {(task, other) for task in self.bench.tasks for other in self.bench.heavy}
        self.mutants = Mutants(self.bench, rng.sample(mutants, min(SAMPLE_MUTANTS, len(mutants))))
        alternatives = Alternatives(self.bench, rng.sample(others, min(SAMPLE_ALTERNATIVES, len(others))))
        self._drive([self.mutants, alternatives], workers=1)
        self.report.part("unchanged", "the rest was verified with exactly these files; `--all` repeats it", [])

    def starter_and_reference(self, tasks: Sequence[str] = (), seed: str = PUBLIC_SEED) -> None:
        """Judge as for learners: the starter must earn nothing, and the reference everything."""
        bench = self.bench
        starter = bench.request.root / "labs" / bench.lab / f"{bench.lab}.ipynb"
        orders = [(starter, bench.request), (bench.source, replace(bench.request, tasks=tuple(tasks), seed=seed))]
        with self.report.timed("starter and reference") as found:
            judged = judge_all(orders, bench.request.workers, self.on_progress)
            for name, results, marked in zip(("starter", "reference"), judged, (no_marks, full_marks), strict=True):
                notes = results["streamlab"]["notes"]
                found.holes += marked(f"the {name}", marks_in(results)) + accused(f"the {name}", notes)
            scores = [f"{results['score']:g} of {results['max_score']:g}" for results in judged]
            found.outcome = " and ".join(scores)
        self.reference = marks_in(judged[1])
        bench.learn_seconds(judged[1])

    def versions(self) -> None:
        """Drive all versions in warm sandboxes."""
        bench, runs, whole = self.bench, self.extent.runs, self.extent.whole
        automatic, stubs = AutomaticMutants(bench, whole=whole), NullStubs(bench)
        alternatives = Alternatives(bench)
        seeds = (SEEDS_OF_ALL, HEAVY_SEEDS_OF_ALL) if whole else (SEEDS, HEAVY_SEEDS)
        repeats = REPEATS, HEAVY_REPEATS_OF_ALL if whole else HEAVY_REPEATS
        if runs:
            seeds = repeats = runs, runs
        seeds_s = math.inf if runs or whole else SEEDS_S
        then: list[Part] = [self.mutants, alternatives]
        then += [] if self.extent.quick else [Seeds(bench, *seeds, seeds_s)]
        parts: list[Part] = [Independence(bench, then), automatic, stubs]
        parts += [] if self.extent.quick else [Repeats(bench, self.reference, *repeats)]
        one_more = bench.waiting > WAITING
        self._drive(parts, bench.request.workers + one_more, more=then)
        if self.notebook is not None:
            holes, seconds = self.notebook.result()
            self.report.part("notebook", NOTEBOOK_RUNS, holes, seconds)
        self.report.figures |= {
            "checks": len(bench.stage.checks),
            "mutants": len(bench.mutants),
            "alternatives": len(bench.alternatives),
            "automatic": automatic.figures(),
            "null_stubs": {"points": sum(stubs.most.values()), "tasks": stubs.most},
            "seeds": dict(zip(("plain", "of slow tasks"), seeds, strict=True)),
            "repeats": dict(zip(("plain", "of slow tasks"), repeats, strict=True)),
            "task_seconds": {task: round(seconds, 2) for task, seconds in bench.seconds.items()},
        }

    def _drive(self, parts: list[Part], workers: int, more: Sequence[Part] = ()) -> None:
        """Drive these parts together; one of them yields the orders of the parts in `more`."""
        with self.report.timed("warm sandboxes") as found:
            with Sandboxes(self.bench.setting(), workers, self.on_progress) as sandboxes:
                sandboxes.carry_out([order for part in parts for order in part.orders()])
            found.outcome = f"{sandboxes.opened} opened; in them:"
        self.report.rows += self.mutants.rows
        for part in [*parts, *more]:
            self.report.part(f"  {part.name}", *part.result(), sandboxes.seconds[part.name])

    def throughput_checks(self) -> None:
        """Verify that reference and alternatives pass the throughput checks, and mutants that declare one do not."""
        checks = self.bench.stage.throughput_checks
        self.report.figures["throughput"] = self._reference_measured(checks) if checks else {}
        for check in checks:
            right = [each for each in self.bench.alternatives if each.task == check.task]
            wrong = [each for each in self.bench.mutants if check.name in each.killed_by]
            with self.report.timed(f"throughput of {check.task}") as found:
                marks = self._measured(check, [*right, *wrong])
                for each in right:
                    found.holes += full_marks(each.name, [marks[each.name]])
                rows = [
                    Row(replace(each, killed_by=frozenset({check.name})), caught_by([marks[each.name]]))
                    for each in wrong
                ]
                found.holes += [hole for row in rows for hole in row.holes()]
                found.outcome = f"{len(right)} right versions above the threshold, {len(wrong)} wrong ones below"
                ratios = self.report.figures["throughput"].values()
                found.outcome += f" ({', '.join(f'{ratio:.2f}×' for ratio in ratios)})"
            self.report.rows += rows

    def _reference_measured(self, checks: Sequence[ThroughputCheck]) -> dict[str, float]:
        """Return the reference's ratio, measured like a learner's."""
        request = replace(self.bench.request, tasks=tuple(check.task for check in checks), throughput=True)
        with self.report.timed("throughput") as found:
            [results] = judge_all([(self.bench.source, request)], 1, self.on_progress)
            found.holes += full_marks("the reference", marks_in(results))
            ratios = _ratios("reference", results["streamlab"]["throughput"])
            found.outcome = f"the reference gets full marks ({', '.join(f'{each:.2f}×' for each in ratios.values())})"
        return ratios

    def _measured(self, check: ThroughputCheck, variants: list[Variant]) -> dict[str, Mark]:
        rule = self.bench.entry.tasks[check.task].throughput
        assert rule is not None
        with Rounds(check, rule, self.bench.setting(), self.bench.request.seed) as rounds:
            measured = rounds.measure(variants, self.on_progress)
        ratios = {each.variant.name: round(each.ratio.value, 2) for each in measured if each.ratio}
        self.report.figures["throughput"].update(ratios)
        return {each.variant.name: each.mark(check, rule) for each in measured}

    def _notebook(self) -> tuple[list[str], float]:
        """Run the reference's notebook: no cell fails or writes to stderr, and the prose quotes the true outputs."""
        request, lab, began = self.bench.request, self.bench.lab, monotonic()
        earlier = {each: reference_notebook(request.root, request.course, each) for each in self.bench.entry.builds_on}
        notebook = reference_notebook(request.root, request.course, lab)
        executed = run_reference(request.root, notebook, earlier=earlier, stop=self.is_over)
        holes = [f"the notebook's cell {each}" for each in executed.errors]
        holes += wrong_quotes(executed.notebook) + checks_that_do_not_pass(executed.notebook)
        return holes, monotonic() - began

    def busy_machine(self) -> None:
        """Judge the reference once more, beside busy loops."""
        with self.report.timed("busy machine") as found:
            found.outcome, holes = judged_beside_busy_loops(self.bench, self.on_progress)
            found.holes += holes

    def every_check_can_fail(self) -> None:
        """Verify that each check, and each throughput check if they were run, caught a mutant."""
        names = [check.name for check in self.bench.stage.checks]
        names += [] if self.extent.quick else sorted(self.bench.throughput_names)
        holes = checks_without_mutant(self.report.rows, names)
        self.report.part("every check can fail", f"{len(names)} checks, each caught a mutant", holes)

    def messages(self) -> None:
        """Compare the sentences that learners read with messages.txt in CI; otherwise write the file."""
        path = self.bench.folder / digest.MESSAGES
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        text = messages.settled(before, messages.written(self.mutants.marks, self.bench.tasks))
        changed = messages.differences(before, text)
        if os.environ.get("CI"):
            update = f"{digest.MESSAGES} is out of date; `./lab verify {self.bench.lab}` updates it"
            self.report.part("messages", "up to date", [f"{update}: {line}" for line in changed])
            return
        path.write_text(text, encoding="utf-8")
        outcome = f"{digest.MESSAGES} was rewritten; look at its diff" if changed else "up to date"
        self.report.part("messages", outcome, [])


def _with_head(on_progress: OnProgress, head: str, text: str) -> None:
    on_progress(f"{head}: {text}")


def _fitting(tasks: list[str], seconds: dict[str, float]) -> list[str]:
    """Return as many of the tasks, in this order, as fit into `SAMPLE_S` together."""
    chosen, left_s = list[str](), SAMPLE_S
    for task in tasks:
        if seconds.get(task, SAMPLE_S) <= left_s:
            chosen.append(task)
            left_s -= seconds.get(task, SAMPLE_S)
    return chosen


def _ratios(name: str, claims: list[dict[str, float]]) -> dict[str, float]:
    ratios = [claim["ratio"] for claim in claims if claim["ratio"]]
    return {name: round(ratios[0], 2)} if ratios else {}
