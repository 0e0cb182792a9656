"""A digest changes only with files that a verification rests on; messages are the same in every run."""

from pathlib import Path

import pytest

from autograder.course import load_course
from autograder.verify.digest import digest_of_attacks, digest_of_earlier, digest_of_lab, read_verified
from autograder.verify.matrix import Mark
from autograder.verify.messages import differences, settled, steady, written
from tests.autograder.verify.conftest import ROOT
from tests.autograder.verify.small_lab import GROUP, LAB

CHANGED = [
    (f"{GROUP}/cases.py", True),
    (f"{GROUP}/checks.py", True),
    (f"solutions/{LAB}/{LAB}.py", True),
    ("course.yml", True),
    ("requirements.lock", True),
    ("autograder/judge/verdicts.py", True),
    ("autograder/verify/matrix.py", True),
    ("autograder/notebook_check/check_cell.py", True),
    (f"autograder/stages/{LAB}/messages.txt", False),
    (f"autograder/stages/{LAB}/verified.json", False),
    (f"{GROUP}/__pycache__/checks.pyc", False),
    ("autograder/stages/lab97_other/checks.py", False),
    ("autograder/report/html.py", False),
]


@pytest.mark.parametrize(("name", "matters"), CHANGED)
def test_a_digest_changes_only_with_the_files_that_matter(kit: Path, name: str, matters: bool) -> None:
    before = digest_of_lab(kit, load_course(kit), LAB)
    path = kit / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = path.read_text() if path.exists() else ""
    path.write_text(text.replace("minutes: 1", "minutes: 2") if name == "course.yml" else f"{text}\nchanged = 1\n")

    assert (digest_of_lab(kit, load_course(kit), LAB) != before) is matters


def test_a_comment_in_a_check_does_not_change_the_digest(kit: Path) -> None:
    before = digest_of_lab(kit, load_course(kit), LAB)
    with (kit / f"{GROUP}/checks.py").open("a") as checks:
        checks.write("# a comment\n")

    assert digest_of_lab(kit, load_course(kit), LAB) == before


def test_an_earlier_labs_reference_changes_a_digest_of_its_own(tmp_path: Path) -> None:
    course = load_course(ROOT)
    earlier = tmp_path / "solutions/lab01_wordcount/lab01_wordcount.py"
    before = [each(tmp_path, course, "lab03_log") for each in (digest_of_lab, digest_of_earlier)]
    earlier.parent.mkdir(parents=True)
    earlier.write_text("changed = 1")

    assert digest_of_lab(tmp_path, course, "lab03_log") == before[0]
    assert digest_of_earlier(tmp_path, course, "lab03_log") != before[1]


def test_the_digest_of_attacks_changes_with_the_judge_and_the_drives_but_not_with_checks(kit: Path) -> None:
    before = digest_of_attacks(kit)
    (kit / f"{GROUP}/checks.py").write_text("changed = 1")
    of_a_lab = digest_of_attacks(kit)
    (kit / "autograder/judge").mkdir()
    (kit / "autograder/judge/driver.py").write_text("changed = 1")

    of_the_judge = digest_of_attacks(kit)
    (kit / f"{GROUP}/drive.py").write_text("changed = 1")

    assert of_a_lab == before != of_the_judge
    assert digest_of_attacks(kit) != of_the_judge


@pytest.mark.parametrize("package", ["autograder/checks", "streamlab/notebooks", "streamlab/spark/fast_start"])
def test_the_digest_of_attacks_changes_with_all_code_that_runs_beside_an_attack(tmp_path: Path, package: str) -> None:
    before = digest_of_attacks(tmp_path)
    (tmp_path / package).mkdir(parents=True)
    (tmp_path / package / "module.py").write_text("changed = 1")

    assert digest_of_attacks(tmp_path) != before


@pytest.mark.parametrize("text", [None, "", "[1]", "{"])
def test_a_file_that_no_verification_wrote_is_ignored(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "verified.json").write_text(text)

    assert read_verified(tmp_path) == {}


def test_messages_are_ordered_by_task_and_name_and_contain_only_lost_points() -> None:
    lost = [Mark("b", "z_check", "fail", 0, 1, "Expected 1;\n yours is 2."), Mark("b", "a_check", "fail", 0, 1, "No.")]
    marks = {"a__n": [Mark("a", "c", "pass", 1, 1, "True.")], "b__m": lost}

    text = written(marks, ["b", "a"])

    assert text.splitlines()[2:] == [
        "b · m",
        "    a_check",
        "        No.",
        "    z_check",
        "        Expected 1; yours is 2.",
    ]
    assert differences(text.replace("No.", "Yes."), text) == ["-        Yes.", "+        No."]


def test_a_sentence_in_the_file_is_kept_if_only_numbers_have_changed() -> None:
    before = "a · m\n    killed\n        After 230 records yours has 17.\na · n\n        Yours is 3.\n"
    now = "a · m\n    killed\n        After 45 records yours has 8.\na · n\n        Yours was 4.\na · o\n        New.\n"

    assert settled(before, now) == before.replace("Yours is 3.", "Yours was 4.") + "a · o\n        New.\n"


RESTARTED = "killed after file 1 and restarted"
STEADY = [
    ("got <function f at 0x7f13a2b4c5d6>", "got <function f at 0x…>"),
    ("not found: '/tmp/scratch-x1/log-0', again", "not found: '/tmp/…', again"),
    ("no broker at 127.0.0.1:38911.", "no broker at 127.0.0.1:…."),
    ("totals of a run that was killed after file 1 and restarted lack it.", f"totals of a run that was {RESTARTED} …"),
    (
        'totals of a run that was killed after file 1 and restarted have ("a", 1).',
        f"totals of a run that was {RESTARTED} …",
    ),
]


@pytest.mark.parametrize(("sentence", "expected"), STEADY)
def test_parts_that_differ_from_run_to_run_are_left_out_of_messages(sentence: str, expected: str) -> None:
    assert steady(sentence) == expected
