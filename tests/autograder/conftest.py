"""A tiny lab without Spark for tests of intake, sandbox and judge."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

import autograder.stages
from autograder.builder import build
from autograder.classroom.class_release import adopt
from autograder.classroom.folder import Classroom
from autograder.course import Course, load_course
from autograder.inside import DRIVES
from autograder.record.gradebook import Recorder
from autograder.sandbox import LEVELS, SandboxUnavailable, choose_level
from tests.autograder.tiny_class import SOURCE, TinyClass

ROOT = Path(__file__).resolve().parents[2]
LAB = "lab99_tiny"

COURSE = """course: Tiny
release: "1"
limits: {wall_s: 120, load_s: 20, case_s: 20, memory_mb: 400, output_mb: 1, processes: 100}
labs:
  lab99_tiny:
    title: Tiny
    minutes: 1
    points: 4
    tasks:
      double: {checks: {twice_the_number: 2}}
      triple: {checks: {three_times_the_number: 2}}
"""
DRIVE = """from autograder.inside import drive

@drive("double")
def double(stage, case):
    return {"got": stage.double(case["number"])}

@drive("triple")
def triple(stage, case):
    return {"got": stage.triple(case["number"])}
"""
CHECKS = """from autograder.checks import check, same_value

def numbers(seed):
    return [{"number": n} for n in (1, 2, 5)]

@check("double", cases=numbers)
def twice_the_number(case, rows):
    return same_value(2 * case["number"], rows["got"], what="the result")

@check("triple", cases=numbers)
def three_times_the_number(case, rows):
    return same_value(3 * case["number"], rows["got"], what="the result")
"""


@pytest.fixture
def tiny_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The root of a kit with one tiny lab: the real streamlab and runner, but its own course and stage."""
    root = tmp_path / "a kit"
    stage = root / "autograder" / "stages" / LAB
    group = stage / "numbers"
    group.mkdir(parents=True)
    (root / "streamlab").symlink_to(ROOT / "streamlab")
    (root / "autograder" / "inside").symlink_to(ROOT / "autograder" / "inside")
    for name, text in {"__init__.py": "", "drive.py": DRIVE, "checks.py": CHECKS}.items():
        (group / name).write_text(text)
    for folder in (root / "autograder", stage.parent, stage):
        (folder / "__init__.py").write_text("")
    (root / "course.yml").write_text(COURSE)
    monkeypatch.setattr(autograder.stages, "__path__", [*autograder.stages.__path__, str(stage.parent)])
    yield root
    for name in [each for each in sys.modules if LAB in each]:
        del sys.modules[name]
    for task in ("double", "triple"):
        DRIVES.pop(task, None)


@pytest.fixture
def tiny_course(tiny_root: Path) -> Course:
    """The tiny kit's course."""
    return load_course(tiny_root)


EACH_LEVEL = [pytest.param(each, marks=[pytest.mark.docker] if each == "container" else []) for each in LEVELS]


@pytest.fixture(params=EACH_LEVEL)
def level(request: pytest.FixtureRequest) -> str:
    """Each sandbox level."""
    return working_level(request.param)


@pytest.fixture(params=[each for each in EACH_LEVEL if each.values != ("process",)])
def isolated_level(request: pytest.FixtureRequest) -> str:
    """Each sandbox level that has isolation."""
    return working_level(request.param)


def working_level(level: str) -> str:
    """Return the level; if it does not work here, skip the test with the reason, or fail it in CI."""
    try:
        return choose_level(level)
    except SandboxUnavailable as problem:
        if not os.environ.get("CI"):
            pytest.skip(str(problem))
        pytest.fail(str(problem))


@pytest.fixture(scope="session")
def new_gradebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty gradebook, created once, since nbgrader takes seconds to start a program for it."""
    path = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    programs = str(Path(sys.executable).parent)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", os.pathsep.join([programs, os.environ["PATH"]]))
        Gradebook(f"sqlite:///{path}", "tiny").close()
    return path


@pytest.fixture(scope="session")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The class folder after the release of the tiny lab, which the first `recorder` fills."""
    return tmp_path_factory.mktemp("released") / "class"


@pytest.fixture
def recorder(tiny_class: TinyClass, new_gradebook: Path, released: Path) -> Recorder:
    """nbgrader for the tiny class, with the lab released."""
    folder, tiny_recorder = tiny_class.classroom.folder, Recorder(tiny_class.classroom)
    if not released.exists():
        adopt(tiny_class.classroom)
        shutil.copyfile(new_gradebook, folder / "gradebook.db")
        tiny_recorder.release(LAB)
        shutil.copytree(folder, released)
    shutil.copytree(released, folder, dirs_exist_ok=True)
    return tiny_recorder


@pytest.fixture
def tiny_class(tiny_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TinyClass:
    """A class without students yet."""
    course = (tiny_root / "course.yml").read_text().replace("points: 4", "points: 7") + "    written: {why: 3}\n"
    (tiny_root / "course.yml").write_text(course)
    source = tiny_root / "solutions" / LAB / f"{LAB}.py"
    source.parent.mkdir(parents=True)
    source.write_text(SOURCE)
    build(tiny_root)
    for module in ("classroom.folder", "cli.context", "cli.grade"):
        monkeypatch.setattr(f"autograder.{module}.ROOT", tiny_root)
    monkeypatch.setenv("STREAMLAB_CLASS", str(tmp_path / "class"))
    return TinyClass(Classroom(tiny_root, tmp_path / "class", load_course(tiny_root)))
