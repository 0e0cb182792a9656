"""`collect` takes the right file for the right student, gives a reason for each other one, and overwrites nothing."""

import hashlib
import stat
from pathlib import Path

import pytest

from autograder.classroom.policy_file import FILE
from autograder.record.course_site import collected as records
from autograder.record.course_site.archive import BadArchive
from autograder.record.course_site.delivery import KEPT, NEW, REPLACES, UNCHANGED, Collection, collect, outcomes
from tests.autograder.record.course_site.site_archives import (
    canvas_archive,
    import_class_list,
    moodle_archive,
    starter,
    work,
    zipped,
)
from tests.autograder.tiny_class import LAB, TinyClass


@pytest.fixture
def listed(tiny_class: TinyClass, recorder: object) -> TinyClass:
    """The tiny class with its class list."""
    import_class_list(tiny_class)
    return tiny_class


def files(folder: Path) -> dict[str, tuple[int, str]]:
    """Return the time of change and the digest of each file below a folder."""
    return {
        str(each.relative_to(folder)): (each.stat().st_mtime_ns, hashlib.sha256(each.read_bytes()).hexdigest())
        for each in folder.rglob("*")
        if each.is_file()
    }


def submitted(tiny_class: TinyClass, student: str) -> bytes:
    return (tiny_class.classroom.submitted / student / LAB / f"{LAB}.ipynb").read_bytes()


def remarks(found: Collection) -> dict[str, str]:
    return {each.student: "; ".join(each.remarks) for each in found.taken}


def test_each_file_of_a_canvas_archive_is_taken_for_its_student_or_left_out_with_a_reason(
    listed: TinyClass, tmp_path: Path
) -> None:
    found = collect(listed.classroom, LAB, canvas_archive(listed, tmp_path / "canvas.zip"), "canvas")

    assert remarks(found) == {
        "s1": "renamed; one of 2 notebooks",
        "s2": "late; renamed",
        "s3": "renamed",
        "s4": "renamed",
        "s6": "one of 2 notebooks",
        "s7": "the judge cannot read it: not JSON, so no notebook; was it saved completely?",
    }
    assert found.left_out == {
        f"lovelaceada_4711_9001_{LAB}.ipynb": f"older than '{LAB}-1.ipynb'",
        f"lovelaceada_4711_9099_{LAB}.ipynb": "a symbolic link",
        "müllerlüdenscheidtdan_4714_9005_notes.pdf": "not a notebook",
        "adamseve_4715_9006_screenshot.png": "not a notebook",
        f"wufay_4716_9011_{LAB}-1.ipynb": "the released notebook, unchanged",
        "itohal_4718_9009_lab01.ipynb": f"a notebook of lab01_wordcount, not of {LAB}",
        "jungida_4719_text.html": "a text that was typed into Canvas, not a file",
        f"team7_4799_9012_{LAB}.ipynb": "no student with lms_user_id 4799 in the class list",
        f"anon_x7Bq_9013_{LAB}.ipynb": (
            "Canvas hides the names; turn off anonymous grading, and download the archive again"
        ),
        f"jungida_4719_9014_{LAB}.zip": "an archive; unpack it by hand",
        "README.txt": "not named as Canvas names files: NAME_USER_ATTACHMENT_FILE",
    }
    assert found.without == ["s5", "s8", "s9"]
    assert submitted(listed, "s1") == work(listed, "new")
    assert submitted(listed, "s6") == work(listed, "fay")


