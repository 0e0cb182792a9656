"""Judge the public cases as the student's kit does: with oracle answers recorded before any rows were seen."""

import sys
from contextlib import AbstractContextManager
from functools import cache

from autograder.checks.registry import load_stage
from autograder.pack.recorder import PACKAGES, Recorder, ask_all
from autograder.verify.matrix import Mark

ORACLE = "oracle"  # begins the name of an oracle's module


class StudentsKit:
    """The recorded oracle answers for one lab; the constructor raises NotRecordable."""

    def __init__(self, lab: str) -> None:
        load_stage(lab)
        names = [each for each in sys.modules if each.startswith(PACKAGES)]
        oracles = tuple(sorted(each for each in names if each.rpartition(".")[2].startswith(ORACLE)))
        self._recorder = _recorder(oracles)
        with self._recorder.switched("record"):
            ask_all([lab])

    def judging(self) -> AbstractContextManager[None]:
        """Return a block in which oracles answer from the record; in other threads they still compute."""
        return self._recorder.switched("replay")


@cache
def _recorder(oracles: tuple[str, ...]) -> Recorder:
    """Return a recorder that listens to these oracles until the process ends."""
    recorder = Recorder("off")
    recorder.listen(sys.modules[name] for name in oracles)
    return recorder


def other_marks(what: str, marks: list[Mark], in_kit: list[Mark]) -> list[str]:
    """Return a sentence for each check that gives another verdict or sentence in the student's kit."""
    return [
        f"{what}: {mark.check} is {mark.verdict} here and {other.verdict} in the student's kit, where it says "
        f'"{other.sentence}"; ask the oracle before you look at the rows (docs/authors.md)'
        for mark, other in zip(marks, in_kit, strict=True)
        if mark != other
    ]
