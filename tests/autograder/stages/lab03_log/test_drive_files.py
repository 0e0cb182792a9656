"""The files behind the descriptors of a process, some of which may close while one looks."""

import os
from pathlib import Path

from autograder.stages.lab03_log.log.drive_files import target_of


def test_a_descriptor_names_its_file_until_it_is_closed(tmp_path: Path) -> None:
    segment = tmp_path / "0.log"
    with segment.open("wb") as file:
        number = file.fileno()
        assert target_of(number) == target_of(str(number)) == os.path.realpath(segment)
    assert target_of(number) is None
