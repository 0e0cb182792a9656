"""The matrix of self-verification: which check caught which mutant, and every hole in it.

Pure: results objects in, sentences out.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from autograder.judge.audit_findings import SAID
from autograder.judge.results import FORGED
from autograder.verify.variants import Variant

Results = dict[str, Any]


@dataclass(frozen=True)
class Row:
    """One mutant: what had to catch it and what did."""

    mutant: Variant
    caught_by: frozenset[str]

    @property
    def missed_by(self) -> list[str]:
        """Declared checks that gave full marks."""
        return sorted(self.mutant.killed_by - self.caught_by)

    @property
    def undeclared(self) -> list[str]:
        """Checks that took points though the mutant does not name them."""
        return sorted(self.caught_by - self.mutant.killed_by)

    def holes(self) -> list[str]:
        """A sentence for each disagreement."""
        name = f"{self.mutant.task}: mutant {self.mutant.name}"
        missed = [f"{name} got full marks from {check}, which must catch it" for check in self.missed_by]
        return missed + [f"{name} lost points in {check}, which it does not declare" for check in self.undeclared]


def caught_by(results: Results, task: str | None = None) -> frozenset[str]:
    """The checks and throughput checks (of one task) that did not give full marks."""
    parts = [test["name"].split("/") for test in results["tests"] if test["status"] != "passed"]
    return frozenset(check for _, of_task, check in parts if task in (None, of_task))


def rows_of_round(mutants: list[Variant], results: Results) -> list[Row]:
    """A row for each mutant of a round. A check of a task without a mutant counts against the first one."""
    rows = [Row(mutant, caught_by(results, mutant.task)) for mutant in mutants]
    tasks = {mutant.task for mutant in mutants}
    strays = [test["name"].split("/") for test in results["tests"] if test["status"] != "passed"]
    elsewhere = frozenset(check for _, task, check in strays if task not in tasks)
    return [Row(rows[0].mutant, rows[0].caught_by | elsewhere), *rows[1:]]


def checks_without_mutant(rows: Iterable[Row], names: Iterable[str]) -> list[str]:
    """A sentence for each check that no mutant was caught by."""
    caught = {name for row in rows for name in row.caught_by & row.mutant.killed_by}
    return [
        f"the check {name} caught no mutant: nothing shows that it can fail" for name in names if name not in caught
    ]


def full_marks(what: str, results: Results) -> list[str]:
    """A sentence for each check in which right work lost points."""
    lost = [test for test in results["tests"] if test["status"] != "passed"]
    return [f"{what} lost points in {test['name']}: {test['output']}" for test in lost]


def no_marks(what: str, results: Results) -> list[str]:
    """A sentence where the starter got points."""
    got = [test["name"] for test in results["tests"] if test["score"]]
    return [f"{what} got points in {', '.join(got)}"] if got or results["score"] else []


def accused(what: str, results: Results) -> list[str]:
    """A sentence for each thing that work which attacks nothing is said to have tried."""
    accusing = (*(f"It {words.partition('{')[0].strip()}" for words in SAID.values()), "It changed the judging", FORGED)
    notes = [note for note in results["streamlab"]["notes"] if note.startswith(accusing)]
    return [f"{what} attacks nothing, and yet the report says: {note}" for note in notes]


def same_verdicts(runs: list[Results]) -> list[str]:
    """A sentence for each check whose verdict changed between runs of the same work."""
    holes = []
    for number, run in enumerate(runs[1:], 2):
        for before, now in zip(runs[0]["streamlab"]["checks"], run["streamlab"]["checks"], strict=True):
            if _facts(before) != _facts(now):
                change = f"{before['verdict']} in run 1 and {now['verdict']} in run {number}"
                holes.append(f"{now['check']} was {change}: {now['sentence']}")
    return holes


def _facts(check: dict[str, Any]) -> tuple[Any, ...]:
    return check["task"], check["check"], check["verdict"], check["points"], check["sentence"]
