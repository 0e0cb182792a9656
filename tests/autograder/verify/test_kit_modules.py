"""The modules and data sets that a lab's files use are found in their text, with all that those need."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from autograder.course import load_course
from autograder.verify.digest import files_of_lab
from autograder.verify.kit_modules import used_by
from tests.autograder.verify.conftest import ROOT

COURSE = load_course(ROOT)
LOADED = """
import json, os, sys
from pathlib import Path
from autograder.checks import load_stage
from autograder.inside import load_drives
import autograder.judge.batch, autograder.judge.local_backend, autograder.inside.runner, autograder.verify.verification

def load(lab):
    load_stage(lab)
    load_drives(lab)
    for line in Path(f"solutions/{lab}/{lab}.py").read_text().splitlines():
        if line.startswith(("import streamlab", "from streamlab")) and not line.endswith("("):
            exec(line)
    print(json.dumps([lab, [str(getattr(module, "__file__", None)) for module in list(sys.modules.values())]]))

for lab in sys.argv[1:]:
    if os.fork() == 0:
        load(lab)
        sys.exit()
    if os.wait()[1]:
        sys.exit(1)
"""


@cache
def modules_loaded() -> dict[str, list[str]]:
    """Return the files of all modules that each lab loads in a new process, since this one has loaded many more."""
    command = [sys.executable, "-c", LOADED, *COURSE.labs]
    loaded = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return dict(json.loads(line) for line in loaded.splitlines())


@cache
def files_of(lab: str) -> set[Path]:
    return set(files_of_lab(ROOT, COURSE, lab))


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """A streamlab of six modules: one loads another at first use, one is named in a configuration only."""
    files = {
        "__init__.py": "",
        "lazy/__init__.py": '_HOME_OF = {"Thing": "thing"}',
        "lazy/thing.py": "import streamlab.deep.module",
        "deep/__init__.py": "",
        "deep/module.py": "x = 1",
        "deep/conf/some.conf": "daemon streamlab.started",
        "started.py": "",
        "unused.py": "",
    }
    for name, text in files.items():
        path = tmp_path / "streamlab" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for name in ("tweets", "others"):
        (tmp_path / "datasets" / name).mkdir(parents=True)
        (tmp_path / "datasets" / name / "data.csv").write_text("1")
    return tmp_path


def names_used(kit: Path, text: str) -> set[str]:
    source = kit / "source.py"
    source.write_text(text)
    return {path.relative_to(kit).as_posix() for path in used_by(kit, [source])}


def test_a_module_that_is_loaded_at_first_use_counts_with_all_that_it_needs(kit: Path) -> None:
    assert names_used(kit, "from streamlab.lazy import Thing") == {
        "streamlab/__init__.py",
        "streamlab/lazy/__init__.py",
        "streamlab/lazy/thing.py",
        "streamlab/deep/__init__.py",
        "streamlab/deep/module.py",
        "streamlab/deep/conf/some.conf",
        "streamlab/started.py",
    }


def test_a_module_that_is_started_by_its_name_counts(kit: Path) -> None:
    assert "streamlab/unused.py" in names_used(kit, 'run([python, "-m", "streamlab.unused"])')


def test_a_data_set_counts_if_its_folder_is_named(kit: Path) -> None:
    (kit / "datasets/tweets/__pycache__").mkdir()
    (kit / "datasets/tweets/__pycache__/recipe.pyc").write_text("compiled")
    (kit / "datasets/tweets/README.md").write_text("where it comes from")

    assert names_used(kit, 'x = DATA / "tweets"') == {"datasets/tweets/data.csv"}


@pytest.mark.parametrize("lab", COURSE.labs)
def test_every_module_that_a_lab_loads_is_in_its_list(lab: str) -> None:
    paths = {Path(file) for file in modules_loaded()[lab] if file.startswith(f"{ROOT}/streamlab/")}

    assert len(paths) > 10
    assert paths - files_of(lab) == set()


def test_a_lab_does_not_rest_on_modules_that_only_later_labs_use() -> None:
    assert ROOT / "streamlab/engine/query.py" in files_of("lab04_subqueries")
    assert ROOT / "streamlab/engine/query.py" not in files_of("lab02_windows")


@pytest.mark.parametrize("folder", sorted((ROOT / "datasets").glob("*/")), ids=lambda folder: str(folder.name))
def test_each_data_set_counts_for_a_lab(folder: Path) -> None:
    assert any(folder in {file.parent for file in files_of(lab)} for lab in COURSE.labs)
