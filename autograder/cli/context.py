"""What verbs share: where the kit is, the course, consoles, progress, and the user's mistakes."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.text import Text

from autograder.course import Course, CourseError, load_course
from autograder.intake.safe_text import safe
from autograder.judge.request import OnProgress

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "work"
PROGRESS_CHARS, TERMINAL_CHARS = 400, 100


class UserError(Exception):
    """A mistake of the user or something missing: one sentence, exit code 2."""


def course() -> Course:
    """The course of this kit; a mistake in it is the user's to mend."""
    try:
        return load_course(ROOT)
    except CourseError as problem:
        raise UserError(str(problem)) from None


def console() -> Console:
    """Where results go: stdout, plain when piped or under NO_COLOR."""
    return Console(file=sys.stdout, highlight=False, soft_wrap=not sys.stdout.isatty())


def called_from(path: str) -> Path:
    """A path as the user meant it, from the folder in which `./lab` was called."""
    return Path(os.environ.get("STREAMLAB_CALLED_FROM", "."), path)


@contextmanager
def progress(what: str) -> Iterator[OnProgress]:
    """A line that changes on a terminal, plain lines elsewhere; both on stderr, apart from results."""
    screen = Console(file=sys.stderr, highlight=False)
    if not screen.is_terminal:
        yield lambda text: print(f"{what}: {safe(text, PROGRESS_CHARS)}", file=sys.stderr, flush=True)
        return
    with screen.status(what) as status:
        yield lambda text: status.update(Text(f"{what}: {safe(text, TERMINAL_CHARS)}"))


def lab_named(name: str) -> str:
    """`name` if the course has such a lab; accepts a short form that fits one lab only (`lab01`)."""
    labs = course().labs
    fitting = [each for each in labs if each == name] or [each for each in labs if each.startswith(name)]
    if len(fitting) != 1:
        raise UserError(f"no lab {name}; `./lab status` shows the labs there are")
    return fitting[0]
