"""Find a threshold for a throughput check that separates every alternative from every mutant that must fail.

`python benchmarks/thresholds.py LAB TASK [--only TEXT] [--rounds N] [--sandbox LEVEL]` runs the judge's own throughput
check for each version, round after round, and prints the ratio of medians with its interval, the spread of single pairs
and the seconds of a baseline's turn. At the end it prints the range of suitable thresholds; write one into course.yml.
"""

import argparse
import statistics
from dataclasses import dataclass, field
from pathlib import Path

from autograder.checks import ThroughputCheck, load_stage
from autograder.course import Course, load_course
from autograder.judge.throughput import ThroughputResult, measure_throughput
from autograder.sandbox import choose_level
from autograder.verify.variants import Variant, alternatives_of, mutants_of
from streamlab.notebooks.labfile import LabCell, reference_cells

ROOT = Path(__file__).resolve().parents[1]
ROOM_BELOW_ALTERNATIVES = 1.4
OUT_OF_REACH = 1000.0  # no ratio straddles it, so no throughput check is doubled


@dataclass
class Candidate:
    """The reference, an alternative or a mutant, and its ratio in each round."""

    name: str
    cells: list[LabCell]
    must_pass: bool
    ratios: list[float] = field(default_factory=list)


def main() -> None:
    """Measure all candidates and print the range of suitable thresholds."""
    options = arguments()
    course = load_course(ROOT)
    throughput = load_stage(options.lab).throughput_of(options.task)
    if throughput is None:
        raise SystemExit(f"thresholds: {options.lab}/{options.task} has no throughput check")
    candidates = [each for each in all_candidates(options.lab, throughput, course) if options.only in each.name]
    for number in range(options.rounds):
        for candidate in candidates:
            measured = run_once(candidate, throughput, options.lab, course, options.sandbox, f"thresholds {number}")
            print(f"round {number + 1}  {candidate.name:44} {described(measured, throughput)}", flush=True)
            candidate.ratios += [measured.ratio.value] if measured.ratio else []
    print(range_of_thresholds(candidates))


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("lab")
    parser.add_argument("task")
    parser.add_argument("--only", default="", help="measure only versions with this text in their names")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--sandbox", default=None)
    return parser.parse_args()


def all_candidates(lab: str, throughput: ThroughputCheck, course: Course) -> list[Candidate]:
    """Return the reference, the task's alternatives, and the mutants that declare this throughput check."""
    stage, tasks, cells = ROOT / "autograder" / "stages" / lab, course.labs[lab].tasks, reference_cells(ROOT, lab)
    mutants = [each for each in mutants_of(stage, tasks, cells) if throughput.name in each.killed_by]
    alternatives = [each for each in alternatives_of(stage, tasks, cells) if each.task == throughput.task]

    def candidate(variant: Variant, must_pass: bool) -> Candidate:
        return Candidate(variant.name, [*cells, LabCell("code", variant.code)], must_pass)

    right = [Candidate("the reference", cells, True), *(candidate(each, True) for each in alternatives)]
    return right + [candidate(each, False) for each in mutants]


def run_once(
    candidate: Candidate, throughput: ThroughputCheck, lab: str, course: Course, level: str | None, seed: str
) -> ThroughputResult:
    """Run one throughput check, as the judge does."""
    rule = course.labs[lab].tasks[throughput.task].throughput
    assert rule is not None, f"course.yml gives {throughput.task} no throughput check"
    return measure_throughput(
        throughput,
        rule.model_copy(update={"threshold": OUT_OF_REACH}),
        lab,
        candidate.cells,
        level=choose_level(level),
        root=ROOT,
        limits=course.limits_of(lab),
        seed=seed,
    )


def described(measured: ThroughputResult, throughput: ThroughputCheck) -> str:
    """Return the ratio, its interval, the spread of pairs, and the seconds of a baseline's turn, as text."""
    if measured.ratio is None:
        return measured.verdict.sentence
    pairs = [learner / baseline for learner, baseline in measured.pairs]
    units = throughput.workload("any")[1]
    turn_s = units / statistics.median(baseline for _, baseline in measured.pairs)
    ratio = measured.ratio
    spread = f"pairs {min(pairs):.2f} to {max(pairs):.2f}"
    return f"{ratio.value:.2f} ({ratio.low:.2f} to {ratio.high:.2f}), {spread}, baseline {turn_s:.2f} s a turn"


def range_of_thresholds(candidates: list[Candidate]) -> str:
    """Return the range as text: from above the fastest that must fail to 1/1.4 of the slowest that must pass."""
    low = max((ratio for each in candidates if not each.must_pass for ratio in each.ratios), default=1.0)
    passing = (each for each in candidates if each.must_pass and each.ratios)
    slowest = min((statistics.median(each.ratios) for each in passing), default=0.0)
    high = slowest / ROOM_BELOW_ALTERNATIVES
    return f"choose a threshold above {low:.2f} and at most {high:.2f} (the slowest that must pass has {slowest:.2f})"


if __name__ == "__main__":
    main()
