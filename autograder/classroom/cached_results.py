"""Results that are kept, each with what it was made from, so that grading can go on where it was stopped.

Keeps out: judging; what to do about a result that is out of date (autograder.grading.class_grading).
"""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from autograder.judge.chain import earlier_notebook
from autograder.judge.rests_on import digest_of_judging

Results = dict[str, Any]
NOTEBOOK_BYTES_MAX = 20_000_000


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
    earlier = " ".join(f"{each}:{_digest_of_file(path) if path else 'none'}" for each, path in found.items())
    return Origin(_digest_of_file(notebook), own_seed, throughput, digest_of_judging(root, lab), earlier)


def _digest_of_file(path: Path) -> str:
    """The digest of a regular file of modest size; anything else will be rejected and has its own word."""
    try:
        if path.is_symlink() or not path.is_file():
            return "no regular file"
        if path.stat().st_size > NOTEBOOK_BYTES_MAX:
            return f"too large: {path.stat().st_size}"
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as problem:
        return f"unreadable: {problem.strerror}"
