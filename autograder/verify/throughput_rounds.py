"""A throughput check of many versions at once: in each round the baseline and every version take one turn each.

The judge measures a learner, and the reference, against a new baseline in two sandboxes that pause each other
(autograder.judge.throughput). The versions here are the kit's own: they share one warm sandbox with the baseline (two
would differ in how warm their Java is), and their drives' clock is trusted. Inputs, warm-up, pairs, ratio and marks are
the judge's.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from autograder.checks import ThroughputCheck
from autograder.course import ThroughputRule
from autograder.judge.jobs import Job, NumberedCase
from autograder.judge.ratio import Pair, Ratio, marks, ratio_of_medians
from autograder.judge.throughput import PAIRS, WARM_UP_TURNS
from autograder.verify.matrix import Mark
from autograder.verify.variants import Variant
from autograder.verify.warm_sandbox import Setting, Version, WarmSandbox
from streamlab.notebooks.labfile import read_lab

BASELINE = "the baseline"
SOON, FAR = 5, 0.1  # after so many pairs, a version is done if its interval is a tenth away from the threshold


class TurnLost(Exception):
    """A version returned no result or a wrong one; the text says which."""


@dataclass
class Measured:
    """The pairs of one version (its rate, the baseline's), or in `lost` why it is out."""

    variant: Variant
    pairs: list[Pair] = field(default_factory=list)
    lost: str = ""

    @property
    def ratio(self) -> Ratio | None:
        """The ratio of medians; None for a version that is out."""
        return None if self.lost else ratio_of_medians(self.pairs)

    def is_far_from(self, threshold: float) -> bool:
        """Return whether the version is so far from the threshold that more pairs would not change its side."""
        ratio = ratio_of_medians(self.pairs) if len(self.pairs) >= SOON else None
        return ratio is not None and (ratio.low > (1 + FAR) * threshold or ratio.high < (1 - FAR) * threshold)

    def mark(self, check: ThroughputCheck, rule: ThroughputRule) -> Mark:
        """Return the mark that a learner would get."""
        ratio, points = self.ratio, 0.0
        if ratio is not None:
            points = marks(ratio.value, rule.threshold, rule.points)
        sentence = self.lost or f"Expected {rule.threshold:g}×; it ran at {ratio.value if ratio else 0:.2f}×."
        return Mark(check.task, check.name, "pass" if points == rule.points else "fail", points, rule.points, sentence)


class Rounds:
    """One throughput check; the end of the block closes its sandbox."""

    def __init__(self, check: ThroughputCheck, rule: ThroughputRule, setting: Setting, seed: str) -> None:
        self.check, self.rule, self.seed = check, rule, seed
        baseline = setting.root / "autograder/stages" / setting.lab / "baselines" / f"{rule.baseline}.py"
        self._baseline = "\n\n".join(cell.source for cell in read_lab(baseline).cells if cell.kind == "code")
        self._sandbox = WarmSandbox(replace(setting, tuning="throughput"))

    def __enter__(self) -> "Rounds":
        return self

    def __exit__(self, *_: object) -> None:
        self._sandbox.close()

    def measure(self, variants: Sequence[Variant], on_progress: Callable[[str], None]) -> list[Measured]:
        """Measure all variants; those whose interval straddles the threshold get as many pairs again."""
        measured = [Measured(variant) for variant in variants]
        self._play(measured, self.seed, on_progress)
        close = [each for each in measured if each.ratio is not None and each.ratio.straddles(self.rule.threshold)]
        if close:
            self._play(close, f"{self.seed}/again", on_progress)
        return measured

    def _play(self, measured: list[Measured], seed: str, on_progress: Callable[[str], None]) -> None:
        for number in range(-WARM_UP_TURNS, PAIRS):
            left = [each for each in measured if not each.lost and not each.is_far_from(self.rule.threshold)]
            on_progress(f"round {number + WARM_UP_TURNS + 1} of at most {PAIRS + WARM_UP_TURNS}: {len(left)} versions")
            if left:
                self._round(left, f"{seed}/turn {number}", number)

    def _round(self, versions: list[Measured], seed: str, number: int) -> None:
        """Play one turn each, in this order or, every other round, in reverse."""
        content, units = self.check.workload(seed)
        baseline = Measured(Variant(self.check.task, BASELINE, frozenset(), self._baseline))
        seconds: dict[str, float] = {}
        for each in [baseline, *versions][:: 1 if number % 2 else -1]:
            try:
                seconds[each.variant.name] = self._turn(each.variant.code, content, number)
            except TurnLost as problem:
                each.lost = str(problem)
        if baseline.lost:
            raise ValueError(f"the baseline of {self.check.name}: {baseline.lost}")
        for each in versions:
            if number >= 0 and not each.lost:
                each.pairs.append((units / seconds[each.variant.name], units / seconds[BASELINE]))

    def _turn(self, code: str, content: bytes, number: int) -> float:
        path = self._sandbox.place(f"turn-{number}.txt", content)
        case = NumberedCase(number, {"path": path})
        outcome = self._sandbox.drive(Version(code, [Job(f"{self.check.task}.throughput", [case])])).outcomes[number]
        if outcome.kind != "rows":
            raise TurnLost(f"It stopped with {outcome.error or outcome.kind}: {outcome.message}.")
        if mismatch := self.check.judge(content, outcome.rows):
            raise TurnLost(f"It returned a wrong result. {mismatch.sentence}")
        return outcome.seconds
