"""A learner's work is carried over to a new release, whatever the release and editors changed."""

import json
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from autograder.releases.carry_over import carried_over
from autograder.releases.old_notebook import read_old
from streamlab.notebooks.labfile import LabCell, lab_of_bytes, reference_cells
from streamlab.notebooks.loader import RUN_ON_LOADING
from tests.autograder.releases.notebooks import added, carry, cell, notebook, prose, question, solved, task

ROOT = Path(__file__).resolve().parents[3]
LABS = sorted(path.name for path in (ROOT / "labs").iterdir())
MINE = "def f(n):\n    return n"


def sources(found: NotebookNode) -> list[str]:
    return [each.source for each in found.cells]


def loaded(found: NotebookNode) -> list[tuple[str | None, str | None, str]]:
    cells = lab_of_bytes(nbformat.writes(found).encode(), Path("lab.ipynb")).cells
    return [(each.role, each.name, each.source) for each in cells if each.role in RUN_ON_LOADING and _is_code(each)]


def _is_code(each: LabCell) -> bool:
    return each.kind == "code"


@pytest.mark.parametrize("lab", LABS)
def test_the_same_code_is_loaded_from_a_half_solved_notebook_after_the_update(lab: str) -> None:
    released = nbformat.read(ROOT / "labs" / lab / f"{lab}.ipynb", as_version=4)
    old = nbformat.read(ROOT / "labs" / lab / f"{lab}.ipynb", as_version=4)
    right = {each.name: each.source for each in reference_cells(ROOT, lab) if each.role == "task"}
    tasks = [each for each in old.cells if each.id.startswith("task-")]
    for each in tasks[::2]:
        each.source = right[each.metadata.streamlab.name]
    old.cells.insert(old.cells.index(tasks[0]) + 1, added("helper = 1"))
    old.metadata.streamlab.release = "2026.1"

    result = carried_over(read_old(nbformat.writes(old).encode(), Path(f"{lab}.ipynb"), released), released)

    assert loaded(result.notebook) == loaded(old)
    words = [words for name, words in result.parts if name in right]
    assert words == [("carried", "not written yet")[number % 2] for number in range(len(tasks))]
    assert result.parts[-1] == ("added cells", "1 carried")
    assert [each for each in result.notebook.cells if not each.id.startswith(("task", "added"))] == [
        each for each in released.cells if not each.id.startswith("task")
    ]


def test_an_unsolved_task_gets_the_stub_of_the_new_release() -> None:
    result = carry(notebook(task("f", todo="old words")), notebook(task("f", todo="new words")))

    assert "new words" in sources(result.notebook)[0]
    assert result.parts == [("f", "not written yet")]


def test_a_stub_without_its_checksum_gets_the_new_stub_too() -> None:
    old = task("f", todo="old words")
    del old.metadata["nbgrader"]

    assert "new words" in sources(carry(notebook(old), notebook(task("f", todo="new words"))).notebook)[0]


def test_a_task_whose_parameters_changed_is_carried_and_named() -> None:
    result = carry(notebook(solved(task("f"), MINE)), notebook(task("f", "n, k=1")))

    assert sources(result.notebook) == [MINE]
    assert result.parts == [
        ("f", "carried; f has the parameters (n, k=1) now, in your cell (n); compare your cell with labs/")
    ]


def test_a_new_task_is_reported() -> None:
    assert carry(notebook(task("f")), notebook(task("f"), task("g"))).parts[1] == ("g", "new, not written yet")


def test_a_task_that_is_gone_is_kept_with_a_mark_where_it_was() -> None:
    old = notebook(task("f"), solved(task("gone"), "def gone():\n    pass"), task("h"), release="2026.1")

    result = carry(old, notebook(task("f"), task("h")))

    mark, kept = result.notebook.cells[1:3]
    assert mark.source == "**Kept from release 2026.1.** `gone` is not in this lab any more."
    assert (kept.source, kept.metadata) == ("def gone():\n    pass", {})
    assert result.parts[2:] == [("gone", "not a task any more; your cell is kept with a mark")]