def test_each_file_of_a_moodle_archive_is_taken_for_its_student_or_left_out_with_a_reason(
    listed: TinyClass, tmp_path: Path
) -> None:
    found = collect(listed.classroom, LAB, moodle_archive(listed, tmp_path / "moodle.zip"), "moodle")

    own = "assignsubmission_file"
    assert remarks(found) == {
        "s1": "renamed; one of 2 notebooks",
        "s2": "",
        "s3": "renamed",
        "s4": "renamed",
        "s5": "renamed; one of 2 notebooks",
        "s6": "renamed; one of 2 notebooks",
        "s7": "the judge cannot read it: the file is empty",
    }
    assert found.left_out == {
        f"Ada Lovelace_4711_{own}_/{LAB}.ipynb": f"older than '{LAB} (1).ipynb'",
        f"Team A-Dan Müller-Lüdenscheidt_903_{own}_/notes.pdf": "not a notebook",
        f"Eve Adams_4715_{own}_/{LAB}.ipynb": "older than 'other.ipynb'",
        f"Fay Wu_904_{own}_/{LAB}.ipynb": "the released notebook, unchanged",
        "Hal Ito_906_assignsubmission_onlinetext_/onlinetext.html": "text that was typed into Moodle, not a file",
        f"Hal Ito_906_{own}_/lab.html": "not a notebook",
        f"Team B_4719_{own}/{LAB}.ipynb": (
            "no student called 'Team B' in the class list (a group's name, or another spelling)"
        ),
        f"Default group_{own}/{LAB}.ipynb": "work of students without a group, and Moodle does not say whose",
        f"../Ida Jung_907_{own}_/{LAB}.ipynb": "a path that leads out of the archive (..)",
        f"/Ida Jung_907_{own}_/{LAB}.ipynb": "an absolute path",
    }
    assert found.without == ["s8", "s9"]
    assert submitted(listed, "s1") == work(listed, "new")
    assert submitted(listed, "s5") == work(listed, "later")


@pytest.mark.parametrize(("site", "archive"), [("canvas", canvas_archive), ("moodle", moodle_archive)])
def test_collecting_twice_changes_no_file(listed: TinyClass, tmp_path: Path, site: str, archive: object) -> None:
    path = archive(listed, tmp_path / "all.zip")  # type: ignore[operator]
    collect(listed.classroom, LAB, path, site)
    before = files(listed.classroom.folder)

    again = collect(listed.classroom, LAB, path, site)

    assert {each.outcome for each in again.taken} == {UNCHANGED}
    assert files(listed.classroom.folder) == before


def test_a_dry_run_shows_the_same_and_writes_nothing(listed: TinyClass, tmp_path: Path) -> None:
    path = canvas_archive(listed, tmp_path / "canvas.zip")
    before = files(listed.classroom.folder)

    planned = collect(listed.classroom, LAB, path, "canvas", dry_run=True)

    assert files(listed.classroom.folder) == before
    assert not listed.classroom.submitted.exists()
    assert planned == collect(listed.classroom, LAB, path, "canvas")


