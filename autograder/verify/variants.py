"""Mutants and alternatives of a lab: the reference with one task replaced, read from each group's two files.

`mutants.py` and `alternatives.py` are read with `ast` and never executed. In them:

- `@mutant("name", CHECKS)` on a function or class is a wrong version of the task of that name (or of `task="…"`);
- `mutant("name", CHECKS, ("old", "new"), …)` is a base version with edits. The base is what the nearest `reference` or
  `@right` above gives. Each old text occurs exactly once in it;
- `reference("count_words")` has the edits below it start from the reference's definition of that name;
- `@right` marks a right version that edits start from; it is verified like an alternative;
- `@alternative("name")` is another right solution.

CHECKS is the name of a check or a list of names: all checks that must catch the mutant. It may use constants of the
file. A variant includes the imports, constants and undecorated definitions of its file that it uses.
"""

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.verify.reach import used_names
from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.loader import RUN_ON_LOADING

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
MARKS = ("mutant", "reference", "right", "alternative")


@dataclass(frozen=True)
class Variant:
    """One mutant (`killed_by` names its checks) or one right version; `code` follows the reference's cells."""

    task: str
    name: str
    killed_by: frozenset[str]
    code: str


class BadVariant(ValueError):
    """A file of variants that cannot be read; the text names the file, the line and the expected form."""


def mutants_of(stage: Path, tasks: Collection[str], cells: list[LabCell]) -> list[Variant]:
    """Return the mutants of all groups of a lab's `stage` folder; `cells` are the reference's."""
    read = (_File(path, tasks, cells).variants("mutant") for path in sorted(stage.glob("*/mutants.py")))
    return _each_once([variant for variants in read for variant in variants], stage)


def alternatives_of(stage: Path, tasks: Collection[str], cells: list[LabCell]) -> list[Variant]:
    """Return the alternative solutions of all groups, and the right versions that mutants start from."""
    others = [_File(path, tasks, cells).variants("alternative") for path in sorted(stage.glob("*/alternatives.py"))]
    bases = [_File(path, tasks, cells).variants("right") for path in sorted(stage.glob("*/mutants.py"))]
    return _each_once([variant for variants in [*others, *bases] for variant in variants], stage)


def _each_once(variants: list[Variant], stage: Path) -> list[Variant]:
    names = [variant.name for variant in variants]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise BadVariant(f"{stage.name}: two variants have the name {twice[0]}; expected unique names")
    return variants


@dataclass(frozen=True)
class _Base:
    """The version that edits start from: where it stands, its text, and the name that it defines."""

    origin: str
    text: str
    name: str


@dataclass
class _Parts:
    """The definitions that make up one variant, in order."""

    task: str
    killed_by: frozenset[str]
    nodes: list[Definition] = field(default_factory=list)
    edited: str = ""


