"""Each sandbox has its own user id, even if other judges run on this machine."""

from pathlib import Path

import pytest

from autograder.sandbox import own_user
from autograder.sandbox.own_user import OwnUser


@pytest.fixture(autouse=True)
def few_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only two ids exist, so a conflict would show at once."""
    monkeypatch.setenv("STREAMLAB_CACHE", str(tmp_path))
    monkeypatch.setattr(own_user, "COUNT", 2)


def test_two_sandboxes_never_share_a_user() -> None:
    first, second = OwnUser(), OwnUser()

    assert {first.uid, second.uid} == {own_user.FIRST, own_user.FIRST + 1}
    with pytest.raises(RuntimeError, match="all 2 user ids"):
        OwnUser()
    first.release()
    assert OwnUser().uid == first.uid


def test_a_released_user_leaves_no_file_and_may_be_released_twice(tmp_path: Path) -> None:
    user = OwnUser()

    user.release()
    user.release()

    assert list((tmp_path / ".locks").iterdir()) == []


def test_a_lock_file_that_its_holder_removed_is_not_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remove_lock = lambda descriptor, kind: (tmp_path / "x.lock").unlink()  # noqa: E731
    monkeypatch.setattr("fcntl.flock", remove_lock)

    assert own_user._locked(tmp_path / "x.lock") is None
