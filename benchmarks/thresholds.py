"""Where to put the threshold of a throughput check: it tells every alternative from every mutant that must fail.

`python benchmarks/thresholds.py LAB TASK [--only TEXT] [--rounds N] [--sandbox LEVEL]` runs the judge's own throughput
check for each, round after round, and prints the ratio of medians with its interval, the spread of single pairs and the
seconds of a baseline's turn; in the end the range in which a threshold tells them apart. Write it into course.yml.
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
class Runner:
    """The reference, an alternative or a mutant, and its ratio in each round."""

    name: str
    cells: list[LabCell]
    must_pass: bool
    ratios: list[float] = field(default_factory=list)


def main() -> None:
    """Measure them all and say where a threshold can stand."""
    chosen = arguments()
    course = load_course(ROOT)
    throughput = load_stage(chosen.lab).throughput_of(chosen.task)
    if throughput is None:
        raise SystemExit(f"thresholds: {chosen.lab}/{chosen.task} has no throughput check")
    runners = [each for each in all_runners(chosen.lab, throughput, course) if chosen.only in each.name]
    for number in range(chosen.rounds):
        for runner in runners:
            measured = run_once(runner, throughput, chosen.lab, course, chosen.sandbox, f"thresholds {number}")
            print(f"round {number + 1}  {runner.name:44} {described(measured, throughput)}", flush=True)
            runner.ratios += [measured.ratio.value] if measured.ratio else []
    print(range_of_thresholds(runners))


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("lab")
    parser.add_argument("task")
    parser.add_argument("--only", default="", help="those with this text in their names")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--sandbox", default=None)
    return parser.parse_args()


def all_runners(lab: str, throughput: ThroughputCheck, course: Course) -> list[Runner]:
    """The reference, the task's alternatives, and the mutants that declare this throughput check."""
    stage, tasks, cells = ROOT / "autograder" / "stages" / lab, course.labs[lab].tasks, reference_cells(ROOT, lab)
    mutants = [each for each in mutants_of(stage, tasks, cells) if throughput.name in each.killed_by]
    alternatives = [each for each in alternatives_of(stage, tasks, cells) if each.task == throughput.task]

    def runner(variant: Variant, must_pass: bool) -> Runner:
        return Runner(variant.name, [*cells, LabCell("code", variant.code)], must_pass)

    right = [Runner("the reference", cells, True), *(runner(each, True) for each in alternatives)]
    return right + [runner(each, False) for each in mutants]


def run_once(
    runner: Runner, throughput: ThroughputCheck, lab: str, course: Course, level: str | None, seed: str
) -> ThroughputResult:
    """One throughput check, as the judge runs it."""
    rule = course.labs[lab].tasks[throughput.task].throughput
    assert rule is not None, f"course.yml gives {throughput.task} no throughput check"
    return measure_throughput(
        throughput,
        rule.model_copy(update={"threshold": OUT_OF_REACH}),
        lab,
        runner.cells,
        level=choose_level(level),
        root=ROOT,
        limits=course.limits_of(lab),
        seed=seed,
    )


def described(measured: ThroughputResult, throughput: ThroughputCheck) -> str:
    """Ratio, interval, spread of pairs, and how long a turn of the baseline took."""
    if measured.ratio is None:
        return measured.verdict.sentence
    pairs = [learner / baseline for learner, baseline in measured.pairs]
    units = throughput.workload("any")[1]
    turn_s = units / statistics.median(baseline for _, baseline in measured.pairs)
    ratio = measured.ratio
    spread = f"pairs {min(pairs):.2f} to {max(pairs):.2f}"
    return f"{ratio.value:.2f} ({ratio.low:.2f} to {ratio.high:.2f}), {spread}, baseline {turn_s:.2f} s a turn"


def range_of_thresholds(runners: list[Runner]) -> str:
    """From above the fastest that must fail to 1/1.4 of the slowest that must pass."""
    low = max((ratio for each in runners if not each.must_pass for ratio in each.ratios), default=1.0)
    slowest = min((statistics.median(each.ratios) for each in runners if each.must_pass and each.ratios), default=0.0)
    high = slowest / ROOM_BELOW_ALTERNATIVES
    return (
        f"a threshold stands above {low:.2f} and at most at {high:.2f} (the slowest that must pass has {slowest:.2f})"
    )


if __name__ == "__main__":
    main()
