"""Measures a learner's task against its baseline: two sandboxes take turns and are timed from outside.

The waiting side is stopped, so it can neither work ahead nor slow down the other side. A side that cannot be stopped,
or that continues by itself, ends the throughput check without points. Each pair has its own input, placed when the turn
begins, and the result of every turn is checked, so remembered answers are useless.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.checks import ThroughputCheck
from autograder.course import Limits, ThroughputRule
from autograder.judge.quoted_words import words_from
from autograder.judge.ratio import Pair, Ratio, half_way, marks, ratio_of_medians
from autograder.judge.throughput_side import Ended, NeverStarted, Side, TooSlow, TurnLost
from autograder.judge.verdicts import Verdict, left_ungraded
from streamlab.notebooks.labfile import LabCell, read_lab

PAIRS = 9
PAIRS_MAX = 4 * PAIRS
PAIRS_MIN = 5
WARM_UP_TURNS = 2
BASELINE = "the baseline"


@dataclass(frozen=True)
class ThroughputResult:
    """A throughput check's verdict, its figures, and the rates of each pair."""

    verdict: Verdict
    unit: str
    baseline: str
    threshold: float
    ratio: Ratio | None = None
    pairs: list[Pair] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    not_believed: int = 0


def measure_throughput(
    throughput: ThroughputCheck,
    rule: ThroughputRule,
    lab: str,
    cells: list[LabCell],
    *,
    level: str,
    root: Path,
    limits: Limits,
    seed: str,
    on_progress: Callable[[str], None] = lambda text: None,
) -> ThroughputResult:
    """Measure `cells` against the baseline.

    If the learner's side fails a turn, the check ends without points. If the baseline fails one, or the machine is too
    busy for one, the learner is not at fault and the check is left ungraded.
    """
    baseline_cells = read_lab(root / "autograder/stages" / lab / "baselines" / f"{rule.baseline}.py").cells
    sides: list[Side] = []

    def baseline_side() -> Side:
        return Side(BASELINE, throughput, level, root, lab, baseline_cells, limits)

    try:
        _start(sides, baseline_side, lambda: Side(throughput.task, throughput, level, root, lab, cells, limits))
        learner = sides[1:]  # findings about the baseline do not belong in the learner's report
        pairs = _enough_pairs(throughput, rule, sides, seed, on_progress)
        measured = _judged(throughput, rule, ratio_of_medians(pairs), pairs)
    except TurnLost as problem:
        learner = sides[1:]
        measured = _failed_turn(throughput, rule, problem, sides, baseline_side, seed)
    finally:
        for side in sides:
            side.close()
    findings = [each for side in learner for each in side.findings]
    return replace(measured, findings=findings, not_believed=sum(side.not_believed for side in learner))


def _start(sides: list[Side], *openers: Callable[[], Side]) -> None:
    """Fill `sides` with the baseline and the learner's side, both ready and stopped.

    Both start at the same time, each on one core. If the baseline does not get ready, the learner's side may be the
    reason, so both are closed, and the baseline starts again alone.
    """
    try:
        for open_side in openers:
            sides.append(open_side())
        for side in sides:
            side.wait_until_ready()
    except TurnLost as problem:
        if problem.who != BASELINE:
            raise
        while sides:
            sides.pop().close()
        for open_side in openers:
            sides.append(open_side())
            sides[-1].wait_until_ready()


def _failed_turn(
    throughput: ThroughputCheck,
    rule: ThroughputRule,
    problem: TurnLost,
    sides: list[Side],
    fresh_side: Callable[[], Side],
    seed: str,
) -> ThroughputResult:
    """Return the result after a failed turn: no points if it was the learner's, or if the learner disturbed it.

    If the learner's side was too slow or ended before its first turn, `fresh_side()`, which has none of the learner's
    cells, shows whether the machine is at fault.
    """
    if problem.who == BASELINE and len(sides) == 2:
        try:
            sides[1].require_idle()
        except TurnLost as disturbance:
            problem = disturbance
    why = f"The throughput check was not finished: {str(problem).rstrip('.')}"
    if problem.who == BASELINE:
        return ungraded(throughput, rule, f"{why}. This is not your fault")
    had_no_turn = not any(side.slowest_s for side in sides[1:])
    if isinstance(problem, NeverStarted | TooSlow) or (isinstance(problem, Ended) and had_no_turn):
        while sides:
            sides.pop().close()
        if fault := _fault_of_the_machine(throughput, fresh_side, seed):
            return ungraded(throughput, rule, f"{why}, and {fault}. This is not your fault")
    verdict = _verdict(throughput, rule, "fail", 0.0, f"{why}.")
    return _result(throughput, rule, replace(verdict, quoted=words_from(problem.answer, verdict.sentence)))


