"""A lab needs its own locks, those of the labs that it builds on and those of its services."""

import re
from importlib.metadata import version
from pathlib import Path

import pytest

from autograder.course import Course, CourseError, load_course
from autograder.course.lab_packages import locks_for_judging, missing_packages, users_of_locks

ROOT = Path(__file__).resolve().parents[3]
LAB = "{{title: T, minutes: 1, points: 1, tasks: {{task{at}: {{checks: {{a_claim: 1}}}}}}, {more}}}"
COURSE = """course: C
release: "1"
limits: {wall_s: 300, load_s: 20, case_s: 30, memory_mb: 2500, output_mb: 16, processes: 512}
labs:
"""


@pytest.mark.parametrize("wanted", sorted(ROOT.glob("requirements*.in")), ids=lambda path: path.name)
def test_a_lock_has_the_versions_that_its_requirements_name(wanted: Path) -> None:
    named = re.findall(r"^[\w-]+==[\d.]+$", wanted.read_text(encoding="utf-8"), re.MULTILINE)
    locked = wanted.with_suffix(".lock").read_text(encoding="utf-8").replace(" ", "\n").splitlines()

    assert set(named) <= set(locked)


def course_of(tmp_path: Path, **labs: str) -> Course:
    lines = [f"  {name}: {LAB.format(at=at, more=more)}\n" for at, (name, more) in enumerate(labs.items())]
    (tmp_path / "course.yml").write_text(COURSE + "".join(lines))
    return load_course(tmp_path)


def test_a_lab_needs_the_locks_of_the_labs_that_it_builds_on_and_of_its_services(tmp_path: Path) -> None:
    course = course_of(
        tmp_path,
        lab1="services: [kafka]",
        lab2="locks: [requirements-lab02.lock]",
        lab3="builds_on: [lab1, lab2], locks: [requirements-lab03.lock, requirements-lab02.lock]",
        lab4="builds_on: [lab3], services: [redis, postgres]",
    )

    assert [locks_for_judging(course, lab) for lab in course.labs] == [
        [],
        ["requirements-lab02.lock"],
        ["requirements-lab02.lock", "requirements-lab03.lock"],
        ["requirements-lab02.lock", "requirements-lab03.lock", "requirements-databases.lock"],
    ]
    users = users_of_locks(course)
    assert users["requirements-lab03.lock"] == ["lab3", "lab4"]
    assert {"redis", "postgres"} <= set(users["requirements-databases.lock"])


@pytest.mark.parametrize("name", ["../requirements.lock", "requirements-Lab6.lock", "lab06.txt"])
def test_a_lock_with_a_name_of_another_form_is_rejected(tmp_path: Path, name: str) -> None:
    with pytest.raises(CourseError, match=r"course\.yml line 5: labs\.lab1\.locks\.0: .*pattern"):
        course_of(tmp_path, lab1=f"locks: ['{name}']")


def test_packages_that_are_missing_or_of_another_version_are_listed(tmp_path: Path) -> None:
    (tmp_path / "requirements-a.lock").write_text(
        f"pytest=={version('pytest')} \\\n    --hash=sha256:00\nclick==0.1 ; python_version >= '3' \\\n"
        "    --hash=sha256:00\nno-such-package==1.2\nfor-another-system==1 ; sys_platform == 'plan9'\n# a comment\n"
    )

    assert missing_packages(tmp_path, "requirements-a.lock") == ["click 0.1", "no-such-package 1.2"]


def test_a_missing_lock_is_an_error_of_the_course(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=r"requirements-lab42\.lock: not found in .*; a lab or a service"):
        missing_packages(tmp_path, "requirements-lab42.lock")


def test_every_lock_of_this_course_exists_with_hashes_and_without_addresses() -> None:
    for lock in users_of_locks(load_course(ROOT)):
        lines = (ROOT / lock).read_text().splitlines()
        pins = [at for at, line in enumerate(lines) if line[:1].isalnum()]

        assert pins, lock
        assert all("--hash=sha256:" in lines[at + 1] for at in pins), lock
        assert not any("://" in line for line in lines), lock


def test_a_lock_of_a_lab_changes_no_version_of_the_kit() -> None:
    kit = {line.rstrip(" \\") for line in (ROOT / "requirements.lock").read_text().splitlines() if line[:1].isalnum()}
    pinned = {line.partition("==")[0]: set[str]() for line in kit}
    for line in kit:
        pinned[line.partition("==")[0]].add(line)

    for lock in users_of_locks(load_course(ROOT)):
        for line in (ROOT / lock).read_text().splitlines():
            name = line.partition("==")[0]
            if line[:1].isalnum() and name in pinned:
                versions = {each.partition(";")[0].strip() for each in pinned[name]}
                assert line.rstrip(" \\").partition(";")[0].strip() in versions, f"{lock}: {line}"


@pytest.mark.parametrize("lab", ["lab01_wordcount", "lab02_windows", "lab03_log", "lab04_subqueries"])
def test_the_first_labs_need_nothing_beyond_the_kit(lab: str) -> None:
    assert locks_for_judging(load_course(ROOT), lab) == []
