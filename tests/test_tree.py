"""The tree shows which lab a file belongs to; a lab uses only the platform, itself and the labs that it builds on."""

import importlib
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.course import load_course
from autograder.judge.rests_on import PLATFORM

ROOT = Path(__file__).resolve().parents[1]
COURSE = load_course(ROOT)
PLACES = ("streamlab", "solutions", "autograder/stages", "tests/streamlab", "tests/autograder/stages", "datasets")
NOT_FOR_VERDICTS = ("jupyter",)  # settings of the learner's JupyterLab
USED = re.compile(r"\b(?:streamlab|autograder\.stages|tests\.streamlab|tests\.autograder\.stages)\.(lab\d\d_\w+)")


def text_files(folder: Path) -> Iterator[Path]:
    yield from (path for path in sorted(folder.rglob("*")) if path.suffix in (".py", ".yml", ".conf", ".md"))


def labs_used_below(folder: Path) -> dict[str, set[str]]:
    """Map each file that names a module of a lab, in an import or in a text, to these labs."""
    found = {path: set(USED.findall(path.read_text(encoding="utf-8"))) for path in text_files(folder)}
    return {path.relative_to(ROOT).as_posix(): labs for path, labs in found.items() if labs}


def test_each_folder_of_the_library_is_platform_or_belongs_to_one_lab() -> None:
    folders = {path.name for path in (ROOT / "streamlab").iterdir() if (path / "__init__.py").exists()}

    assert folders <= {*PLATFORM, *COURSE.labs}
    assert set(PLATFORM) <= folders


@pytest.mark.parametrize("folder", [*PLATFORM, *NOT_FOR_VERDICTS])
def test_the_platform_uses_no_lab(folder: str) -> None:
    assert labs_used_below(ROOT / "streamlab" / folder) == {}


def test_no_module_at_the_top_of_the_library_uses_a_lab() -> None:
    assert [path.name for path in (ROOT / "streamlab").glob("*.py") if USED.search(path.read_text("utf-8"))] == []


@pytest.mark.parametrize("lab", COURSE.labs)
def test_a_lab_uses_only_itself_and_the_labs_that_it_builds_on(lab: str) -> None:
    allowed = set(COURSE.with_earlier(lab))

    found = {name: used - allowed for place in PLACES for name, used in labs_used_below(ROOT / place / lab).items()}

    assert {name: labs for name, labs in found.items() if labs} == {}


@pytest.mark.parametrize("lab", COURSE.labs)
def test_every_file_of_a_lab_has_its_name_in_the_path(lab: str) -> None:
    listed = subprocess.run(["git", "ls-files", f"*{lab}*"], cwd=ROOT, capture_output=True, text=True, check=True)
    places = {line.rpartition(lab)[0] for line in listed.stdout.splitlines()}

    assert {"labs/", f"labs/{lab}/", f"solutions/{lab}/", "streamlab/", "autograder/stages/", "tests/streamlab/"} <= (
        places | {each.partition(lab)[0] for each in places}
    )


@pytest.mark.parametrize("package", ["streamlab", *(f"streamlab.{lab}" for lab in COURSE.labs)])
def test_a_name_that_is_loaded_at_first_use_hides_no_module(package: str) -> None:
    """`from package import name` would return the module as soon as something has imported it."""
    home_of = getattr(importlib.import_module(package), "_HOME_OF", {})
    folder = ROOT / package.replace(".", "/")

    assert [name for name in home_of if (folder / f"{name}.py").exists() or (folder / name).is_dir()] == []