def test_collected_notebooks_belong_to_the_instructor_alone_with_the_archives_time(
    listed: TinyClass, tmp_path: Path
) -> None:
    collect(listed.classroom, LAB, canvas_archive(listed, tmp_path / "canvas.zip"), "canvas")

    folder = listed.classroom.submitted / "s1" / LAB
    assert sorted(each.name for each in folder.iterdir()) == [f"{LAB}.ipynb", "timestamp.txt"]
    assert {stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [each.name for each in listed.classroom.folder.glob(".collecting-*")] == []


def one_file(listed: TinyClass, tmp_path: Path, upload: int, marker: str) -> Collection:
    """Collect a Canvas archive with one notebook of s1."""
    name = f"lovelaceada_4711_{upload}_{LAB}.ipynb"
    path = zipped(tmp_path / f"{upload}.zip", [(name, work(listed, marker))])
    return collect(listed.classroom, LAB, path, "canvas")


def test_a_newer_archive_replaces_what_an_older_one_had_and_not_the_reverse(listed: TinyClass, tmp_path: Path) -> None:
    first = one_file(listed, tmp_path, 9001, "first")
    second = one_file(listed, tmp_path, 9002, "second")
    older = one_file(listed, tmp_path, 9001, "first")

    assert [each.taken[0].outcome for each in (first, second, older)] == [NEW, REPLACES, KEPT]
    assert submitted(listed, "s1") == work(listed, "second")
    assert older.taken[0].remarks == (
        f"'lovelaceada_4711_9002_{LAB}.ipynb' is newer, from an archive that was collected before",
    )
    assert outcomes(older.taken) == {KEPT: 1}


def test_the_same_notebook_handed_in_again_is_returned_under_its_latest_number(
    listed: TinyClass, tmp_path: Path
) -> None:
    """Canvas takes feedback back only under an attachment of the latest submission."""
    one_file(listed, tmp_path, 9001, "same")

    again = one_file(listed, tmp_path, 9002, "same")
    one_file(listed, tmp_path, 9001, "same")

    assert again.taken[0].outcome == UNCHANGED
    assert records.load(listed.classroom, LAB)["s1"].returned_as == "lovelaceada_4711_9002_"


@pytest.mark.parametrize("collected_before", [False, True], ids=["never collected", "changed since"])
def test_a_notebook_that_was_put_there_by_hand_is_kept(
    listed: TinyClass, tmp_path: Path, collected_before: bool
) -> None:
    if collected_before:
        one_file(listed, tmp_path, 9001, "first")
    by_hand = listed.hand_in("s1").read_bytes()

    found = one_file(listed, tmp_path, 9002, "second")

    assert found.taken[0].outcome == KEPT
    assert "put there by hand" in found.taken[0].remarks[0]
    assert submitted(listed, "s1") == by_hand


@pytest.mark.parametrize("level", ["student", "lab"])
def test_a_link_in_submitted_is_not_followed(listed: TinyClass, tmp_path: Path, level: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    place = listed.classroom.submitted / "s1" / LAB
    place = place.parent if level == "student" else place
    place.parent.mkdir(parents=True)
    place.symlink_to(outside)

    found = one_file(listed, tmp_path, 9001, "x")

    assert found.taken[0].outcome == KEPT
    assert list(outside.iterdir()) == []


def test_a_student_id_that_cannot_be_a_folder_is_rejected(listed: TinyClass, tmp_path: Path) -> None:
    import_class_list(listed, [("../outside", "Mal", "Ory", "666")])
    name = f"orymal_666_9001_{LAB}.ipynb"

    found = collect(listed.classroom, LAB, zipped(tmp_path / "a.zip", [(name, work(listed))]), "canvas")

    assert found.taken == []
    assert found.left_out[name].startswith("'../outside' in the class list: a student's id must not have '/'")
    assert not (listed.classroom.folder / "outside").exists()


def test_an_archive_of_the_other_site_is_named(listed: TinyClass, tmp_path: Path) -> None:
    moodle = zipped(tmp_path / "m.zip", [(f"Ada Lovelace_4711_assignsubmission_file_/{LAB}.ipynb", starter(listed))])
    canvas = zipped(tmp_path / "c.zip", [(f"lovelaceada_4711_9001_{LAB}.ipynb", starter(listed))])

    with pytest.raises(BadArchive, match=r"named as Moodle names files; collect it with `--from moodle`"):
        collect(listed.classroom, LAB, moodle, "canvas")
    with pytest.raises(BadArchive, match=r"named as Canvas names files; collect it with `--from canvas`"):
        collect(listed.classroom, LAB, canvas, "moodle")


def test_an_untouched_starter_is_taken_if_there_is_nothing_else(listed: TinyClass, tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", [(f"wufay_4716_9001_{LAB}.ipynb", starter(listed))])

    found = collect(listed.classroom, LAB, path, "canvas")

    assert remarks(found) == {"s6": "the released notebook, unchanged"}


def test_two_notebooks_of_one_time_are_left_to_the_instructor(listed: TinyClass, tmp_path: Path) -> None:
    own = "Ada Lovelace_4711_assignsubmission_file_"
    path = zipped(tmp_path / "a.zip", [(f"{own}/a.ipynb", work(listed, "a")), (f"{own}/b.ipynb", work(listed, "b"))])

    found = collect(listed.classroom, LAB, path, "moodle")

    assert found.taken == []
    why = "which of 'a.ipynb' and 'b.ipynb' is newer cannot be told; put the one that counts into submitted/ by hand"
    assert set(found.left_out.values()) == {why}


def test_the_same_file_twice_is_taken_once(listed: TinyClass, tmp_path: Path) -> None:
    own = "Ada Lovelace_4711_assignsubmission_file_"
    path = zipped(tmp_path / "a.zip", [(f"{own}/a.ipynb", work(listed)), (f"{own}/b.ipynb", work(listed))])

    found = collect(listed.classroom, LAB, path, "moodle")

    assert remarks(found) == {"s1": "renamed"}
    assert found.left_out == {f"{own}/b.ipynb": "the same as 'a.ipynb'"}


def test_a_damaged_file_does_not_stop_the_others(listed: TinyClass, tmp_path: Path) -> None:
    path = zipped(
        tmp_path / "a.zip",
        [
            (f"lovelaceada_4711_9001_{LAB}.ipynb", work(listed, "damaged")),
            (f"wufay_4716_9002_{LAB}.ipynb", work(listed, "whole")),
        ],
    )
    content = bytearray(path.read_bytes())
    content[120:160] = bytes(40)
    path.write_bytes(content)

    found = collect(listed.classroom, LAB, path, "canvas")

    assert [each.student for each in found.taken] == ["s6"]
    assert list(found.left_out.values()) == ["damaged in the archive; download the archive again"]


def group(listed: TinyClass, groups: str) -> None:
    (listed.classroom.folder / FILE).write_text(f"groups: {{{LAB}: {groups}}}\n")


def returned_as(listed: TinyClass) -> dict[str, str | None]:
    return {student: each.returned_as for student, each in records.load(listed.classroom, LAB).items()}


def test_canvas_has_a_groups_file_under_one_member_and_all_get_it(listed: TinyClass, tmp_path: Path) -> None:
    group(listed, "[[s1, s2, s3], [s4, s5]]")
    path = zipped(tmp_path / "a.zip", [(f"team_4712_9001_{LAB}.ipynb", work(listed, "team"))])

    found = collect(listed.classroom, LAB, path, "canvas")

    assert remarks(found) == {"s1": "of the group", "s2": "", "s3": "of the group"}
    assert {submitted(listed, each) for each in ("s1", "s2", "s3")} == {work(listed, "team")}
    assert returned_as(listed) == {"s1": None, "s2": "team_4712_9001_", "s3": None}
    assert {each.outcome for each in collect(listed.classroom, LAB, path, "canvas").taken} == {UNCHANGED}


def test_moodle_had_a_groups_file_under_each_member(listed: TinyClass, tmp_path: Path) -> None:
    group(listed, "[[s1, s6]]")
    own = f"assignsubmission_file_/{LAB}.ipynb"
    names = [f"Team A-Ada Lovelace_901_{own}", f"Team A-Fay Wu_902_{own}"]

    found = collect(
        listed.classroom, LAB, zipped(tmp_path / "a.zip", [(each, work(listed)) for each in names]), "moodle"
    )

    assert remarks(found) == {"s1": "", "s6": ""}
    assert found.left_out == {}
    assert returned_as(listed) == {
        "s1": "Team A-Ada Lovelace_901_assignsubmission_file_/",
        "s6": "Team A-Fay Wu_902_assignsubmission_file_/",
    }


def test_moodle_has_a_groups_file_under_its_name_with_a_number_that_is_no_students(
    listed: TinyClass, tmp_path: Path
) -> None:
    group(listed, "{Team A: [s1, s6]}")
    path = zipped(tmp_path / "a.zip", [(f"Team A_4719_assignsubmission_file/{LAB}.ipynb", work(listed))])

    found = collect(listed.classroom, LAB, path, "moodle")

    assert remarks(found) == {"s1": "of the group", "s6": "of the group"}
    assert returned_as(listed) == {"s1": None, "s6": None}


def test_the_newest_file_of_any_member_counts_for_the_group(listed: TinyClass, tmp_path: Path) -> None:
    group(listed, "[[s1, s2]]")
    files = [
        (f"lovelaceada_4711_9002_{LAB}.ipynb", work(listed, "newer")),
        (f"oneillben_4712_9001_{LAB}.ipynb", work(listed, "older")),
    ]

    found = collect(listed.classroom, LAB, zipped(tmp_path / "a.zip", files), "canvas")

    assert submitted(listed, "s2") == work(listed, "newer")
    assert found.left_out == {f"oneillben_4712_9001_{LAB}.ipynb": f"older than '{LAB}.ipynb'"}


@pytest.mark.parametrize(("minutes", "is_submission_time"), [(5, False), (45, True)])
def test_times_of_one_download_are_not_those_of_submission(
    listed: TinyClass, tmp_path: Path, minutes: int, is_submission_time: bool
) -> None:
    own = f"assignsubmission_file/{LAB}.ipynb"
    names = [f"Ada Lovelace_901_{own}", f"Fay Wu_902_{own}"]
    times = {names[1]: (2026, 10, 5, 12, minutes, 0)}
    path = zipped(tmp_path / "a.zip", [(each, work(listed)) for each in names], times)

    collect(listed.classroom, LAB, path, "moodle")

    assert {each.is_submission_time for each in records.load(listed.classroom, LAB).values()} == {is_submission_time}
