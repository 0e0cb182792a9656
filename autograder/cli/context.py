"""Shared parts of the verbs: the kit's folder, the course, consoles, progress, and the user's mistakes."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.course import Course, CourseError, load_course
from autograder.intake.safe_text import safe
from autograder.judge.request import OnProgress

ROOT = Path(__file__).resolve().parents[2]
SHARED_CACHE = ROOT / ".cache"
PROGRESS_CHARS, TERMINAL_CHARS, PIPE_COLUMNS = 400, 100, 10_000
ASCII = str.maketrans(
    {"●": "x", "◐": "/", "○": "-", "█": "#", "░": ".", "★": "*", "…": "...", "→": "->", "×": "x", "·": "-"}
)


def work_folder(root: Path = ROOT) -> Path:
    """Return the folder of the user's notebooks, services and class.

    It is STREAMLAB_WORK, relative to where `./lab` was called; by default `work/` in the kit, or `~/streamlab` if the
    kit is a shared installation, which this user cannot write to.
    """
    if setting := os.environ.get("STREAMLAB_WORK"):
        return Path(os.path.normpath(called_from(setting).absolute()))
    own = root / "work"
    return own if os.access(own if own.exists() else root, os.W_OK) else Path.home() / "streamlab"


def place_work(work: Path, cache: Path = SHARED_CACHE, root: Path = ROOT) -> None:
    """Let this process, and all that it starts, keep services and class in `work` and find earlier labs there.

    A variable that the user has set wins. `cache` counts if `./lab install --all` has filled it.
    """
    folders = {"STREAMLAB_EARLIER": work, "STREAMLAB_SERVICES": work / "services", "STREAMLAB_CLASS": work / "class"}
    for name, folder in folders.items() if work != root / "work" else ():
        os.environ.setdefault(name, str(folder))
    if cache.is_dir():
        os.environ.setdefault("STREAMLAB_CACHE", str(cache))


class UserError(Exception):
    """A mistake of the user or a missing prerequisite: one sentence, exit code 2."""


@contextmanager
def user_error_for(*kinds: type[Exception]) -> Iterator[None]:
    """Raise errors of these kinds in the block, or in the decorated function, as UserError with the same sentence."""
    try:
        yield
    except kinds as problem:
        raise UserError(str(problem)) from None


@user_error_for(CourseError)
def course() -> Course:
    """Load the course of this kit; raises UserError for a mistake in course.yml."""
    return load_course(ROOT)


def console() -> Console:
    """Return the console for results: stdout, plain when piped or under NO_COLOR."""
    return Console(file=sys.stdout, highlight=False, soft_wrap=not sys.stdout.isatty())


def encodable(text: str) -> str:
    """Return the text in ASCII if stdout cannot encode it."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return text.translate(ASCII).encode("ascii", "replace").decode()
    return text


def print_columns(rows: Iterable[Sequence[str]], right: Sequence[int] = ()) -> None:
    """Print rows as columns; those at the positions `right` are right-aligned. Lines wrap only on a terminal."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for row in rows:
        while len(grid.columns) < len(row):
            grid.add_column(justify="right" if len(grid.columns) in right else "left")
        grid.add_row(*(Text(cell) for cell in row))
    screen = console()
    options = screen.options if screen.is_terminal else screen.options.update(width=PIPE_COLUMNS)
    for line in screen.render_lines(grid, options, pad=False):
        print("".join(segment.text for segment in line).rstrip())


def called_from(path: str) -> Path:
    """Resolve a path of the user relative to the folder in which `./lab` was called."""
    return Path(os.environ.get("STREAMLAB_CALLED_FROM", "."), path)


def output_file(name: str, is_replaced: bool = False) -> Path:
    """Return the file that an option names; call this before long work, so that the work is not lost.

    `is_replaced` says that a new file will take its place, for which only the folder must be writable.
    Raises UserError for a folder, for a file in a missing folder, and for a file that cannot be written.
    """
    path = called_from(name)
    if path.is_dir():
        raise UserError(f"expected a file to write, got the folder {path}; name a file in it")
    if not path.parent.is_dir():
        raise UserError(f"no folder {path.parent} to write {path.name} into")
    written = path if path.exists() and not is_replaced else path.parent
    if not os.access(written, os.W_OK):
        raise UserError(f"cannot write {path}: {written} is not writable; name another file")
    return path


WORK = work_folder()


@contextmanager
def progress(what: str) -> Iterator[OnProgress]:
    """Show progress on stderr, apart from results: one line that changes on a terminal, plain lines elsewhere."""
    screen = Console(file=sys.stderr, highlight=False)
    if not screen.is_terminal:
        yield lambda text: print(f"{what}: {safe(text, PROGRESS_CHARS)}", file=sys.stderr, flush=True)
        return
    with screen.status(what) as status:
        yield lambda text: status.update(Text(f"{what}: {safe(text, TERMINAL_CHARS)}"))


def lab_named(name: str) -> str:
    """Return the full name of a lab, given in full or as an unambiguous prefix (`lab01`); raises UserError."""
    labs = course().labs
    matches = [each for each in labs if each == name] or [each for each in labs if each.startswith(name)]
    if len(matches) != 1:
        raise UserError(f"no lab {name}; `./lab status` lists the labs")
    return matches[0]


@contextmanager
def in_one_step(target: Path) -> Iterator[Path]:
    """Yield a path to write, then move the file to `target`: a full disk or an interruption leaves no part of it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}.partial")
    try:
        yield partial
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)
