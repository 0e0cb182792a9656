"""Finds work that is not where the judge reads it, and says in one line each what to do with it.

It arrives this way by e-mail and from course sites: under a browser's name for a second download, next to an untouched
starter, or as the archive of a whole class. The judge never guesses which file counts.
"""

import os
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from autograder.intake import Rejected, take_in_file
from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.recognition import LOCKED, plain, recognized

SEARCH_DEPTH = 3  # folders below a student's folder that are searched for a misplaced notebook
NOTEBOOKS_COMPARED_MAX, NAMES_SHOWN = 20, 3
ARCHIVES = frozenset({".zip", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".7z", ".rar"})
EXPORTS = frozenset({".py", ".html", ".htm", ".md"})  # what editors make of a notebook
# Moodle's folders, Canvas's "assignment_12345" and "doejane_123_456_lab.ipynb", Blackboard's "…_attempt_2026-11-20-…"
_SITES_FOLDER = re.compile(
    r"assignsubmission_|^assignment[ _-]?\d+|^submissions?$|_attempt_\d{4}-|^\d+-\d+ - |^drive-download-", re.I
)
_SITES_FILE = re.compile(r"^.+_\d+_\d+_.+|_attempt_\d{4}-|_assignsubmission_")
NOT_ENTRIES = frozenset({"__MACOSX"})  # what macOS adds to archives


def about_entry(entry: Path, lab: str, labs: Collection[str]) -> list[str]:
    """Return a sentence for each thing to move in an entry of submitted/: a student's folder, or what is none."""
    if entry.name.startswith(".") or entry.name in NOT_ENTRIES or os.path.islink(entry):
        return []
    if not entry.is_dir():
        return _about_file(entry, lab, labs)
    has_labs = any(os.path.lexists(entry / each) for each in labs)
    if not has_labs and (sentence := _about_sites_folder(entry, lab, labs)):
        return [sentence]
    named_by_site = has_labs and _SITES_FOLDER.search(entry.name)
    rename = ["named like a folder of a course site; if this is not the student's id, rename it"]
    return rename * bool(named_by_site) + _about_students_folder(entry, lab, labs, has_labs)


def why_not_judged(folder: Path, lab: str, released: Path) -> str | None:
    """Return why the notebook in a student's folder for `lab` is not judged as it is, with what to do; None if it is.

    The notebook is missing, or it is the released one without a change, and another one may be the student's work.
    """
    notebook = folder / f"{lab}.ipynb"
    try:
        notebook.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return f"expected {lab}/{lab}.ipynb, got {_found_instead(folder, lab)}"
    except OSError:  # intake says why it cannot be read
        return None
    others = [name for name, _ in _other_work(folder, lab, released)]
    others += [str(each.relative_to(folder.parent)) for each in _archives_in(folder)]
    if not others or not is_untouched(notebook, lab, released):
        return None
    return f"{lab}/{lab}.ipynb is the released notebook, unchanged; if {_listed(others, 'or')} counts, put it there"


def about_copies(folder: Path, lab: str, released: Path) -> list[str]:
    """Return a sentence if another notebook with tasks, or named like this one, is next to the one that is judged."""
    other_work = _other_work(folder, lab, released)
    copies = [name for name, work in other_work if _is_named_like(name, lab) or _has_tasks(work)]
    if not copies:
        return []
    return [f"{_listed(copies, 'or')} next to {lab}/{lab}.ipynb, which is judged; if it counts, put it there instead"]


def _about_file(file: Path, lab: str, labs: Collection[str]) -> list[str]:
    target = f"submitted/STUDENT/{lab}/{lab}.ipynb"
    if file.suffix.lower() in ARCHIVES:
        return [f"an archive; `./lab collect` takes that of a course site; move notebooks of any other to {target}"]
    if is_notebook(file.name) and not any(each in file.name for each in labs if each != lab):
        return [f"not in a student's folder; if it is for {lab}, move it to {target}"]
    return []