class _File:
    """One file of variants."""

    def __init__(self, path: Path, tasks: Collection[str], cells: list[LabCell]) -> None:
        self.path, self.tasks, self.cells = path, tasks, cells
        self.source = path.read_text(encoding="utf-8")
        self.tree = ast.parse(self.source, path.name)
        self.constants = dict(_constants(self.tree))

    def variants(self, kind: str) -> list[Variant]:
        """Return the variants of one kind, in the order of the file."""
        found: dict[str, _Parts] = {}
        base: _Base | None = None
        for node in self.tree.body:
            mark = _mark_of(node)
            if isinstance(node, Definition) and mark and mark[0] == "right":
                base = _Base(self.path.name, self._text(node), node.name)
            elif mark and mark[0] == "reference" and mark[1] and kind == "mutant":
                base = self._reference(self._value(mark[1].args[0], node), node)
            if mark and mark[0] == kind:
                self._add(found, node, mark[1], base)
        return [self._variant(name, parts) for name, parts in found.items()]

    def _add(self, found: dict[str, _Parts], node: ast.stmt, call: ast.Call | None, base: _Base | None) -> None:
        options = {each.arg: self._value(each.value, node) for each in call.keywords} if call else {}
        if unknown := next((each for each in options if each != "task"), None):
            raise self._bad(node, f"{unknown} is no option; expected task")
        arguments = [self._value(each, node) for each in call.args] if call else []
        name = str(arguments[0]) if arguments else "right"
        killed_by = arguments[1] if len(arguments) > 1 else []
        checks = frozenset([killed_by] if isinstance(killed_by, str) else killed_by)
        if isinstance(node, Definition):
            task, edited = str(options.get("task", node.name)), ""
        else:
            if base is None:
                raise self._bad(node, 'no base precedes this mutant; add reference("…") or a @right version')
            task, edited = str(options.get("task", base.name)), self._edited(base, arguments[2:], node)
        if task not in self.tasks:
            raise self._bad(node, f'{task} is no task of this lab; name the task with task="…"')
        parts = found.setdefault(f"{task}__{name}", _Parts(task, checks))
        if isinstance(node, Definition):
            parts.nodes.append(node)
        else:
            parts.edited = edited
        if _mark_of(node, "mutant") and not checks:
            raise self._bad(node, f"mutant {name} names no check that must catch it")

    def _reference(self, name: str, node: ast.stmt) -> _Base:
        for cell in self.cells:
            if cell.kind == "code" and cell.role in RUN_ON_LOADING:
                for each in ast.parse(cell.source).body:
                    if isinstance(each, Definition) and each.name == name:
                        return _Base("the reference", _segment(cell.source, each), name)
        raise self._bad(node, f"the reference defines no {name}")

    def _edited(self, base: _Base, edits: list[Any], node: ast.stmt) -> str:
        if not edits:
            raise self._bad(node, 'a mutant without a definition needs edits: ("old text", "new text")')
        text = base.text
        for old, new in edits:
            if (count := text.count(old)) != 1:
                why = f"{old!r} occurs {count} times in {base.origin}; the old text of an edit must occur once"
                raise self._bad(node, why)
            text = text.replace(old, new)
        try:
            ast.parse(text)
        except SyntaxError as problem:
            raise self._bad(node, f"the edited version is not Python: {problem.msg}") from None
        return text

    def _variant(self, name: str, parts: _Parts) -> Variant:
        own = [*([parts.edited] if parts.edited else []), *(self._text(node) for node in parts.nodes)]
        code = "\n\n\n".join([*self._dependencies(own), *own])
        return Variant(parts.task, name, parts.killed_by, code + "\n")

    def _dependencies(self, own: list[str]) -> list[str]:
        """Return imports, constants and plain definitions of this file that the variant uses, even indirectly."""
        wanted = set().union(*(used_names(ast.parse(text)) for text in own))
        taken: set[ast.stmt] = set()
        while True:
            more = {node for node in self.tree.body if node not in taken and self._is_helper(node, wanted)}
            if not more:
                break
            taken |= more
            wanted |= set().union(*(used_names(node) for node in more))
        return [self._text(node) for node in self.tree.body if node in taken]

    def _is_helper(self, node: ast.stmt, wanted: set[str]) -> bool:
        if isinstance(node, ast.Import | ast.ImportFrom):
            ours = isinstance(node, ast.ImportFrom) and str(node.module).startswith("autograder.")
            return not ours and any((each.asname or each.name).partition(".")[0] in wanted for each in node.names)
        if isinstance(node, Definition):
            return _mark_of(node) is None and node.name in wanted
        if isinstance(node, ast.Assign):
            return any(getattr(target, "id", "") in wanted for target in node.targets)
        return False

    def _text(self, node: ast.stmt) -> str:
        if isinstance(node, Definition):
            return _segment(self.source, node, without_marks=True)
        return ast.get_source_segment(self.source, node) or ""

    def _value(self, node: ast.expr, at: ast.stmt) -> Any:
        if isinstance(node, ast.Name) and node.id in self.constants:
            return self._value(self.constants[node.id], at)
        if isinstance(node, ast.List | ast.Tuple):
            values = [self._value(each, at) for each in node.elts]
            return values if isinstance(node, ast.List) else tuple(values)
        try:
            return ast.literal_eval(node)
        except ValueError:
            raise self._bad(at, f"{ast.unparse(node)} is neither a literal nor a constant of this file") from None

    def _bad(self, node: ast.stmt, why: str) -> BadVariant:
        return BadVariant(f"{self.path.parent.name}/{self.path.name} line {node.lineno}: {why}")


def _mark_of(node: ast.stmt, name: str | None = None) -> tuple[str, ast.Call | None] | None:
    """Return a statement's mark, as ("mutant", its call): a definition's decorator, or a call as a statement."""
    marks: list[ast.expr] = []
    if isinstance(node, Definition):
        marks = node.decorator_list
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        marks = [node.value]
    for mark in marks:
        function = mark.func if isinstance(mark, ast.Call) else mark
        if isinstance(function, ast.Name) and function.id in MARKS and name in (None, function.id):
            return function.id, mark if isinstance(mark, ast.Call) else None
    return None


def _constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value


def _segment(source: str, node: Definition, *, without_marks: bool = False) -> str:
    """Return the text of a definition with its decorators, if `without_marks` without those in `MARKS`."""
    kept = [each for each in node.decorator_list if not (without_marks and _is_mark(each))]
    decorators = [f"@{ast.get_source_segment(source, each)}" for each in kept]
    return "\n".join([*decorators, *source.split("\n")[node.lineno - 1 : node.end_lineno]])


def _is_mark(decorator: ast.expr) -> bool:
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(function, ast.Name) and function.id in MARKS
