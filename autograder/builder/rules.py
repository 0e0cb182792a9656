"""The rules for the source of a lab; all broken rules are reported at once, one line each, with file and line.

A rule takes the cells and the lab's part of the course, and yields (line, sentence). `autograder.verify` runs the
reference.
"""

import ast
import builtins
from collections.abc import Callable, Iterator
from pathlib import Path

from autograder.builder.source import BEGIN, END, read_source, shown_lines, solution_lines, source_path, todo
from autograder.course import Course, Lab
from autograder.judge.needed_cells import names_defined, names_from_other_cells, symbols_of
from streamlab.notebooks.labfile import ROLES, LabCell, UnreadableLab

MOST_CELLS = 62  # with the one of the map, and a text before each task
MOST_LINES = 30
MOST_COLUMNS = 88  # JupyterLab shows 107 beside its file browser on a laptop, and no sign that there is more
MOST_GIVEN_LINES = 50  # of given cells after the first: classes to read, which cannot be divided
OPTIONS = frozenset({"role", "name", "task", "check", "written", "todo"})

Broken = tuple[int, str]
Rule = Callable[[list[LabCell], Lab], Iterator[Broken]]


class SourceError(Exception):
    """A source breaks rules; `problems` has a text for each: file, line, what was expected and what came."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def checked_source(root: Path, course: Course, lab: str) -> list[LabCell]:
    """Return the cells of the source of `lab`; raises SourceError with every broken rule."""
    problems = broken_rules(root, course, lab)
    if problems:
        raise SourceError(problems)
    return read_source(root, lab)


def broken_rules(root: Path, course: Course, lab: str) -> list[str]:
    """Return a sentence for each broken rule in the source of `lab`, in the order of its lines.

    Example: ["solutions/lab01_wordcount/lab01_wordcount.py:41: task words has no `### BEGIN SOLUTION`; put …"]
    """
    path = source_path(root, lab)
    shown = path.relative_to(root)
    if not path.is_file():
        return [f"{shown}: course.yml has {lab}, but this file is missing; `./lab new {lab}` starts one"]
    try:
        cells = read_source(root, lab)
    except UnreadableLab as error:
        return [f"{shown.parent}/{error}"]
    broken = sorted({each for rule in RULES for each in rule(cells, course.labs[lab])})
    return [f"{shown}:{line}: {sentence}" for line, sentence in broken]


def _code_cells_have_a_known_role(cells: list[LabCell], lab: Lab) -> Iterator[Broken]:
    for cell in cells:
        if cell.role is None and cell.kind == "code":
            yield cell.line, 'a code cell has no role; write `role="given"`, `role="show"`, `task="…"` or `check="…"`'
        elif cell.role is not None and cell.role not in ROLES:
            yield cell.line, f'unknown role "{cell.role}"; expected {", ".join(ROLES)}'
        elif (cell.role == "written" or cell.role is None) != (cell.kind == "markdown"):
            yield cell.line, f'a {cell.kind} cell cannot be "{cell.role}"; only written goes with `# %% [markdown]`'
        for unknown in sorted(set(cell.options) - OPTIONS):
            yield cell.line, f"unknown `{unknown}=`; expected {', '.join(sorted(OPTIONS))}"


def _names_are_unique_and_plain(cells: list[LabCell], lab: Lab) -> Iterator[Broken]:
    first: dict[tuple[str, str], int] = {}
    for cell in cells:
        if cell.role is None or not cell.name:
            continue
        if not (cell.name.isidentifier() and cell.name.isascii() and len(cell.name) <= 50):
            yield cell.line, f'"{cell.name}" is not a name; expected at most 50 of a-z, 0-9 and _, no digit first'
        at = first.setdefault((cell.role, cell.name), cell.line)
        if at != cell.line:
            yield cell.line, f"{cell.role} {cell.name} appears twice; the first is on line {at}"


def _names_are_those_of_the_course(cells: list[LabCell], lab: Lab) -> Iterator[Broken]:
    known = {"task": set(lab.tasks), "check": set(lab.tasks), "written": set(lab.written)}
    for role, names in known.items():
        here = {cell.name: cell.line for cell in cells if cell.role == role}
        for name, line in here.items():
            if name not in names:
                yield line, f"unknown {role} {name}; course.yml has {', '.join(sorted(names)) or 'none'}"
        for name in sorted(names - set(here)):
            header = f'# %% [markdown] written="{name}"' if role == "written" else f'# %% {role}="{name}"'
            yield 1, f"no {role} cell for {name}, which course.yml has; add `{header}`"


def _tasks_have_one_marked_solution(cells: list[LabCell], lab: Lab) -> Iterator[Broken]:
    for cell in cells:
        markers = [BEGIN if BEGIN in line else END for line in cell.source.split("\n") if BEGIN in line or END in line]
        if cell.role != "task" and markers:
            yield cell.line, f"a solution outside a task: {markers[0]} belongs in a task cell"
        elif cell.role == "task" and markers != [BEGIN, END]:
            found = ", ".join(marker.removeprefix("### ") for marker in markers) or "none"
            yield cell.line, f"task {cell.name} needs one {BEGIN} and, after it, one {END}; found: {found}"


def _tasks_say_what_is_to_be_done(cells: list[LabCell], lab: Lab) -> Iterator[Broken]:
    for cell in cells:
        if cell.role != "task":
            continue
        if not todo(cell):
            yield cell.line, f'task {cell.name} has no stub text; add `todo="what to do"` after its `# %%`'
        elif todo(cell).startswith(f"{cell.name}:"):
            yield cell.line, f"the stub text of {cell.name} starts with its name; remove it, the builder adds it"
        if any("NotImplementedError" in line for line in shown_lines(cell)):
            yield cell.line, f"task {cell.name} has its own stub; remove it, the builder writes one from `todo=`"


def _tasks_define_their_name(cells: list[LabCell], lab: Lab) -> Iterator[Broken]:
    for cell in cells:
        if cell.role == "task" and (tree := _parsed(cell)) and cell.name not in _defined(tree):
            yield cell.line, f"task {cell.name} defines {', '.join(_defined(tree)) or 'nothing'}, not {cell.name}"


def _code_is_python(cells: list[LabCell], lab: Lab) -> Iterator[Broken]:
    for cell in cells:
        try:
            if cell.kind == "code":
                ast.parse(cell.source)
        except SyntaxError as error:
            yield cell.line + (error.lineno or 0), f"invalid Python: {error.msg}"


def _check_cells_end_with_their_check(cells: list[LabCell], lab: Lab) -> Iterator[Broken]:
    for cell in cells:
        if cell.role != "check" or not (tree := _parsed(cell)):
            continue
        last = ast.unparse(tree.body[-1]) if tree.body else "nothing"
        if last != f"check({cell.name!r})":
            yield cell.line, f'the check cell of {cell.name} must end with check("{cell.name}"); it ends with {last}'


def _cells_run_after_the_setup_alone(cells: list[LabCell], lab: Lab) -> Iterator[Broken]:
    """A shown cell takes its names from given cells, tasks, and the cell that loads tasks of earlier labs only."""
    code = [cell for cell in cells if cell.kind == "code" and _parsed(cell)]
    lasting = [cell for cell in code if cell.role in ("given", "task") or "stage(" in cell.source]
    known = set(dir(builtins)).union(*(names_defined(symbols_of(cell)) for cell in lasting))
    for cell in code:
        if cell.role in ("show", "check") and (missing := names_from_other_cells(cell) - known):
            names = ", ".join(sorted(missing))
            yield (
                cell.line,
                f'{names} is from another shown cell; import or define it here, or there with `role="given"`',
            )


def _notebook_and_cells_are_short(cells: list[LabCell], lab: Lab) -> Iterator[Broken]:
    if len(cells) > MOST_CELLS:
        yield cells[MOST_CELLS].line, f"{len(cells)} cells; a notebook has at most {MOST_CELLS}"
    to_read = [cell for cell in cells if cell.role == "given"][1:]
    for cell in cells:
        lines, most = len(shown_lines(cell)) + bool(solution_lines(cell)), MOST_LINES
        if cell in to_read:
            most = MOST_GIVEN_LINES
        if lines > most:
            yield cell.line, f"a cell of {lines} lines; a cell has at most {most}, a task's solution not counted"


def _lines_fit_the_page(cells: list[LabCell], lab: Lab) -> Iterator[Broken]:
    for cell in cells:
        if cell.kind == "code" and (longest := max(map(len, shown_lines(cell)), default=0)) > MOST_COLUMNS:
            yield cell.line, f"a line of {longest} columns in a code cell; a line has at most {MOST_COLUMNS}"


def _parsed(cell: LabCell) -> ast.Module | None:
    try:
        return ast.parse(cell.source)
    except SyntaxError:
        return None


def _defined(tree: ast.Module) -> list[str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [node.name for node in tree.body if isinstance(node, kinds)]


RULES: tuple[Rule, ...] = (
    _code_cells_have_a_known_role,
    _names_are_unique_and_plain,
    _names_are_those_of_the_course,
    _tasks_have_one_marked_solution,
    _tasks_say_what_is_to_be_done,
    _tasks_define_their_name,
    _code_is_python,
    _check_cells_end_with_their_check,
    _cells_run_after_the_setup_alone,
    _notebook_and_cells_are_short,
    _lines_fit_the_page,
)
