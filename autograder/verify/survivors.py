"""Automatic mutants that no check can catch, as listed in each group's `mutants.py`, each with its reason.

`survivor("deliver", "line of the reference", "changed line", reason="equivalent: …")`; the files are read with `ast`.
Whitespace does not count. An entry whose line no longer exists is an error; an entry that a check catches is a hole.
"""

import ast
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from autograder.verify.automatic import Automatic, as_line
from autograder.verify.variants import BadVariant

FORM = 'survivor("task", "line before", "line after", reason="equivalent: …")'


@dataclass(frozen=True)
class Survivor:
    """One entry; `place` is its file and line."""

    task: str
    before: str
    after: str
    reason: str
    place: str

    @property
    def change(self) -> tuple[str, str, str]:
        """The change that this entry lists."""
        return self.task, self.before, self.after


def survivors_of(stage: Path) -> list[Survivor]:
    """Return the entries of all groups of a lab's `stage` folder."""
    return [each for path in sorted(stage.glob("*/mutants.py")) for each in _read(path)]


def _read(path: Path) -> Iterable[Survivor]:
    for node in ast.parse(path.read_text(encoding="utf-8"), path.name).body:
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "survivor":
            place = f"{path.parent.name}/{path.name} line {node.lineno}"
            texts = [each.value for each in call.args if isinstance(each, ast.Constant)]
            reasons = [each.value.value for each in call.keywords if isinstance(each.value, ast.Constant)]
            if len(texts) != 3 or len(reasons) != 1 or not str(reasons[0]).strip():
                raise BadVariant(f"{place}: expected {FORM}, with string literals only")
            task, before, after = (str(each) for each in texts)
            yield Survivor(task, as_line(before), as_line(after), str(reasons[0]), place)


def must_exist(listed: Collection[Survivor], made: Collection[Automatic]) -> None:
    """Raise `BadVariant` for an entry whose change no operator makes."""
    changes = {each.change for each in made}
    for each in listed:
        if each.change not in changes:
            raise BadVariant(f"{each.place}: no operator turns “{each.before}” of {each.task} into “{each.after}”")


def as_entry(mutant: Automatic) -> str:
    """Return a line to paste into `mutants.py`; the author completes the reason."""
    return f'survivor({mutant.task!r}, {mutant.before!r}, {mutant.after!r}, reason="equivalent: ")'
