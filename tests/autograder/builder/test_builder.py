"""The files that `./lab build` writes, and the problems that `./lab build --check` reports."""

import base64
import json
import re
from pathlib import Path

import pytest

from autograder.builder import SourceError, build, stale
from tests.autograder.builder.small_course import SmallCourse

README = "# Small\n\nby hand\n<!-- generated: labs -->\nold\n<!-- /generated -->\nmore by hand\n"


def test_two_builds_give_the_same_bytes(small: SmallCourse) -> None:
    build(small.root)
    first = small.notebook_path.read_bytes()
    small.notebook_path.unlink()

    build(small.root)

    assert small.notebook_path.read_bytes() == first


def test_a_fresh_build_is_up_to_date_and_every_change_of_a_generated_file_makes_it_stale(small: SmallCourse) -> None:
    readme = small.root / "README.md"
    readme.write_text(README, encoding="utf-8")
    build(small.root)
    assert stale(small.root) == []

    readme.write_text(readme.read_text(encoding="utf-8").replace("Small numbers", "Big numbers"), encoding="utf-8")
    small.notebook_path.unlink()
    (small.root / "docs" / "system.svg").write_text("<svg/>", encoding="utf-8")
    (small.root / "labs" / "old.ipynb").write_text("{}", encoding="utf-8")

    assert stale(small.root) == [
        "labs/lab01_small/lab01_small.ipynb is missing; run `./lab build`",
        "README.md is out of date; run `./lab build`",
        "docs/system.svg is out of date; run `./lab build`",
        "labs/old.ipynb has no source; delete it, or add its lab to course.yml",
    ]


def test_a_change_of_points_makes_the_notebook_stale(small: SmallCourse) -> None:
    build(small.root)
    course = small.root / "course.yml"
    text = course.read_text(encoding="utf-8")

    course.write_text(text.replace("it_doubles: 2", "it_doubles: 4").replace("points: 9", "points: 11"), "utf-8")

    assert stale(small.root) == ["labs/lab01_small/lab01_small.ipynb is out of date; run `./lab build`"]


def test_build_writes_only_between_the_markers_of_the_readme(small: SmallCourse) -> None:
    readme = small.root / "README.md"
    readme.write_text(README, encoding="utf-8")

    build(small.root)

    lines = readme.read_text(encoding="utf-8").split("\n")
    assert lines[:4] == ["# Small", "", "by hand", "<!-- generated: labs -->"]
    assert lines[6].endswith("| Small numbers | ~10 | Python | nothing | 9 | not verified |")
    assert lines[-3:] == ["<!-- /generated -->", "more by hand", ""]


def test_the_readme_shows_the_mutation_score_of_the_last_verification(small: SmallCourse) -> None:
    (small.root / "README.md").write_text(README, encoding="utf-8")
    verified = small.root / "autograder/stages/lab01_small/verified.json"
    verified.parent.mkdir(parents=True, exist_ok=True)
    verified.write_text('{"mutants": 60, "automatic": {"driven": 1134, "caught": 1129, "listed": 5}}')

    build(small.root)

    assert "| 1,189 of 1,194 |" in (small.root / "README.md").read_text(encoding="utf-8")


def test_the_map_of_a_lab_is_a_picture_in_its_notebook_with_a_text(small: SmallCourse) -> None:
    course = small.root / "course.yml"
    course.write_text(course.read_text(encoding="utf-8").replace("double:", "double:\n        part: log"), "utf-8")
    small.change("# # Small numbers\n", "# # Small numbers\n#\n# {map}\n#\n# [map]: {map.svg}\n")

    build(small.root)

    first = "".join(json.loads(small.notebook_path.read_text(encoding="utf-8"))["cells"][0]["source"])
    assert "![The complete system. Lab 1 builds tasks of Log: double.][map]" in first
    encoded = re.search(r"^\[map\]: data:image/svg\+xml;base64,(\S+)$", first, re.MULTILINE)
    assert encoded
    assert b">double</text>" in base64.b64decode(encoded[1])


def test_the_states_of_a_lab_are_a_picture_in_its_notebook_with_a_text(small: SmallCourse) -> None:
    states = small.root / "autograder" / "stages" / "lab01_small" / "states.yml"
    states.write_text("title: A number\nplaces: {odd: [0, 0], even: [1, 0]}\narrows: [[odd, even, double]]\n", "utf-8")
    small.change("# # Small numbers\n", "# # Small numbers\n#\n# {states}\n#\n# [states]: {states.svg}\n")

    build(small.root)

    first = "".join(json.loads(small.notebook_path.read_text(encoding="utf-8"))["cells"][0]["source"])
    assert "![A number. odd to even: double.][states]" in first
    assert re.search(r"^\[states\]: data:image/svg\+xml;base64,\S+$", first, re.MULTILINE)


def test_problems_in_a_source_are_raised_and_nothing_is_written(small: SmallCourse) -> None:
    small.change('role="show"', 'role="shown"')

    with pytest.raises(SourceError) as raised:
        build(small.root)

    assert raised.value.problems == [
        'solutions/lab01_small/lab01_small.py:21: unknown role "shown"; expected given, task, show, check, written'
    ]
    assert not small.notebook_path.exists()


def test_the_error_for_an_unknown_lab_names_it_and_the_labs_of_the_course(small: SmallCourse) -> None:
    with pytest.raises(SourceError, match=r"no lab lab10; course\.yml has lab01_small"):
        build(small.root, ["lab10"])


def test_build_writes_only_the_notebook_into_the_folder_of_a_lab(small: SmallCourse) -> None:
    (small.source_path.parent / "TEACHING.md").write_text("the model answer", encoding="utf-8")

    build(small.root)

    assert [path.name for path in small.notebook_path.parent.iterdir()] == ["lab01_small.ipynb"]


def test_build_keeps_the_working_folder_and_leaves_no_gradebook(
    small: SmallCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(small.root)

    build(small.root)

    assert Path.cwd() == small.root
    assert sorted(path.name for path in small.root.iterdir()) == ["autograder", "course.yml", "labs", "solutions"]


def test_every_cell_of_the_student_notebook_has_the_metadata_of_its_role(small: SmallCourse) -> None:
    build(small.root)

    cells = {cell["id"]: cell["metadata"] for cell in json.loads(small.notebook_path.read_text("utf-8"))["cells"]}

    assert {name: _role_and_flags(metadata) for name, metadata in cells.items()} == {
        "prose-1": None,
        "given-setup": ("given", "setup", False, False, True, None, False),
        "task-double": ("task", "double", False, True, False, None, True),
        "show-1": ("show", "1", False, False, True, None, False),
        "prose-2": None,
        "check-double": ("check", "double", True, False, True, 3, False),
        "task-halve": ("task", "halve", False, True, False, None, True),
        "check-halve": ("check", "halve", True, False, True, 3, False),
        "written-why": ("written", "why", True, True, False, 3, True),
    }
    assert all(metadata.get("deletable") is False for name, metadata in cells.items() if "prose" not in name)


def _role_and_flags(metadata: dict[str, dict[str, object]]) -> tuple[object, ...] | None:
    """Return role, name, grade, solution, locked, points and editable of a cell."""
    if not metadata:
        return None
    ours, theirs = metadata["streamlab"], metadata["nbgrader"]
    flags = (theirs["grade"], theirs["solution"], theirs["locked"], theirs.get("points"))
    return (ours["role"], ours["name"], *flags, metadata.get("editable", True))
