"""The files of a process's open descriptors, which may close during the look-up."""

import os
from pathlib import Path

from autograder.stages.lab03_log.log.drive_files import target_of


def test_a_descriptor_has_a_target_until_it_is_closed(tmp_path: Path) -> None:
    segment = tmp_path / "0.log"
    with segment.open("wb") as file:
        number = file.fileno()
        assert target_of(number) == target_of(str(number)) == os.path.realpath(segment)
    assert target_of(number) is None