def _about_sites_folder(folder: Path, lab: str, labs: Collection[str]) -> str | None:
    """Return a sentence if the folder is from a course site's archive, or holds the folders of several students."""
    students = sorted(each.parent.name for each in folder.glob(f"*/{lab}") if not each.parent.is_symlink())
    if len(students) > 1:
        return f"holds the folders of {_listed(students, 'and')}; move them to submitted/"
    inside = [each.relative_to(folder) for each in _notebooks_in(folder, SEARCH_DEPTH)]
    notebooks = [each.name for each in inside if not _is_of_another(each, lab, labs)]
    named_by_site = [each.name for each in _notebooks_in(folder, depth=1) if _SITES_FILE.search(each.stem)]
    if not _SITES_FOLDER.search(folder.name) and not named_by_site:
        return None
    found = named_by_site or notebooks or [each.name for each in _archives_in(folder)]
    holds = f"with {_listed(found, 'and')}" if found else "without a notebook"
    where = f"submitted/STUDENT/{lab}/{lab}.ipynb"
    how = f"collect the site's archive with `./lab collect`, or move each student's notebook to {where}"
    return f"a folder of a course site, not a student's, {holds}; {how}"


def _about_students_folder(folder: Path, lab: str, labs: Collection[str], has_labs: bool) -> list[str]:
    """Return a sentence for each place in a student's folder where a notebook of `lab` may be misplaced.

    A student who has no folder of any lab gets one sentence. Next to a lab's folder, only a file that is named like
    `lab` counts, since the class may have other assignments.
    """
    places = _notebooks_outside_labs(folder, lab, labs)
    shown = [each for each in places if _is_named_like(each, lab)] if has_labs else places[:1]
    expected = f"submitted/{folder.name}/{lab}/{lab}.ipynb"
    if not places and not has_labs and (archives := _archives_in(folder)):
        return [f"{archives[0].name!r} is an archive; unpack it, and move its notebook for {lab} to {expected!r}"]
    inside = [each.relative_to(folder) for each in _notebooks_in(folder, SEARCH_DEPTH)]
    several = [str(each) for each in inside if not has_labs and not _is_of_another(each, lab, labs)]
    if len(several) > 1:
        each_to = f"if they are for {lab}, move each to submitted/STUDENT/{lab}/{lab}.ipynb"
        return [f"{_listed(several, 'and')} are not in the folder of a lab; {each_to}"]
    outside = "is not in the folder of a lab"
    return [f"{str(each)!r} {outside}; if it is for {lab}, move it to {expected!r}" for each in shown]


def _notebooks_outside_labs(folder: Path, lab: str, labs: Collection[str]) -> list[Path]:
    """Return one notebook directly in `folder`, and one from each folder in it that is not named like a lab.

    The paths are relative to `folder`. Hidden files and folders, links, and files named like another lab do not count.
    """
    found: dict[str, Path] = {}
    for where, folders, files in os.walk(folder):
        place = Path(where).relative_to(folder)
        below = [each for each in folders if not each.startswith(".") and str(place / each) not in labs]
        folders[:] = sorted(below) if len(place.parts) < SEARCH_DEPTH else []
        for name in sorted(files, key=lambda each: (each != f"{lab}.ipynb", not _is_named_like(Path(each), lab), each)):
            path = place / name
            if is_notebook(name) and not _is_of_another(path, lab, labs):
                found.setdefault(place.parts[0] if place.parts else "", path)
    return list(found.values())


def _found_instead(folder: Path, lab: str) -> str:
    if not folder.is_dir():
        return f"a file in place of the folder {lab}; move it into a folder of this name"
    if notebooks := _notebooks_in(folder, SEARCH_DEPTH):
        named = [str(each.relative_to(folder)) for each in notebooks]
        which = "it" if len(named) == 1 else "the one that counts"
        return f"{_listed(named, 'and')}; move {which} to {lab}/{lab}.ipynb"
    if archives := _archives_in(folder):
        return f"the archive {archives[0].name!r}; unpack its notebook to {lab}/{lab}.ipynb"
    exports = [str(each.relative_to(folder)) for each in _files_in(folder, SEARCH_DEPTH) if each.suffix in EXPORTS]
    what = f"{_listed(sorted(exports), 'and')} without a notebook" if exports else "a folder without a notebook"
    return f"{what}; ask the student for it"


