"""Caches results with their provenance, so that interrupted grading resumes where it stopped.

`autograder.grading.class_grading` decides what to do with a result that is out of date.
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
SEPARATOR = " | "  # does not occur in the placeholder for an unreadable file


@dataclass(frozen=True)
class Provenance:
    """The provenance of a result. `checks` is the digest of the kit's part; the other fields describe the submission.

    `earlier` has the digests of the student's notebooks of the labs that this one builds on; "" if it builds on none.
    """

    notebook: str
    seed: str
    throughput: bool
    checks: str
    earlier: str = ""

    def same_work(self, other: "Provenance") -> bool:
        """Return whether both are the same work, judged with the same cases; the checks may have changed."""
        mine, theirs = ((each.notebook, each.seed, each.earlier) for each in (self, other))
        return mine == theirs and self.throughput >= other.throughput


@dataclass(frozen=True)
class CachedResult:
    """A results object, its provenance, and how often the judge has tried to decide its open checks."""

    provenance: Provenance
    results: Results
    tries: int = 1


def load(path: Path) -> CachedResult | None:
    """Return the result cached at `path`; None if the file is missing or incomplete."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return CachedResult(Provenance(**content["origin"]), content["results"], int(content.get("tries", 1)))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep(path: Path, kept: CachedResult) -> None:
    """Write `kept` atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    content = {"origin": asdict(kept.provenance), "results": kept.results, "tries": kept.tries}
    partial.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    os.replace(partial, path)


def provenance_of(
    notebook: Path, lab: str, seed: str, throughput: bool, root: Path, builds_on: Sequence[str] = ()
) -> Provenance:
    """Return the provenance of a result made now; `builds_on` are the earlier labs that the judge looks for."""
    own_seed = hashlib.sha256(seed.encode()).hexdigest()[:16]
    found = {each: earlier_notebook(notebook, each) for each in builds_on}
    earlier = {each: digest_of(path) if path else "none" for each, path in found.items()}
    return Provenance(digest_of(notebook), own_seed, throughput, digest_of_judging(root, lab), _as_text(earlier))


def as_judged(now: Provenance, results: Results) -> Provenance:
    """Return `now` with the digests of the bytes that were judged; the files may have changed since."""
    judged = results["streamlab"].get("digests", {})
    earlier = dict(each.split(":", 1) for each in now.earlier.split(SEPARATOR) if each)
    earlier.update((lab, digest) for lab, digest in judged.get("earlier", {}).items() if lab in earlier)
    return replace(now, notebook=judged.get("notebook", "not known"), earlier=_as_text(earlier))


def _as_text(earlier: Results) -> str:
    return SEPARATOR.join(f"{lab}:{digest}" for lab, digest in earlier.items())
