"""The folder of a server program's package; the error for a missing package includes the next step."""

from pathlib import Path

import pytest

from streamlab.services.wheels import NotInstalled, wheel_folder


def test_the_folder_of_an_installed_package_is_returned() -> None:
    assert wheel_folder("pytest", "redis") == Path(pytest.__file__).parent


def test_the_error_for_a_missing_package_includes_the_next_step() -> None:
    with pytest.raises(NotInstalled, match=r"redis needs the package no_such_module.*`\./lab services up redis`"):
        wheel_folder("no_such_module", "redis")
