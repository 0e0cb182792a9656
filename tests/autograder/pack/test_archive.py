"""Packing writes a complete archive, the same bytes each time, or nothing."""

import io
import os
import zipfile
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.pack import PackRejected, pack_kit
from autograder.pack.archive import ZIP_STEP_S, zipped
from autograder.pack.contents import Packed

MUTANT = "autograder/stages/lab01_wordcount/streams/mutants.py"


@pytest.mark.slow
def test_equal_inputs_give_equal_bytes_at_any_path_and_time(kit: Path, course: Course, archive: Path) -> None:
    for path in kit.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    (kit / "course.yml").chmod(0o600)

    summary = pack_kit(kit, course, kit / "again.zip")

    assert summary.path.read_bytes() == archive.read_bytes()
    assert summary.size_bytes == archive.stat().st_size
    with zipfile.ZipFile(archive) as content:
        assert content.testzip() is None
        assert summary.files == len(content.namelist()) > 100


def test_all_files_are_in_one_folder_named_after_the_release(course: Course, archive: Path) -> None:
    with zipfile.ZipFile(archive) as content:
        assert {name.partition("/")[0] for name in content.namelist()} == {f"streamlab-{course.release}"}


def test_only_a_changed_file_has_another_time_even_if_its_size_is_the_same() -> None:
    files = {"changed.py": b"LIMIT = 1\n", "same.py": b"LIMIT = 1\nRATE = 2\n"}

    before, after = _times(files), _times(files | {"changed.py": b"LIMIT = 2\n"})

    assert before == _times(files)
    assert before["changed.py"] != after["changed.py"]
    assert before["same.py"] == after["same.py"]


def test_a_zip_can_hold_the_times_and_none_is_in_the_future() -> None:
    times = _times({f"{number}.py": b"%d" % number for number in range(1000)}).values()

    assert min(times) >= (1990, 1, 1, 0, 0, 0)
    assert max(times) < (2020, 1, 1, 0, 0, 0)
    assert {time[5] % ZIP_STEP_S for time in times} == {0}
    assert len(set(times)) == 1000


def _times(files: dict[str, bytes]) -> dict[str, tuple[int, ...]]:
    archive = zipped([Packed(name, False, content) for name, content in files.items()], "kit")
    with zipfile.ZipFile(io.BytesIO(archive)) as content:
        return {each.filename.removeprefix("kit/"): each.date_time for each in content.infolist()}


@pytest.mark.parametrize("name", ["streamlab/notes.py", "datasets/notes.md", "labs/lab01_wordcount/notes.txt"])
def test_a_leak_rejects_the_pack_with_the_file_name_and_keeps_the_old_archive(
    kit: Path, course: Course, name: str
) -> None:
    (kit / name).write_text((kit / MUTANT).read_text())
    target = kit / "kit.zip"
    target.write_text("the archive of before")

    with pytest.raises(PackRejected) as rejected:
        pack_kit(kit, course, target)

    assert rejected.value.problems == [f"{name}: holds streams/mutants.py"]
    assert target.read_text() == "the archive of before"
    assert list(kit.glob(".*partial")) == []


def test_a_notebook_that_is_out_of_date_is_not_packed(kit: Path, course: Course) -> None:
    notebook = kit / "labs" / "lab01_wordcount" / "lab01_wordcount.ipynb"
    notebook.write_text(notebook.read_text().replace("120 minutes", "121 minutes"))

    with pytest.raises(PackRejected, match=r"lab01_wordcount.ipynb is out of date; run `./lab build`"):
        pack_kit(kit, course, kit / "kit.zip")

    assert not (kit / "kit.zip").exists()
