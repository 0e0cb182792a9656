"""The student's kit holds the files that students need, and no others."""

import ast
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from autograder.cli.main import FOR_WHOM, VERBS
from autograder.course import Course
from autograder.pack.contents import AS_SHIPPED, NEVER, NotPackable, files_to_pack

ROOT = Path(__file__).resolve().parents[3]
NOT_FOR_STUDENTS = [
    "solutions",
    "mutants.py",
    "alternatives.py",
    "hostile",
    "verify",
    "record",
    "grading",
    "tests",
    "benchmarks",
    "work",
]


@pytest.fixture
def names(course: Course) -> set[str]:
    return {file.name for file in files_to_pack(ROOT, course)}


def test_the_files_that_a_student_works_with_are_in_the_kit(names: set[str]) -> None:
    needed = {"lab", "course.yml", "requirements.lock", "labs/lab01_wordcount/lab01_wordcount.ipynb"}
    needed |= {f"autograder/stages/lab01_wordcount/{name}" for name in ("counting/checks.py", "hints.yml")}
    needed |= {"autograder/stages/lab01_wordcount/baselines/slides_pipeline.py", "streamlab/spark/conf/spark.conf"}

    assert needed - names == set()


def test_the_files_of_the_docker_environment_are_in_the_kit(names: set[str]) -> None:
    copied = re.findall(
        r"docker/[\w.-]+", (ROOT / "docker" / "Dockerfile").read_text() + (ROOT / ".dockerignore").read_text()
    )

    needed = {"docker/.env", "docker/Dockerfile", "docker/compose.yml", "docker/lab-docker", "docker/open-lab"}

    assert needed | {name for name in copied if (ROOT / name).is_file()} <= names


@pytest.mark.parametrize("part", NOT_FOR_STUDENTS)
def test_nothing_for_instructors_and_authors_is_in_the_kit(names: set[str], part: str) -> None:
    assert [name for name in names if part in PurePosixPath(name).parts] == []
    assert part in NEVER


def test_every_verb_for_learners_and_for_everyone_is_in_the_kit(names: set[str]) -> None:
    verbs = [*FOR_WHOM["Everyone"], *FOR_WHOM["Learners"], "judge"]

    modules = [VERBS[verb].partition(":")[0].replace(".", "/") for verb in verbs]

    assert [each for each in modules if not {f"{each}.py", f"{each}/__init__.py"} & names] == []


def test_no_file_in_the_kit_imports_a_module_that_is_not_in_it(archive: Path) -> None:
    with zipfile.ZipFile(archive) as content:
        files = {name.partition("/")[2]: content.read(name) for name in content.namelist() if name.endswith(".py")}
    here = {name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in files}

    missing = {(name, module) for name, source in files.items() for module in _imports(source)}

    assert {(name, module) for name, module in missing if module not in here} == set()


def _imports(source: bytes) -> Iterator[str]:
    """Yield the modules of the kit that a file imports anywhere."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith(("autograder", "streamlab")))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(("autograder", "streamlab")):
            yield str(node.module)


def test_cached_and_hidden_files_are_left_out(kit: Path, course: Course) -> None:
    before = {file.name for file in files_to_pack(kit, course)}
    for name in ("streamlab/__pycache__/x.py", "labs/lab01_wordcount/.ipynb_checkpoints/x.ipynb", "streamlab/x.pyc"):
        (kit / name).parent.mkdir(exist_ok=True)
        (kit / name).write_text("")

    assert {file.name for file in files_to_pack(kit, course)} == before


def test_the_settings_of_an_instructor_are_left_out(kit: Path, course: Course) -> None:
    settings = kit / "docker" / ".env"
    settings.write_text("COMPOSE_PROJECT_NAME=class\n# STREAMLAB_TOKEN=old-secret\nSTREAMLAB_TOKEN=secret\n")

    packed = {file.name: file.content for file in files_to_pack(kit, course)}

    assert packed["docker/.env"] == AS_SHIPPED["docker/.env"]
    assert b"\nCOMPOSE_PROJECT_NAME=streamlab\n" in packed["docker/.env"]
    assert b"secret" not in packed["docker/.env"]


@pytest.mark.parametrize("name", AS_SHIPPED)
def test_a_file_packed_as_shipped_is_the_one_of_the_repository(name: str) -> None:
    assert AS_SHIPPED[name] == (ROOT / name).read_bytes()


def test_a_lab_may_have_its_cases_in_its_checks(kit: Path, course: Course) -> None:
    for path in kit.glob("autograder/stages/lab01_wordcount/*/cases*.py"):
        path.unlink()

    assert not any("lab01_wordcount" in file.name and "cases" in file.name for file in files_to_pack(kit, course))


def test_a_file_that_is_not_in_the_list_is_left_out(kit: Path, course: Course) -> None:
    for name in ("notes.txt", "autograder/notes.py", "autograder/cli/notes.py", "labs/notes.txt"):
        (kit / name).write_text("mine")

    assert not {file.name for file in files_to_pack(kit, course)} & {"notes.txt", "autograder/notes.py"}
    assert not any("notes" in file.name for file in files_to_pack(kit, course))


def test_a_name_that_is_never_handed_out_is_rejected_in_any_folder(kit: Path, course: Course) -> None:
    (kit / "streamlab" / "mutants.py").write_text("")

    with pytest.raises(NotPackable, match=r"streamlab/mutants.py: mutants.py is never handed out"):
        files_to_pack(kit, course)


def test_a_symbolic_link_is_rejected(kit: Path, course: Course) -> None:
    (kit / "datasets" / "more").symlink_to(kit / "solutions")

    with pytest.raises(NotPackable, match=r"datasets/more: a symbolic link"):
        files_to_pack(kit, course)


def test_a_lab_that_was_not_built_is_reported(kit: Path, course: Course) -> None:
    (kit / "labs" / "lab01_wordcount" / "lab01_wordcount.ipynb").unlink()

    with pytest.raises(NotPackable, match=r"labs/lab01_wordcount/\*\* is missing, .*lab build"):
        files_to_pack(kit, course)


def test_only_programs_are_executable(archive: Path) -> None:
    with zipfile.ZipFile(archive) as content:
        programs = [each.filename for each in content.infolist() if each.external_attr >> 16 & 0o111]

    assert [PurePosixPath(name).name for name in programs] == ["lab-docker", "open-lab", "lab"]
