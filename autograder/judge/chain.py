"""The chain: tasks of earlier labs that a submission's checks depend on, with a fallback to the reference.

The learner's own notebook of an earlier lab is in a folder next to the submission's, as in work/, in a class's
submissions and in solutions/. The judge first judges its task by the checks of that lab. If the task does not pass,
the judge falls back to the reference, so it can still judge the work that builds on it; the points for the chain are
lost. The reference runs in a second sandbox (autograder.judge.fallback), except for the few tasks whose code has to
be in the submission's. A sandbox gets only the cells that the task needs (autograder.judge.needed_cells).
"""

import os
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from autograder.checks import Check
from autograder.judge.needed_cells import reference_for
from autograder.judge.verdicts import Verdict, first_hint, left_ungraded
from streamlab.notebooks.labfile import LabCell

NO_NOTEBOOK = "none"  # in place of a digest


@dataclass(frozen=True)
class Link:
    """One task of an earlier lab: its cells, and `why` they are not the learner's own (None if they are).

    A link without cells has no fallback. `ungraded` marks a task that the judge failed to judge; `digest` is the digest
    of the learner's notebook as it was judged, `quoted` are the words of `why` that may come from its answers.
    """

    cells: list[LabCell]
    why: str | None = None
    ungraded: bool = False
    digest: str = ""
    quoted: frozenset[str] = frozenset()


CellsOfTasks = dict[str, list[dict[str, Any]]]
JudgedEarlier = Callable[[Path, str, str], Link]  # (notebook, lab, task) -> its cells, and why it does not pass


@dataclass(frozen=True)
class Chain:
    """Links by the full name of their task, "lab01_wordcount/words".

    The fallback of a task in `inside` has to run in the submission's sandbox.
    """

    links: Mapping[str, Link] = field(default_factory=dict)
    inside: Set[str] = frozenset()

    def as_order(self) -> dict[str, CellsOfTasks]:
        """Return the cells of each task in the form that the runner reads: in the submission's sandbox or the second.

        "earlier" are the cells for the submission's sandbox, "called" those for the second one.
        """
        order: dict[str, CellsOfTasks] = {"earlier": {}, "called": {}}
        for task, link in self.links.items():
            where = "called" if link.why is not None and link.cells and task not in self.inside else "earlier"
            order[where][task] = [asdict(cell) for cell in link.cells]
        return order

    def fallbacks(self, cut: Callable[[str, Set[str]], str]) -> list[dict[str, str]]:
        """Return the tasks that fall back to the reference, and why, in the form of results.json.

        `cut` shortens a sentence with words that come from answers.
        """
        return [
            {"task": task, "sentence": cut(fallback_sentence(task, link.why), link.quoted)}
            for task, link in self.links.items()
            if link.why is not None and link.cells
        ]

    def digests(self) -> dict[str, str]:
        """Return the digest of each earlier lab's notebook as it was judged, for the labs where it is known."""
        found: dict[str, str] = {}
        for task, link in self.links.items():
            lab = task.partition("/")[0]
            same = found.get(lab, link.digest) == link.digest
            found[lab] = link.digest if same else "it changed while it was judged"
        return {lab: digest for lab, digest in found.items() if digest}

    def settled(self, check: Check, verdict: Verdict) -> Verdict:
        """Return the verdict of a check, without points if it depends on a task that is not the learner's own.

        If this task has no fallback either, the check is skipped, and waits for it.
        """
        link = self.links.get(check.chain or "")
        if link is None or link.why is None or (verdict.verdict == "skipped" and not verdict.waits_for):
            return verdict
        if link.ungraded:
            why = f"{check.chain} could not be judged: {link.why}"
            return left_ungraded(replace(verdict, sentence=why, quoted=link.quoted))
        earlier = check.chain or ""
        if not link.cells:
            sentence = f"Not judged until your own {earlier} passes. Finish it first: {link.why.rstrip('.')}."
            bare = replace(verdict, points=0.0, evidence={}, also_runs=(), quoted=link.quoted)
            return replace(bare, verdict="skipped", sentence=sentence, waits_for=earlier)
        if verdict.verdict != "pass":
            return verdict
        sentence = f"Expected your own {earlier}. {fallback_sentence(earlier, link.why)}"
        evidence = {} if link.digest == NO_NOTEBOOK else {"hint": first_hint(earlier)}
        return replace(verdict, verdict="fail", points=0.0, sentence=sentence, evidence=evidence, quoted=link.quoted)


def fallback_sentence(task: str, why: str, *, has_reference: bool = True) -> str:
    """Say which earlier task does not pass, why, and what is used instead.

    Example: "lab01_wordcount/words does not pass: words is not written yet. The reference solution is used instead."
    """
    fallback = "The reference solution is used" if has_reference else "This kit has no reference solution to use"
    return f"{task} does not pass: {why.rstrip('.')}. {fallback} instead."


def chain_for(tasks: Iterable[str], inside: Set[str], submission: Path, root: Path, judged: JudgedEarlier) -> Chain:
    """Link `tasks` ("lab01_wordcount/words") to the learner's own cells if they pass, otherwise to the reference's."""
    return Chain({task: _link(task, submission, root, judged) for task in tasks}, inside)


def earlier_notebook(submission: Path, lab: str) -> Path | None:
    """Return the notebook (or percent source) of an earlier lab, from the folder next to the submission's, or None."""
    names = (f"{lab}{suffix}" for suffix in dict.fromkeys((submission.suffix, ".ipynb")))
    places = (submission.absolute().parent.parent / lab / name for name in names)
    return next((place for place in places if os.path.lexists(place)), None)


def _link(name: str, submission: Path, root: Path, judged: JudgedEarlier) -> Link:
    lab, task = name.split("/")
    notebook = earlier_notebook(submission, lab)
    why = f"no notebook {lab}/{lab}.ipynb is next to the folder of this notebook"
    none = Link([], why, digest=NO_NOTEBOOK)
    own = judged(notebook, lab, task) if notebook else none
    return own if own.why is None else replace(own, cells=reference_for(root, lab, task))
