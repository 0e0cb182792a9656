"""A level that does not exist or does not work here is an error that says why."""

from pathlib import Path

import pytest

from autograder.sandbox import SandboxUnavailable, bubblewrap, choose_level


@pytest.mark.parametrize("level", ["docker", "Bubblewrap", "none", "process "])
def test_an_unknown_level_is_an_error(level: str) -> None:
    with pytest.raises(SandboxUnavailable, match=f"no sandbox level {level}; the levels are bubblewrap, "):
        choose_level(level)


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("#!/bin/sh\nexec /bin/sleep 600\n", "it has not ended after 0.2 s"),
        ("#!/bin/sh\n/bin/sleep 600 &\nwait\n", "it has not ended after 0.2 s"),
        ("no program", "Exec format error"),
        ("#!/bin/sh\necho no namespaces >&2\nexit 1\n", "no namespaces"),
    ],
    ids=["hangs", "its child hangs", "no program", "fails"],
)
def test_a_bubblewrap_that_does_not_work_is_not_available(
    program: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bwrap").write_text(program)
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(bubblewrap, "PROBE_LIMIT_S", 0.2)

    with pytest.raises(SandboxUnavailable) as problem:
        choose_level(None)

    assert why in str(problem.value)
    assert "--sandbox process" in str(problem.value)
    assert "\n" not in str(problem.value)
