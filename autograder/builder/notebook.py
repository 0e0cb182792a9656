"""Turns a lab's source into a notebook with its solutions: roles become nbgrader's metadata, cell ids are names.

The metadata follows nbgrader's schema 3. `release` removes the solutions.
"""

import base64
from pathlib import Path

import yaml
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.builder.rules import checked_source
from autograder.builder.source import todo
from autograder.course import Course, Lab, Task
from streamlab.notebooks.labfile import LabCell
from streamlab.views.labs_map import labs_in_words, labs_map
from streamlab.views.state_diagram import Arrow, state_diagram, states_in_words

SCHEMA_VERSION = 3
INVARIANTS = "{invariants}"
KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}

WRITE_HERE = "\n\n*Write your answer below this line.*\n\n---\n"

# How nbgrader treats a cell of each role: (grade, solution, locked)
_TREATMENT = {
    "given": (False, False, True),
    "show": (False, False, True),
    "task": (False, True, False),
    "check": (True, False, True),
    "written": (True, True, False),
}


def reference_notebook(root: Path, course: Course, lab: str) -> NotebookNode:
    """Return the notebook of `lab` with its solutions, without outputs; raises SourceError with every broken rule."""
    part, fill = course.labs[lab], _placeholders(root, course, lab)
    notebook = new_notebook()
    notebook.metadata = NotebookNode(
        kernelspec=NotebookNode(KERNEL),
        language_info=NotebookNode(name="python"),
        streamlab=NotebookNode(lab=lab, release=course.release),
    )
    seen: dict[str, int] = {}
    for cell in checked_source(root, course, lab):
        notebook.cells.append(_cell(cell, part, fill, _name(cell, seen)))
    return notebook


def _name(cell: LabCell, seen: dict[str, int]) -> str:
    """Return a cell's name, or its number among the unnamed cells of its role: "2"."""
    if cell.role is not None and cell.name:
        return cell.name
    role = cell.role or "prose"
    seen[role] = seen.get(role, 0) + 1
    return str(seen[role])


def _cell(cell: LabCell, lab: Lab, fill: dict[str, str], name: str) -> NotebookNode:
    cell_id = f"{cell.role or 'prose'}-{name}"
    if cell.role == "written":
        question = _filled(cell.source, fill | {"{points}": f"{lab.written[name]:g}"})
        new_cell = new_markdown_cell(question + WRITE_HERE, id=cell_id)
    elif cell.kind == "markdown":
        new_cell = new_markdown_cell(_filled(cell.source, fill), id=cell_id)
    else:
        new_cell = new_code_cell(cell.source, id=cell_id)
    if cell.role is not None:
        new_cell.metadata = _metadata(cell, lab, name, cell_id)
    return new_cell


def _metadata(cell: LabCell, lab: Lab, name: str, cell_id: str) -> NotebookNode:
    grade, solution, locked = _TREATMENT[cell.role or ""]
    nbgrader = NotebookNode(
        schema_version=SCHEMA_VERSION, grade_id=cell_id, grade=grade, solution=solution, locked=locked, task=False
    )
    if grade:
        nbgrader.points = _whole(lab.written[name] if cell.role == "written" else _core_points(lab.tasks[name]))
    ours = NotebookNode(role=cell.role, name=name)
    if cell.role == "task":
        ours.todo = todo(cell)  # `release` removes it
    metadata = NotebookNode(nbgrader=nbgrader, streamlab=ours, deletable=False)
    if locked:
        metadata.editable = False
    return metadata


def _core_points(task: Task) -> float:
    """Return the points of a check cell: 0 for a bonus task, since nbgrader adds up the points of all cells."""
    return 0.0 if task.bonus else task.points


def _whole(points: float) -> int | float:
    """Return 4.0 as 4, as course.yml writes it."""
    return int(points) if points == int(points) else points


def _placeholders(root: Path, course: Course, lab: str) -> dict[str, str]:
    """Map each placeholder that prose may use to its current value."""
    part, tasks = course.labs[lab], course.tasks_of_parts()
    filled = {
        "{map}": f"![{labs_in_words(tasks, lab)}][map]",
        "{map.svg}": _as_address(labs_map(tasks, lab)),
        "{checks}": _checks_table(part),
        "{points}": f"{part.points:g}",
        "{minutes}": part.stated_minutes,
        "{release}": course.release,
    }
    filled |= {
        f"{{threshold of {task}}}": f"{entry.throughput.threshold:g}"
        for task, entry in part.tasks.items()
        if entry.throughput
    }
    stage = root / "autograder" / "stages" / lab
    if (path := stage / "invariants.yml").is_file():
        filled[INVARIANTS] = _numbered(path)
    return filled | _states(path) if (path := stage / "states.yml").is_file() else filled


def _states(path: Path) -> dict[str, str]:
    """Return the placeholders of the picture that a lab's states.yml describes."""
    picture = yaml.safe_load(path.read_text(encoding="utf-8"))
    title, arrows = picture["title"], [Arrow(*each) for each in picture["arrows"]]
    return {
        "{states}": f"![{states_in_words(title, arrows)}][states]",
        "{states.svg}": _as_address(state_diagram(title, picture["places"], arrows)),
    }


def _as_address(svg: str) -> str:
    """Return a picture as an address: JupyterLab shows no attachment that is an SVG, and removes SVG from markdown."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def _filled(text: str, values: dict[str, str]) -> str:
    for placeholder, value in values.items():
        text = text.replace(placeholder, value)
    return text


def _numbered(path: Path) -> str:
    sentences = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    return "\n".join(f"{number}. {sentences[number]}" for number in sorted(sentences))


def _checks_table(lab: Lab) -> str:
    rows = ["| task | what is checked | points |", "|---|---|--:|"]
    for task, entry in lab.tasks.items():
        star = "★ " if entry.bonus else ""
        for check, points in entry.checks.items():
            rows.append(f"| {star}`{task}` | {check.replace('_', ' ')} | {points:g} |")
        if entry.throughput:
            claim = f"throughput check: {entry.throughput.threshold:g} times the rate of the baseline"
            rows.append(f"| `{task}` | {claim} | {entry.throughput.points:g} |")
    return "\n".join(rows)