def test_a_task_that_is_given_now_is_kept_as_text_and_replaces_nothing() -> None:
    old = notebook(task("f"), solved(task("gone"), "def gone():\n    pass"), release="2026.1")

    result = carry(old, notebook(task("f"), cell("given", "gone", "def gone():\n    return 1")))

    texts = [each.source for each in result.notebook.cells if each.cell_type == "markdown"]
    assert texts == [
        "**Kept from release 2026.1.** `gone` is not in this lab any more.",
        "```python\ndef gone():\n    pass\n```",
    ]
    assert [each.source for each in result.notebook.cells if "return 1" in each.source] == ["def gone():\n    return 1"]
    assert result.parts[1:] == [("gone", "given now; your cell is kept as text")]


def test_an_unsolved_task_that_is_gone_leaves_nothing() -> None:
    assert len(carry(notebook(task("f"), task("gone")), notebook(task("f"))).notebook.cells) == 1


def test_cells_of_the_kit_come_from_the_new_release_only() -> None:
    old = notebook(
        prose(1, "# Old"), cell("given", "setup", "import old"), cell("show", "1", "old"), cell("check", "g", "check()")
    )
    released = notebook(prose(1, "# New"), cell("given", "setup", "import new"))

    assert sources(carry(old, released).notebook) == ["# New", "import new"]


def test_a_cell_of_the_kit_that_is_gone_is_no_added_cell_though_another_has_its_name_now() -> None:
    old = notebook(task("f"), cell("show", "1", "print(1)"), cell("show", "2", "print(2)"), release="2026.1")

    assert sources(carry(old, notebook(task("f"), cell("show", "1", "print(2)"))).notebook)[1:] == ["print(2)"]


def test_a_change_in_a_locked_cell_is_reported_and_not_carried() -> None:
    given = cell("given", "setup", "import a")

    result = carry(notebook(solved(given, "import b")), notebook(given))

    assert sources(result.notebook) == ["import a"]
    assert result.parts == [("locked cells", "your changes are not carried: given-setup")]


def test_added_cells_follow_the_cell_that_they_followed() -> None:
    old = notebook(task("f"), added("x = 1"), added("a *note*", "markdown"), task("g"))

    result = carry(old, notebook(task("f"), prose(1, "New"), task("g")))

    assert sources(result.notebook)[1:3] == ["x = 1", "a *note*"]


def test_the_part_of_a_split_task_that_does_not_define_it_is_kept_before_it() -> None:
    halves = [solved(task("f"), "def helper():\n    pass"), solved(task("f"), MINE)]

    result = carry(notebook(*halves), notebook(task("f")))

    assert sources(result.notebook) == ["def helper():\n    pass", MINE]
    assert result.notebook.cells[1].id == "task-f"


@pytest.mark.parametrize("lost", ["metadata", "ids", "both"])
def test_answers_are_recognized_without_metadata_or_ids(lost: str) -> None:
    released = [prose(1, "# Title\n\nNew."), cell("given", "setup", "import a"), task("f"), question("why")]
    released += [cell("check", "f", 'check("f")'), cell("show", "1", "# Notice\nf(1)")]
    old = [prose(1, "# Title\n\nOld."), *released[1:2], solved(task("f"), MINE)]
    old += [solved(released[3], released[3].source + "Because."), *released[4:], added("mine = 1")]
    raw = json.loads(json.dumps(notebook(*old, release="2026.1")))
    for each in raw["cells"]:
        each["metadata"] = each["metadata"] if lost == "ids" else {}
        if lost != "metadata":
            del each["id"]

    result = carry(raw, notebook(*released))

    expected = sources(notebook(*released))
    assert sources(result.notebook) == [
        *expected[:2],
        MINE,
        expected[3].rstrip() + "\n\nBecause.",
        *expected[4:],
        "mine = 1",
    ]


def test_imports_of_moved_modules_are_named_in_carried_cells_only() -> None:
    old = notebook(
        cell("given", "setup", "import streamlab.wire"),
        solved(task("f"), "def f(n):\n    from streamlab.engine import windows"),
        added("%time 1\nimport streamlab.fixes"),
    )

    result = carry(old, notebook(task("f")))

    assert result.moved == [
        "your cell f imports streamlab.engine; it is now streamlab.lab04_subqueries.engine",
        "your cell “%time 1” imports streamlab.fixes; it is now streamlab.lab08_geofencing.gps_fixes",
    ]


def test_outputs_are_dropped() -> None:
    old = solved(task("f"), MINE)
    old.outputs = [nbformat.v4.new_output("stream", text="x")]

    assert carry(notebook(old), notebook(task("f"))).notebook.cells[0].outputs == []
