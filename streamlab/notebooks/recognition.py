"""Recognizes the kit's cells in a notebook, whatever editors did to its metadata, ids and cell types.

The source decides: a cell with the source of a released cell is that cell, and a cell that defines a task is that task.
Otherwise, metadata and ids count (`labfile` reads them), then what a cell checks or begins with. Everything else is the
learner's own. Only patterns are used: parsing a stranger's code could crash the judge.
"""

import keyword
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from streamlab.notebooks.labfile import LabCell

Key = tuple[str | None, str | None]
TELLING_CHARS = 40  # shorter lines of a question, such as "1." or the one above its answer, may be elsewhere, too
LOCKED = ("given", "show", "check")
SHARED_LINES_MIN = 3
_DEFINED = re.compile(r"^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_ASSIGNED = re.compile(r"^(\w+)[ \t]*=(?!=)", re.MULTILINE)  # words = lambda line: line.split()
_CHECKS = re.compile(r"(?:\s|#.*\n)*check\(\s*[\"'](\w+)[\"']\s*\)(?:\s|#.*\n)*")
_BEGINS_LIKE_CODE = re.compile(r"\s*(?:#.*\n\s*)*(?:@|(?:async[ \t]+)?def |class |from |import )")
_SENTENCE = re.compile(r"\W*([^\W\d_]+)(?:[ ,;]+[\w'’-]+){3}")


def plain(source: str) -> str:
    """Return a source for comparisons, without what editors change: white space at ends, and the kind of spaces."""
    return "\n".join(line.rstrip() for line in source.replace("\N{NO-BREAK SPACE}", " ").strip().splitlines())


def defined_names(source: str) -> set[str]:
    """Return the functions and classes that a cell defines at its top level."""
    return set(_DEFINED.findall(source))


def key_of(cell: LabCell) -> Key:
    """Return the role and name of a cell; a cell of prose or of the learner has neither."""
    return cell.role, cell.name


def recognized(cells: Sequence[LabCell], released: Sequence[LabCell]) -> list[LabCell]:
    """Return the cells with their roles and names, in the same order.

    A task that an editor turned into markdown keeps that type; text of the kit always becomes markdown again.
    """
    kit = _Kit(released)
    known = [kit.known(cell) for cell in cells]
    exact = {key_of(cell) for cell in known if cell and kit.is_exact(cell)}
    known = [None if cell and kit.is_edited_copy(cell, exact) else cell for cell in known]
    taken = {key_of(cell) for cell in known if cell and (cell.role in LOCKED or not kit.is_exact(cell))}
    return [each or kit.by_content(cell, taken) for cell, each in zip(cells, known, strict=True)]


def without_spare_stubs(cells: Sequence[LabCell], released: Sequence[LabCell]) -> list[LabCell]:
    """Return the cells without the untouched stubs of tasks that another code cell defines."""
    stubs = {cell.name: plain(cell.source) for cell in released if cell.role == "task"}

    def is_stub(cell: LabCell) -> bool:
        return cell.role == "task" and plain(cell.source) == stubs.get(cell.name)

    own = [cell.source for cell in cells if runs(cell) and not is_stub(cell)]
    solved = {name for source in own for name in defined_names(source) | set(_ASSIGNED.findall(source))}
    return [cell for cell in cells if not (is_stub(cell) and cell.name in solved)]


def runs(cell: LabCell) -> bool:
    """Return whether a cell runs when the notebook is judged."""
    return cell.kind == "code" and cell.role in (None, "given", "task")


def unclear_questions(cells: Sequence[LabCell], released: Sequence[LabCell]) -> dict[str | None, str]:
    """Return the questions whose answer may be elsewhere in the (recognized) cells, and why."""
    return {
        question.name: why
        for question in released
        if question.role == "written" and (why := _why_unclear(question, cells, released))
    }


def _why_unclear(question: LabCell, cells: Sequence[LabCell], released: Sequence[LabCell]) -> str | None:
    parts = [plain(cell.source) for cell in cells if key_of(cell) == key_of(question)]
    if any(part != plain(question.source) for part in parts):
        return None
    if not parts:
        return "its cell was not found in the notebook"
    prose = {plain(cell.source) for cell in released}
    if any(_is_text(cell) and plain(cell.source) not in prose for cell in cells):
        return "its cell is as released, but the notebook has text in other cells"
    return None


def _is_text(cell: LabCell) -> bool:
    """Return whether a cell of the learner holds text, perhaps by mistake in a code cell."""
    return cell.role is None and bool(cell.source.strip()) and (cell.kind != "code" or _reads_like_text(cell.source))


def _reads_like_text(source: str) -> bool:
    """Return whether a source has only comments, or begins with four words."""
    code = [line for line in source.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    sentence = _SENTENCE.match(code[0]) if code else None
    return not code or bool(sentence and not keyword.iskeyword(sentence[1]))


class _Kit:
    """The released cells, by what identifies them."""

    def __init__(self, released: Sequence[LabCell]) -> None:
        self.sources = {key_of(cell): plain(cell.source) for cell in released if cell.role}
        self.by_source: dict[str, list[LabCell]] = {}
        for cell in released:
            self.by_source.setdefault(plain(cell.source), []).append(cell)
        self.tasks = [cell.name for cell in released if cell.role == "task"]
        self.questions = {
            line: cell.name
            for cell in released
            if cell.role == "written"
            for line in plain(cell.source).splitlines()
            if line == _first_line(cell.source) or len(line) >= TELLING_CHARS
        }
        self.prose = {_first_line(cell.source) for cell in released if cell.role is None}
        self.locked = [
            (key_of(cell), plain(cell.source).splitlines(), defined_names(cell.source))
            for cell in released
            if cell.role in LOCKED
        ]

    def known(self, cell: LabCell) -> LabCell | None:
        """Return the cell as its source, its definitions or its marks say, or None if these say nothing."""
        if same := self.by_source.get(plain(cell.source)) if cell.source.strip() else None:
            return _as(cell, next((each for each in same if key_of(each) == key_of(cell)), same[0]))
        if task := self._other_task(cell):
            return replace(cell, role="task", name=task)
        asked = [self.questions[line] for line in plain(cell.source).splitlines() if line in self.questions]
        if asked:
            return replace(cell, role="written", name=cell.name if cell.name in asked else asked[0])
        return cell if cell.role and _fits(cell) else None

    def is_exact(self, cell: LabCell) -> bool:
        """Return whether a cell has the source of the released cell that it is recognized as."""
        return plain(cell.source) == self.sources.get(key_of(cell))

    def is_edited_copy(self, cell: LabCell, exact: set[Key]) -> bool:
        """Return whether a learner made an own cell of a copy of a locked one, which is there unchanged (`exact`)."""
        if cell.role not in LOCKED or key_of(cell) not in exact or self.is_exact(cell):
            return False
        released = self.sources[key_of(cell)]
        is_variant = _first_line(cell.source) == _first_line(released)
        return cell.kind != "code" or not is_variant or not defined_names(cell.source) <= defined_names(released)

    def by_content(self, cell: LabCell, taken: set[Key]) -> LabCell:
        """Return a cell without marks as the released cell, none of `taken`, that it seems to be."""
        for role, name in self._candidates(cell):
            if role == "written" or (role, name) not in taken:
                return replace(cell, role=role, name=name)
        is_prose = _first_line(cell.source) in self.prose
        return replace(cell, role=None, name=None, kind="markdown" if is_prose else cell.kind)

    def _other_task(self, cell: LabCell) -> str | None:
        """Return the task that a marked cell defines if its mark names another cell."""
        if cell.role is None or (cell.role == "written" and cell.kind != "code"):
            return None
        of_the_mark = defined_names(self.sources.get(key_of(cell), ""))
        defined = defined_names(cell.source)
        if of_the_mark & defined and cell.role == "task":
            return None
        return next((task for task in self.tasks if task in defined - of_the_mark), None)

    def _candidates(self, cell: LabCell) -> Iterator[Key]:
        defined = defined_names(cell.source)
        if cell.kind == "code" or _begins_with_code(cell):
            yield from (("task", task) for task in self.tasks if task in defined)
        if cell.kind != "code":
            return
        if checked := _CHECKS.fullmatch(cell.source + "\n"):
            yield "check", checked[1]
        lines = plain(cell.source).splitlines()
        for key, released_lines, own in self.locked:
            if key[0] == "given":
                is_alike = bool(own) and own == defined
            else:
                is_alike = defined <= own and _are_alike(lines, released_lines)
            if is_alike:
                yield key


def _as(cell: LabCell, released: LabCell) -> LabCell:
    """Return a cell with the role of a released one; only tasks and given cells keep a wrong type."""
    kind = cell.kind if released.role in ("task", "given") else released.kind
    return replace(cell, role=released.role, name=released.name, kind=kind)


def _fits(cell: LabCell) -> bool:
    """Return whether a cell can be what its mark says: no task is text, and no written answer is code."""
    if cell.role == "written":
        return cell.kind != "code" or _reads_like_text(cell.source)
    return cell.role != "task" or cell.kind == "code" or _begins_with_code(cell)


def _begins_with_code(cell: LabCell) -> bool:
    return bool(_BEGINS_LIKE_CODE.match(cell.source))


def _first_line(source: str) -> str:
    return plain(source).partition("\n")[0]


def _are_alike(lines: list[str], released: list[str]) -> bool:
    """Return whether two cells have the same first line, or most lines in common."""
    shared = len(set(lines) & set(released))
    return lines[:1] == released[:1] or (shared >= SHARED_LINES_MIN and 1.5 * shared >= max(len(lines), len(released)))
