"""What a verification rests on, as one digest, and `verified.json`: the digest and figures of the last complete one."""

import hashlib
import json
from pathlib import Path
from typing import Any

from autograder.course import Course
from autograder.course.lab_packages import locks_for_judging
from autograder.judge.rests_on import digest_of_files, files_below, labs_behind
from autograder.verify.kit_modules import used_by

VERIFIED, MESSAGES = "verified.json", "messages.txt"
# Paths under the kit's root; {lab} stands for the lab itself, {source} for it and for every lab behind it.
# What these files use of streamlab and of the data sets comes on top (autograder.verify.kit_modules).
RESTS_ON = (
    "autograder/stages/{lab}/**/*",
    "solutions/{source}/{source}.py",
    *(f"autograder/{package}/**/*" for package in ("builder", "checks", "course", "inside", "intake", "judge")),
    *(f"autograder/{package}/**/*" for package in ("sandbox", "verify")),
    "autograder/pack/recorder.py",
    "requirements.lock",
    "requirements-dev.lock",
)
ATTACKS_REST_ON = (
    *(f"autograder/{package}/**/*" for package in ("hostile", "inside", "intake", "judge", "report", "sandbox")),
    "autograder/stages/*/*/drive*.py",
    "requirements.lock",
)
LEFT_OUT = (VERIFIED, MESSAGES, "__pycache__")


def digest_of_lab(root: Path, course: Course, lab: str) -> str:
    """The digest of all that the verification of one lab rests on."""
    rules = course.labs[lab].model_dump_json() + course.limits_of(lab).model_dump_json()
    return digest_of_files(root, files_of_lab(root, course, lab), rules)


def files_of_lab(root: Path, course: Course, lab: str) -> list[Path]:
    """Those files, in the order of their names."""
    sources = [lab, *labs_behind(course, lab)]
    patterns = {pattern.format(lab=lab, source=source) for pattern in RESTS_ON for source in sources}
    patterns |= set(locks_for_judging(course, lab))
    files = set(files_below(root, patterns, LEFT_OUT))
    return sorted(files | used_by(root, files))


def digest_of_attacks(root: Path) -> str:
    """The digest of all that the trial of the attacks rests on."""
    return digest_of_files(root, files_below(root, ATTACKS_REST_ON, LEFT_OUT))


def digest_of_text(text: str) -> str:
    """The digest of one text."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_verified(folder: Path) -> dict[str, Any]:
    """What the last complete verification wrote; nothing where there was none or the file is not its own."""
    try:
        content = json.loads((folder / VERIFIED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def write_verified(folder: Path, content: dict[str, Any]) -> None:
    """Keep the digest and the figures of a complete verification without a hole."""
    (folder / VERIFIED).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
