"""Where to put the bar of a race: every alternative, and every mutant that must fail, against the yardstick.

`python benchmarks/race_bars.py LAB TASK [--only TEXT] [--rounds N] [--sandbox LEVEL]` runs the judge's own race for
each, round after round, and prints the ratio of medians with its interval, the spread of single pairs and the
seconds of a yardstick's turn; in the end the range in which a bar tells them apart. Write the bar into course.yml.
Keeps out: marks.
"""

import argparse
import statistics
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from autograder.checks import Race, load_stage
from autograder.course import Course, load_course
from autograder.judge.racing import Raced, run_race
from autograder.sandbox import choose_level
from autograder.verify.variants import Variant, read_variants, written_out
from streamlab.notebooks.labfile import read_lab

ROOT = Path(__file__).resolve().parents[1]
ROOM_BELOW_ALTERNATIVES = 1.4
OUT_OF_REACH = 1000.0  # no ratio straddles it, so no race is doubled


@dataclass
class Runner:
    """One who races: the reference, an alternative or a mutant, and the ratio of each round."""

    name: str
    source: Path
    must_pass: bool
    ratios: list[float] = field(default_factory=list)


def main() -> None:
    """Race them all and say where a bar can stand."""
    chosen = arguments()
    course = load_course(ROOT)
    race = load_stage(chosen.lab).race_of(chosen.task)
    if race is None:
        raise SystemExit(f"race_bars: {chosen.lab}/{chosen.task} has no race")
    with tempfile.TemporaryDirectory(prefix="race-bars-") as folder:
        runners = [each for each in all_runners(chosen.lab, race, Path(folder)) if chosen.only in each.name]
        for number in range(chosen.rounds):
            for runner in runners:
                raced = run_once(runner, race, chosen.lab, course, chosen.sandbox, f"bars {number}")
                print(f"round {number + 1}  {runner.name:44} {described(raced, race)}", flush=True)
                runner.ratios += [raced.ratio.value] if raced.ratio else []
        print(range_of_bars(runners))


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("lab")
    parser.add_argument("task")
    parser.add_argument("--only", default="", help="those with this text in their names")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--sandbox", default=None)
    return parser.parse_args()


def all_runners(lab: str, race: Race, folder: Path) -> list[Runner]:
    """The reference, the task's alternatives, and the mutants that declare this race."""
    stage, reference = ROOT / "autograder" / "stages" / lab, ROOT / "solutions" / lab / f"{lab}.py"
    mutants = [each for each in read_variants(stage / "mutants") if race.name in each.killed_by]
    alternatives = [each for each in read_variants(stage / "alternatives") if each.task == race.task]

    def runner(variant: Variant, must_pass: bool) -> Runner:
        return Runner(variant.name, written_out(variant, reference, folder), must_pass)

    right = [Runner("the reference", reference, True), *(runner(each, True) for each in alternatives)]
    return right + [runner(each, False) for each in mutants]


def run_once(runner: Runner, race: Race, lab: str, course: Course, level: str | None, seed: str) -> Raced:
    """One race, as the judge runs it."""
    rule = course.labs[lab].tasks[race.task].race
    assert rule is not None, f"course.yml gives {race.task} no race"
    return run_race(
        race,
        rule.model_copy(update={"bar": OUT_OF_REACH}),
        lab,
        read_lab(runner.source).cells,
        level=choose_level(level),
        root=ROOT,
        limits=course.limits_of(lab),
        seed=seed,
    )


def described(raced: Raced, race: Race) -> str:
    """Ratio, interval, spread of pairs, and how long a turn of the yardstick took."""
    if raced.ratio is None:
        return raced.verdict.sentence
    pairs = [learner / yardstick for learner, yardstick in raced.pairs]
    units = race.workload("any")[1]
    turn_s = units / statistics.median(yardstick for _, yardstick in raced.pairs)
    ratio = raced.ratio
    spread = f"pairs {min(pairs):.2f} to {max(pairs):.2f}"
    return f"{ratio.value:.2f} ({ratio.low:.2f} to {ratio.high:.2f}), {spread}, yardstick {turn_s:.2f} s a turn"


def range_of_bars(runners: list[Runner]) -> str:
    """From above the fastest that must fail to 1/1.4 of the slowest that must pass."""
    low = max((ratio for each in runners if not each.must_pass for ratio in each.ratios), default=1.0)
    slowest = min((statistics.median(each.ratios) for each in runners if each.must_pass and each.ratios), default=0.0)
    high = slowest / ROOM_BELOW_ALTERNATIVES
    return f"a bar stands above {low:.2f} and at most at {high:.2f} (the slowest that must pass has {slowest:.2f})"


if __name__ == "__main__":
    main()
