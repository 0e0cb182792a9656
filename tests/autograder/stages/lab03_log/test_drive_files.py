"""The files of a process's open descriptors, which may close during the look-up, and what was synced."""

import os
from pathlib import Path

from autograder.stages.lab03_log.log.drive_files import names_are_synced, open_files_in, target_of
from streamlab.lab03_log.wire.batch_files import sync_folder


def test_a_descriptor_has_a_target_until_it_is_closed(tmp_path: Path) -> None:
    segment = tmp_path / "0.log"
    with segment.open("wb") as file:
        number = file.fileno()
        assert target_of(number) == target_of(str(number)) == os.path.realpath(segment)
    assert target_of(number) is None


def test_open_files_are_counted_until_they_are_closed(tmp_path: Path) -> None:
    with (tmp_path / "0.index").open("wb"):
        assert open_files_in(tmp_path) == 1
    assert open_files_in(tmp_path) == 0


def test_a_name_is_synced_by_a_sync_of_its_folder_that_comes_later(tmp_path: Path) -> None:
    sync_folder(tmp_path)
    (tmp_path / "0.log").touch()
    assert not names_are_synced(tmp_path)
    sync_folder(tmp_path)
    assert names_are_synced(tmp_path)
