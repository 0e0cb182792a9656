"""Results that are kept, each with what it was made from, so that grading can go on where it was stopped.

Keeps out: judging; what to do about a result that is out of date (autograder.grading.class_grading).
"""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from autograder.intake import digest_of
from autograder.judge.chain import earlier_notebook
from autograder.judge.rests_on import digest_of_judging

Results = dict[str, Any]
SEPARATOR = " | "  # no word for a file that cannot be read has it


@dataclass(frozen=True)
class Origin:
    """What a result was made from. `checks` stands for all of the kit that judged; the rest is the submission's own.

    `earlier` stands for the student's notebooks of the labs that this one builds on; "" where it builds on none.
    """

    notebook: str
    seed: str
    throughput: bool
    checks: str
    earlier: str = ""

    def same_work(self, other: "Origin") -> bool:
        """Whether both are the same work, judged with the same cases; the checks may have changed."""
        mine, theirs = ((each.notebook, each.seed, each.earlier) for each in (self, other))
        return mine == theirs and self.throughput >= other.throughput


@dataclass(frozen=True)
class CachedResult:
    """A results object and its origin."""

    provenance: Origin
    results: Results


def load(path: Path) -> CachedResult | None:
    """What is kept at `path`; None where nothing is, or something that is not whole."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return CachedResult(Origin(**content["origin"]), content["results"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep(path: Path, kept: CachedResult) -> None:
    """Write `kept`, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    content = {"origin": asdict(kept.provenance), "results": kept.results}
    partial.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    os.replace(partial, path)


def provenance_of(
    notebook: Path, lab: str, seed: str, throughput: bool, root: Path, builds_on: Sequence[str] = ()
) -> Origin:
    """The origin of a result that would be made now; `builds_on` are the earlier labs that the judge looks for."""
    own_seed = hashlib.sha256(seed.encode()).hexdigest()[:16]
    found = {each: earlier_notebook(notebook, each) for each in builds_on}
    earlier = {each: digest_of(path) if path else "none" for each, path in found.items()}
    return Origin(digest_of(notebook), own_seed, throughput, digest_of_judging(root, lab), _as_text(earlier))


def as_judged(now: Origin, results: Results) -> Origin:
    """`now` with the digests of the bytes that were judged: the files may be others since."""
    judged = results["streamlab"].get("digests", {})
    earlier = dict(each.split(":", 1) for each in now.earlier.split(SEPARATOR) if each)
    earlier.update((lab, digest) for lab, digest in judged.get("earlier", {}).items() if lab in earlier)
    return replace(now, notebook=judged.get("notebook", "not known"), earlier=_as_text(earlier))


def _as_text(earlier: Results) -> str:
    return SEPARATOR.join(f"{lab}:{digest}" for lab, digest in earlier.items())
