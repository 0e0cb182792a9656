"""A wide interval is measured for longer; if it stays wide, the points are those of the best estimate."""

import random
import re
from collections.abc import Callable

import pytest

from autograder.checks import ThroughputCheck
from autograder.course import ThroughputRule
from autograder.judge import results, throughput
from autograder.judge.ratio import Pair, ratio_of_medians
from autograder.judge.throughput import PAIRS, PAIRS_MAX, PAIRS_MIN
from autograder.report.lines import task_lines
from autograder.report.results_view import read_report

CHECK = ThroughputCheck("double", "doubling_is_fast", lambda content, rows: None, lambda seed: (b"", 1), "numbers")
RULE = ThroughputRule(baseline="slow", threshold=1.25, points=3)


def busy_machine(ratio: float) -> Callable[..., list[Pair]]:
    """Pairs of rates that a busy machine cuts to anything between a third and the whole."""
    rng = random.Random(7)

    def pairs(check: ThroughputCheck, sides: object, seed: str, count: int, on_progress: object) -> list[Pair]:
        return [(ratio * rng.uniform(0.33, 1), rng.uniform(0.33, 1)) for _ in range(count)]

    return pairs


def measured(monkeypatch: pytest.MonkeyPatch, ratio: float) -> throughput.ThroughputResult:
    monkeypatch.setattr(throughput, "_pairs", busy_machine(ratio))
    pairs = throughput._enough_pairs(CHECK, RULE, [], "seed", lambda text: None)
    return throughput._judged(CHECK, RULE, ratio_of_medians(pairs), pairs)


def test_a_copy_of_the_baseline_gets_no_points_on_a_busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    assert measured(monkeypatch, 0.97).verdict.points == 0


def test_work_that_is_far_above_the_threshold_gets_all_points_on_a_busy_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert measured(monkeypatch, 2.0).verdict.points == 3


def test_an_interval_that_stays_wide_gives_the_points_of_the_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    found = measured(monkeypatch, 1.12)
    assert found.ratio is not None

    assert (len(found.pairs), found.verdict.verdict) == (PAIRS_MAX, "inconclusive")
    assert 0 < found.verdict.points < 3
    assert f"the points are those of {found.ratio.value:.2f}×" in found.verdict.sentence


@pytest.mark.parametrize(("ratio", "pairs"), [(0.5, PAIRS_MIN), (9.0, PAIRS)])
def test_a_clear_ratio_is_not_measured_for_longer(monkeypatch: pytest.MonkeyPatch, ratio: float, pairs: int) -> None:
    assert len(measured(monkeypatch, ratio).pairs) == pairs


@pytest.mark.parametrize("count", [9, 18, 36])
@pytest.mark.parametrize("scale", [0.003, 2.0, 470.0, 812_345.0])
def test_the_printed_medians_divide_to_the_printed_ratio(count: int, scale: float) -> None:
    rng = random.Random(f"{count} {scale}")
    for _ in range(40):
        baseline = [scale * rng.uniform(0.8, 1.2) for _ in range(count)]
        pairs = [(each * rng.uniform(0.5, 30), each) for each in baseline]
        result = throughput._judged(CHECK, RULE, ratio_of_medians(pairs), pairs)
        report = read_report({"streamlab": {"throughput": [results._throughput(result)]}})
        lines = "\n".join(line.left.plain for line in task_lines(report.tasks[0], None))

        mine, other = re.findall(r"(?:yours|baseline's) ([\d .]+) numbers/s", lines)
        quotient = float(mine.replace(" ", "")) / float(other.replace(" ", ""))
        assert {f"{quotient:.2f}"} == {*re.findall(r"Ratio ([\d.]+)", lines), *re.findall(r"at ([\d.]+)×", lines)}
