"""The address at which other machines reach the servers of this one."""

import pytest

from streamlab import LineServer
from streamlab.own_host import own_host


@pytest.mark.parametrize(("named", "expected"), [(None, "127.0.0.1"), ("", "127.0.0.1"), ("lab", "lab")])
def test_the_host_is_the_loopback_unless_the_environment_names_another(
    monkeypatch: pytest.MonkeyPatch, named: str | None, expected: str
) -> None:
    monkeypatch.delenv("STREAMLAB_HOST", raising=False)
    if named is not None:
        monkeypatch.setenv("STREAMLAB_HOST", named)

    assert own_host() == expected


def test_a_source_listens_on_the_named_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMLAB_HOST", "127.0.0.2")

    with LineServer(["to be"]) as server:
        assert server.host == "127.0.0.2"
