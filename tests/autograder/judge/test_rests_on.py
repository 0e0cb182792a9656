"""The digest of judging changes with each file that a result rests on, and with no other file."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.judge.rests_on import LEFT_OUT, digest_of_judging, files_of

ROOT = Path(__file__).resolve().parents[3]
LAB, EARLIER, OTHER = "lab02_windows", "lab01_wordcount", "lab03_log"
OTHER_FILES = (
    "README.md",
    "autograder/report/lines.py",
    f"autograder/stages/{OTHER}/invariants.yml",
    f"streamlab/{OTHER}/wire/log.py",
    "datasets/lab05_placement/topologies/one_node.json",
)
LOADED = """
import sys
import autograder.judge.batch, autograder.judge.local_backend, autograder.inside.runner
print(*{getattr(module, "__file__", None) for module in list(sys.modules.values())}, sep="\\n")
"""


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """A copy of the files of this kit that results of Lab 2 rest on, and some others."""
    more = [ROOT / name for name in ("course.yml", *OTHER_FILES)]
    for path in [*files_of(ROOT, LAB), *more]:
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return tmp_path


def digest(kit: Path) -> str:
    return digest_of_judging.__wrapped__(kit, LAB)


@pytest.mark.parametrize(
    "changed",
    [
        "autograder/checks/compare.py",
        "autograder/inside/runner.py",
        "autograder/intake/submission.py",
        "autograder/judge/ratio.py",
        "autograder/sandbox/bubblewrap.py",
        f"autograder/stages/{LAB}/trends/oracle.py",
        f"autograder/stages/{EARLIER}/counting/checks.py",
        f"autograder/stages/{LAB}/baselines/new.py",
        f"labs/{LAB}/{LAB}.ipynb",
        f"solutions/{EARLIER}/{EARLIER}.py",
        "streamlab/spark/conf/throughput.conf",
        f"streamlab/{LAB}/tweets.py",
        f"streamlab/{EARLIER}/examples.py",
        f"datasets/{LAB}/tweets/boston_hour.jsonl.gz",
        "requirements.lock",
    ],
)
def test_a_change_of_a_file_that_a_result_rests_on_changes_the_digest(kit: Path, changed: str) -> None:
    before = digest(kit)

    (kit / changed).parent.mkdir(exist_ok=True)
    with (kit / changed).open("a") as file:
        file.write("\n# changed")

    assert digest(kit) != before


@pytest.mark.parametrize(
    "changed", [*OTHER_FILES] + [f"autograder/stages/{LAB}/trends/{name}" for name in LEFT_OUT if name.endswith(".py")]
)
def test_a_change_of_any_other_file_does_not_change_the_digest(kit: Path, changed: str) -> None:
    before = digest(kit)

    with (kit / changed).open("a") as file:
        file.write("\n# changed")

    assert digest(kit) == before


@pytest.mark.parametrize(("lab", "matters"), [(EARLIER, True), (LAB, True), (OTHER, False)])
def test_only_the_sections_of_the_lab_and_of_those_before_it_count_in_the_manifest(
    kit: Path, lab: str, matters: bool
) -> None:
    before = digest(kit)
    course, text = kit / "course.yml", (kit / "course.yml").read_text()
    start = text.index(f"  {lab}:\n")

    course.write_text(text[:start] + text[start:].replace("    title: ", "    title: New, ", 1))

    assert (digest(kit) != before) is matters


def test_every_module_of_the_kit_that_judging_loads_is_in_the_list() -> None:
    """The modules are loaded in a new process, since this one has loaded many more."""
    loaded = subprocess.run([sys.executable, "-c", LOADED], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = {Path(line) for line in loaded.splitlines() if line.startswith(f"{ROOT}/")}
    own = {path for path in paths if path.relative_to(ROOT).parts[0] in ("autograder", "streamlab")}

    assert len(own) > 30
    assert own - set(files_of(ROOT, LAB)) == set()


def test_the_lock_of_a_lab_changes_only_the_digest_of_that_lab(kit: Path) -> None:
    lock = kit / "requirements-lab02.lock"
    lock.write_text("# nothing\n")
    other = digest(kit)
    lock.write_text("# nothing, either\n")
    same = digest(kit)
    course = kit / "course.yml"
    course.write_text(course.read_text().replace(f"  {LAB}:\n", f"  {LAB}:\n    locks: [{lock.name}]\n"))
    own = digest(kit)
    lock.write_text("# changed\n")

    assert same == other
    assert digest(kit) != own