def _fault_of_the_machine(throughput: ThroughputCheck, fresh_side: Callable[[], Side], seed: str) -> str | None:
    """Return why the machine is at fault: a side without the learner's cells fails here, too, or is almost as slow."""
    side: Side | None = None
    try:
        side = fresh_side()
        side.wait_until_ready()
        side.turn(0, throughput.workload(f"{seed}/alone")[0])
    except TurnLost as problem:
        return str(problem)
    finally:
        if side:
            side.close()
    is_slow = side.slowest_s > side.limits.case_s / 2
    return f"{BASELINE} needs {side.slowest_s:.0f} s for it" if is_slow else None


def _enough_pairs(
    throughput: ThroughputCheck,
    rule: ThroughputRule,
    sides: list[Side],
    seed: str,
    on_progress: Callable[[str], None],
) -> list[Pair]:
    """Measure `PAIRS` pairs, and as many again while the interval straddles the threshold, up to `PAIRS_MAX`.

    Fewer are enough if they leave no doubt that there are no points.
    """
    pairs: list[Pair] = []
    for pair in _pairs(throughput, sides, seed, PAIRS, on_progress):
        pairs.append(pair)
        if len(pairs) >= PAIRS_MIN and ratio_of_medians(pairs).high < half_way(rule.threshold):
            return pairs
    while ratio_of_medians(pairs).straddles(rule.threshold) and len(pairs) < PAIRS_MAX:
        on_progress(f"too close to the threshold to tell after {len(pairs)} pairs: {PAIRS} more")
        pairs += _pairs(throughput, sides, f"{seed}/after {len(pairs)}", PAIRS, on_progress)
    return pairs


def _pairs(
    throughput: ThroughputCheck, sides: list[Side], seed: str, count: int, on_progress: Callable[[str], None]
) -> Iterator[Pair]:
    """Yield `count` pairs of rates (learner's, baseline's) after a warm-up; the sides begin alternately."""
    baseline, learner = sides
    for number in range(-WARM_UP_TURNS, count):
        content, units = throughput.workload(f"{seed}/turn {number}")
        order = (baseline, learner) if number % 2 else (learner, baseline)
        seconds = {side.who: side.turn(number + WARM_UP_TURNS, content) for side in order}
        for side in sides:
            side.require_idle()
        if number >= 0:
            mine, theirs = (units / seconds[side.who] for side in (learner, baseline))
            on_progress(f"pair {number + 1} of {count}: {mine / theirs:.2f}×")
            yield mine, theirs


def _judged(throughput: ThroughputCheck, rule: ThroughputRule, ratio: Ratio, pairs: list[Pair]) -> ThroughputResult:
    """Return the result with points by the best estimate, the ratio of medians, even if the interval is wide."""
    straddles, points = ratio.straddles(rule.threshold), marks(ratio.value, rule.threshold, rule.points)
    ran = f"{ratio.value:.2f}× the rate of {rule.baseline}"
    if straddles:
        close = f"after {len(pairs)} pairs still too close to the threshold of {rule.threshold:g}× to tell"
        sentence = f"Yours ran at {ran}: {close}, so the points are those of {ratio.value:.2f}×."
    elif points == rule.points:
        sentence = f"Yours ran at {ran}; the threshold is {rule.threshold:g}×."
    else:
        sentence = f"Expected {rule.threshold:g}×; yours ran at {ran}."
    kind = "inconclusive" if straddles else "pass" if points == rule.points else "fail"
    verdict = _verdict(throughput, rule, kind, points, sentence)
    return replace(_result(throughput, rule, verdict), ratio=ratio, pairs=pairs)


def _verdict(throughput: ThroughputCheck, rule: ThroughputRule, kind: str, points: float, sentence: str) -> Verdict:
    return Verdict(throughput.task, throughput.name, throughput.title, kind, points, rule.points, sentence)


def _result(throughput: ThroughputCheck, rule: ThroughputRule, verdict: Verdict) -> ThroughputResult:
    return ThroughputResult(verdict, throughput.unit, rule.baseline, rule.threshold)


def not_measured(throughput: ThroughputCheck, rule: ThroughputRule, why: str) -> ThroughputResult:
    """Return the result of a throughput check that was not run."""
    return _result(throughput, rule, _verdict(throughput, rule, "skipped", 0.0, why))


def ungraded(throughput: ThroughputCheck, rule: ThroughputRule, why: str) -> ThroughputResult:
    """Return the result of a throughput check that failed because of the machine, the baseline or the judge."""
    return _result(throughput, rule, left_ungraded(_verdict(throughput, rule, "inconclusive", 0.0, why)))