def _other_work(folder: Path, lab: str, released: Path) -> list[tuple[str, list[LabCell] | None]]:
    """Return the other notebooks in the student's folders that hold other work than the judged one, with this work.

    These are the notebooks in the folder of `lab`, and those directly in the student's folder that are named like it.
    """
    inside = [each for each in _notebooks_in(folder, SEARCH_DEPTH) if each != folder / f"{lab}.ipynb"]
    outside = [each for each in _notebooks_in(folder.parent, depth=1) if _is_named_like(each, lab)]
    others = [*inside, *outside][:NOTEBOOKS_COMPARED_MAX]
    if not others:
        return []
    known = [[], _work(folder / f"{lab}.ipynb", lab, released)]
    works = [(str(each.relative_to(folder.parent)), _work(each, lab, released)) for each in others]
    return [(name, work) for name, work in works if work not in known]


def _has_tasks(work: list[LabCell] | None) -> bool:
    return any(cell.role == "task" for cell in work or [])


def _notebooks_in(folder: Path, depth: int) -> list[Path]:
    """Return the notebooks in `folder` and in the folders below it, `depth` levels in all, without hidden ones."""
    return sorted(each for each in _files_in(folder, depth) if is_notebook(each.name))


def _archives_in(folder: Path) -> list[Path]:
    return sorted(each for each in _files_in(folder, SEARCH_DEPTH) if each.suffix.lower() in ARCHIVES)


def _files_in(folder: Path, depth: int) -> Iterator[Path]:
    for where, folders, files in os.walk(folder):
        levels = len(Path(where).relative_to(folder).parts) + 1
        folders[:] = [each for each in folders if not each.startswith(".") and levels < depth]
        yield from (Path(where, each) for each in files if not each.startswith("."))


def is_untouched(notebook: Path, lab: str, released: Path) -> bool:
    """Return whether a notebook has no code and no answer of its own; False if it cannot be read: intake says why."""
    work = _work(notebook, lab, released)
    return work is not None and not any(cell.kind == "code" or cell.role == "written" for cell in work)


def _work(notebook: Path, lab: str, released: Path) -> list[LabCell] | None:
    """Return the cells that differ from those of the released notebook, or None if the notebook cannot be read."""
    try:
        kit = take_in_file(released, lab).cells
        cells = recognized(take_in_file(notebook, lab).cells, kit)
    except Rejected:
        return None
    as_released = {plain(cell.source) for cell in kit}
    return [
        LabCell(cell.kind, plain(cell.source), cell.role, cell.name)
        for cell in cells
        if cell.role not in LOCKED and plain(cell.source) not in as_released | {""}
    ]


def is_notebook(name: str) -> bool:
    """Return whether a file is a notebook by its name, to which browsers add more. Example: "lab.ipynb.txt"."""
    return ".ipynb" in name.lower() and Path(name).suffix.lower() not in ARCHIVES and not name.startswith(".")


def _is_of_another(path: Path, lab: str, labs: Collection[str]) -> bool:
    """Return whether a file or one of its folders is named like another lab."""
    return any(part != lab and part in labs for part in path.with_suffix("").parts)


def _is_named_like(path: Path | str, lab: str) -> bool:
    """Return whether a file is named like the lab. Example: "Copy of Lab01_wordcount (1).ipynb"."""
    return lab.lower() in Path(path).name.lower()


def _listed(names: Sequence[str], last: str) -> str:
    """Return up to three names. Example: _listed(["a", "b"], "or") -> "'a' or 'b'"."""
    shown = [repr(each) for each in names[:NAMES_SHOWN]]
    if len(names) > NAMES_SHOWN:
        return f"{', '.join(shown)}, and {len(names) - NAMES_SHOWN} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {last} {shown[-1]}"
