"""Compares the release of a learner's notebook with the kit's, for `./lab start`, `status` and `update`."""

from pathlib import Path

from autograder.intake.safe_text import safe
from autograder.releases.release_order import is_newer
from streamlab.notebooks.labfile import UnreadableLab, read_lab

RELEASE_CHARS = 40


def offer(notebook: Path, kit: str) -> str | None:
    """Return the line for a notebook of another release than the kit's; None without a notebook or its release."""
    try:
        release = read_lab(notebook).release
    except UnreadableLab:
        return None
    if release is None or release == kit:
        return None
    if is_newer(release, kit):
        return too_new(notebook.stem, release, kit)
    what = f"your notebook is of release {safe(release, RELEASE_CHARS)}, the kit's of {kit}"
    return f"{what}: `./lab update {notebook.stem}` carries your answers over"


def too_new(lab: str, release: str, kit: str) -> str:
    """Return the line for a notebook of a newer release than the kit's."""
    shown = safe(release, RELEASE_CHARS)
    return f"{lab}: your notebook is of release {shown}, and this kit is of {kit}; update the kit (docs/students.md)"
