"""Carries a learner's notebook of an older release over to the present one, and says what became of each part.

The learner's answers and added cells are carried; all other cells are the present release's. A task that was not
solved gets the present stub. A task that does not exist any more is kept where it was, as an added cell with a mark; if
its name is given now, it is kept as text, which does not replace what is given.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from nbformat import NotebookNode

from autograder.releases.moved_modules import moved_imports
from autograder.releases.notebook_with_answers import OWN_ROLES, Key, key_of, with_answers
from autograder.releases.old_notebook import OldCell, OldNotebook
from autograder.releases.stubs import changed_parameters, is_stub
from autograder.releases.written_answers import carried_answer
from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.recognition import defined_names

NEW, NOT_WRITTEN, CARRIED = "new, not written yet", "not written yet", "carried"
OTHER_QUESTION = "carried with its old question; compare it with the question in labs/"
GONE = "not a {} any more; your cell is kept with a mark"
KIND = {"task": "task", "written": "question"}
GIVEN = "given now; your cell is kept as text"
MARK = "**Kept from release {release}.** `{name}` is not in this lab any more."


@dataclass(frozen=True)
class CarriedOver:
    """The notebook of the present release with a learner's work.

    `parts` says what became of each part: (name, words). `moved` has a sentence for each import of a moved module.
    """

    notebook: NotebookNode
    parts: list[tuple[str, str]]
    moved: list[str]


def carried_over(old: OldNotebook, released: NotebookNode) -> CarriedOver:
    """Carry the work in `old` over to `released`."""
    stubs = {key: cell.source for cell in released.cells if (key := key_of(cell))[0] in OWN_ROLES}
    own = _by_key(old.cells)
    found = {key: _answer(key, own.get(key, []), stub) for key, stub in stubs.items()}
    gone = [key for key, cells in own.items() if key not in stubs and not all(map(_is_unsolved, cells))]
    sources = {key: stubs[key] if answer is None else answer for key, (answer, _) in found.items()}
    given = {name for cell in released.cells if key_of(cell)[0] == "given" for name in defined_names(cell.source)}
    cells = [cell for each in old.cells for cell in _carried(each, own, sources, gone, given, old.release or "unknown")]
    notebook = with_answers(released, cells)
    parts = [(str(name), words) for (_, name), (_, words) in found.items()]
    parts += [(str(name), GIVEN if name in given else GONE.format(KIND[str(role)])) for role, name in gone]
    own_work = [each for each in cells if each.role is None or found.get((each.role, each.name), (None,))[0]]
    added = sum(cell.id.startswith("added-") for cell in notebook.cells) - 2 * sum(len(own[key]) for key in gone)
    return CarriedOver(notebook, [*parts, *_other_parts(added, old.changed)], list(_moved(own_work)))


def _by_key(cells: list[OldCell]) -> dict[Key, list[OldCell]]:
    """Return the cells of each task and question; the last one that defines a task comes last."""
    own: dict[Key, list[OldCell]] = {}
    for each in cells:
        if each.cell.role in OWN_ROLES:
            own.setdefault((each.cell.role, each.cell.name), []).append(each)
    for (role, name), found in own.items():
        if role == "task":
            found.sort(key=lambda each: name in defined_names(each.cell.source))
    return own


def _answer(key: Key, cells: list[OldCell], released: str) -> tuple[str | None, str]:
    """Return the source to carry, or None for the released one, and words for the learner."""
    if not cells:
        return None, NEW
    if key[0] == "written":
        touched = [each.cell.source for each in cells if not each.is_untouched]
        answer = carried_answer(touched, released)
        is_same = answer is not None and answer.startswith(released.rstrip())
        return answer, NOT_WRITTEN if answer is None else CARRIED if is_same else OTHER_QUESTION
    if _is_unsolved(cells[-1]):
        return None, NOT_WRITTEN
    changes = changed_parameters(cells[-1].cell.source, released)
    return cells[-1].cell.source, "; ".join([CARRIED, *changes, *["compare your cell with labs/"] * bool(changes)])


def _is_unsolved(old: OldCell) -> bool:
    source = old.cell.source
    return old.is_untouched or not source.strip() or is_stub(source, old.cell.name or "")


def _carried(
    old: OldCell, own: dict[Key, list[OldCell]], sources: dict[Key, str], gone: list[Key], given: set[str], release: str
) -> Iterator[LabCell]:
    """Yield what becomes of a cell; the parts of a split task that do not define it become added cells."""
    cell, key = old.cell, (old.cell.role, old.cell.name)
    added = replace(cell, role=None, name=None)
    if key not in own:
        yield cell
    elif key in gone:
        yield LabCell("markdown", MARK.format(release=release, name=cell.name))
        as_text = replace(added, kind="markdown", source=f"```python\n{cell.source}\n```")
        yield as_text if cell.name in given else added
    elif key in sources and old is own[key][-1]:
        yield replace(cell, source=sources[key])
    elif key in sources and cell.role == "task" and not _is_unsolved(old):
        yield added


def _other_parts(added: int, changed: list[str]) -> Iterator[tuple[str, str]]:
    if added:
        yield "added cells", f"{added} carried"
    if changed:
        yield "locked cells", f"your changes are not carried: {', '.join(changed)}"


def _moved(cells: list[LabCell]) -> Iterator[str]:
    for cell in cells:
        for before, now in moved_imports(cell.source).items() if cell.kind == "code" else ():
            yield f"your cell {cell.label.removeprefix('the cell ')} imports {before}; it is now {now}"
