"""Digest everything that a verification rests on, and keep the digest of the last complete one in `verified.json`."""

import hashlib
import json
from pathlib import Path
from typing import Any

from autograder.course import Course
from autograder.course.lab_packages import locks_for_judging
from autograder.judge.rests_on import LIBRARY, digest_of_files, files_below
from autograder.verify.code_digest import code_of

VERIFIED, MESSAGES = "verified.json", "messages.txt"
# Paths under the kit's root; {source} stands for the lab itself, or for a lab that it builds on.
SOURCES = (*LIBRARY, "solutions/{source}/{source}.py")
RESTS_ON = (
    "autograder/stages/{lab}/**/*",
    *(f"autograder/{package}/**/*" for package in ("builder", "checks", "course", "inside", "intake", "judge")),
    *(f"autograder/{package}/**/*" for package in ("notebook_check", "sandbox", "verify")),
    "autograder/pack/recorder.py",
    "requirements.lock",
    "requirements-dev.lock",
)
ATTACKS_REST_ON = (
    *(f"autograder/{package}/**/*" for package in ("checks", "course", "hostile", "inside", "intake", "judge")),
    *(f"autograder/{package}/**/*" for package in ("report", "sandbox")),
    *(f"streamlab/{package}/**/*" for package in ("notebooks", "spark")),  # loads the cells; connects to Spark
    "autograder/stages/*/*/drive*.py",
    "requirements.lock",
)
LEFT_OUT = (VERIFIED, MESSAGES, "__pycache__")


def digest_of_lab(root: Path, course: Course, lab: str) -> str:
    """Return the digest of what the verification of one lab rests on: the platform, and the lab's own files."""
    rules = course.labs[lab].model_dump_json() + course.limits_of(lab).model_dump_json()
    return digest_of_files(root, files_of_lab(root, course, lab), rules, content_of=code_of)


def digest_of_earlier(root: Path, course: Course, lab: str) -> str:
    """Return the digest of what it rests on besides: libraries, data and references of the labs that it builds on."""
    return digest_of_files(root, files_of_earlier(root, course, lab), content_of=code_of)


def files_of_lab(root: Path, course: Course, lab: str) -> list[Path]:
    """Return the files of the platform and of one lab, sorted by name."""
    patterns = {pattern.format(lab=lab, source=lab) for pattern in (*SOURCES, *RESTS_ON)}
    return list(files_below(root, patterns | set(locks_for_judging(course, lab)), LEFT_OUT))


def files_of_earlier(root: Path, course: Course, lab: str) -> list[Path]:
    """Return the files of the labs that one lab builds on, sorted by name, without those of the platform."""
    patterns = {pattern.format(source=each) for each in course.with_earlier(lab) for pattern in SOURCES}
    own = set(files_of_lab(root, course, lab))
    return [path for path in files_below(root, patterns, LEFT_OUT) if path not in own]


def digest_of_attacks(root: Path) -> str:
    """Return the digest of everything that the trial of the attacks rests on."""
    return digest_of_files(root, files_below(root, ATTACKS_REST_ON, LEFT_OUT), content_of=code_of)


def digest_of_text(text: str) -> str:
    """Return the digest of one text."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_verified(folder: Path) -> dict[str, Any]:
    """Return what the last complete verification wrote; empty if none has, or if the file is not a JSON object."""
    try:
        content = json.loads((folder / VERIFIED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def write_verified(folder: Path, content: dict[str, Any]) -> None:
    """Write the digest and the figures of a complete verification that found no hole."""
    (folder / VERIFIED).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
