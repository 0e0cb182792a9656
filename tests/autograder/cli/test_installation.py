"""An installation is complete or has no effect, and pip's settings apply to uv, too."""

import errno
import os
import ssl
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

import pytest

from autograder.cli import installation
from autograder.cli.installation import (
    ALWAYS,
    DEV_LOCK,
    KIT_LOCK,
    KIT_STAMP,
    Environment,
    InstallFailed,
    main,
    uv_settings,
)

VARIABLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "UV_SYSTEM_CERTS", "UV_DEFAULT_INDEX")


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: ssl.DefaultVerifyPaths(*6 * [None]))  # type: ignore


@pytest.mark.parametrize(
    ("of_pip", "of_uv"),
    [
        ({}, {}),
        ({"index-url": "https://a/simple"}, {"UV_DEFAULT_INDEX": "https://a/simple"}),
        ({"extra-index-url": "https://b\nhttps://c"}, {"UV_INDEX": "https://b https://c"}),
        ({"find-links": "/wheels\n/more"}, {"UV_FIND_LINKS": "/wheels,/more"}),
        ({"trusted-host": "a b"}, {"UV_INSECURE_HOST": "a b"}),
        ({"cert": "/a file.pem"}, {"SSL_CERT_FILE": "/a file.pem"}),
        ({"proxy": "user:word@proxy:3128"}, {"ALL_PROXY": "http://user:word@proxy:3128"}),
        ({"proxy": "https://proxy"}, {"ALL_PROXY": "https://proxy"}),
        ({"default-timeout": "60", "timeout": "180"}, {"UV_HTTP_TIMEOUT": "180"}),
        ({"disable-pip-version-check": "1"}, {}),
    ],
)
def test_settings_of_pip_become_variables_of_uv(of_pip: dict[str, str], of_uv: dict[str, str]) -> None:
    settings, flags = uv_settings(of_pip)

    assert {name: value for name, value in settings.items() if name not in ALWAYS} == of_uv
    assert flags == []


@pytest.mark.parametrize(("value", "flags"), [("1", ["--no-index"]), ("true", ["--no-index"]), ("0", []), ("", [])])
def test_uv_uses_no_index_if_pip_uses_none(value: str, flags: list[str]) -> None:
    assert uv_settings({"no-index": value})[1] == flags


def test_a_variable_of_uv_overrides_a_setting_of_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://mine")

    assert uv_settings({"index-url": "https://pips"})[0]["UV_DEFAULT_INDEX"] == "https://mine"


def test_uv_trusts_the_certificates_that_pip_trusts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: ssl.DefaultVerifyPaths("/ca", *5 * [None]))  # type: ignore
    system = uv_settings({})[0]
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/bundle")
    requests = uv_settings({})[0]
    named = uv_settings({"cert": "/named"})[0]

    assert (system.get("UV_SYSTEM_CERTS"), system.get("SSL_CERT_FILE")) == ("1", None)
    assert (requests.get("UV_SYSTEM_CERTS"), requests.get("SSL_CERT_FILE")) == (None, "/bundle")
    assert named["SSL_CERT_FILE"] == "/named"


def test_a_variable_overrides_a_file_and_the_install_section_overrides_the_global_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pip.conf").write_text(
        "[global]\nproxy = a\ntimeout = 1\ncert = c\n[install]\nproxy = b\ntimeout = 2\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    monkeypatch.setenv("PIP_TIMEOUT", "3")
    monkeypatch.delenv("PIP_CERT", raising=False)
    environment = Environment(tmp_path)
    environment.python = Path(sys.executable)

    settings = environment.pip_settings()

    assert {name: settings[name] for name in ("cert", "proxy", "timeout")} == {
        "cert": "c",
        "proxy": "b",
        "timeout": "3",
    }


def environment_with(folder: Path, **files: str) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / name.replace("_", "-")).write_text(text)
    return folder


def add_raises(problem: BaseException | None, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Replace the installation of packages; return the list to which each call adds its `is_repair`."""
    repairs = []

    def add(_: Environment, lock: str, is_repair: bool = False) -> None:
        repairs.append(is_repair)
        if problem:
            raise problem

    monkeypatch.setattr(Environment, "add", add)
    return repairs


@pytest.mark.parametrize(
    ("problem", "code", "message"),
    [
        (InstallFailed("no network"), 2, "no network"),
        (
            OSError(errno.ENOSPC, "disk full", "/x"),
            2,
            "/x: disk full; free 2 GB of disk space, then run the command again",
        ),
        (KeyboardInterrupt(), 130, "stopped before the installation was complete; run the command again to continue"),
    ],
    ids=["failed", "full disk", "Ctrl-C"],
)
def test_the_old_environment_is_put_back_if_the_new_one_is_not_completed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    problem: BaseException,
    code: int,
    message: str,
) -> None:
    environment_with(tmp_path / ".venv", streamlab_stamp="old", package="old")
    add_raises(problem, monkeypatch)

    assert main(tmp_path, KIT_LOCK, KIT_STAMP, "new") == code

    assert sorted(path.name for path in (tmp_path / ".venv").iterdir()) == ["package", "streamlab-stamp"]
    assert not (tmp_path / ".venv.old").exists()
    assert capsys.readouterr().err.splitlines()[1:] == [f"lab: {message}"]


def test_a_complete_new_environment_replaces_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment_with(tmp_path / ".venv", streamlab_stamp="old", package="old")
    add_raises(None, monkeypatch)

    assert main(tmp_path, KIT_LOCK, KIT_STAMP, "new") == 0

    assert (tmp_path / ".venv" / KIT_STAMP).read_text() == "new\n"
    assert (tmp_path / ".venv" / "bin" / "python").exists()
    assert not (tmp_path / ".venv" / "package").exists()
    assert not (tmp_path / ".venv.old").exists()


@pytest.mark.parametrize("new", [{}, {"package": "half"}, {"streamlab_stamp": "", "package": "half"}])
def test_after_a_kill_the_next_run_puts_the_old_environment_back(tmp_path: Path, new: dict[str, str]) -> None:
    environment_with(tmp_path / ".venv.old", streamlab_stamp="old", package="old")
    environment_with(tmp_path / ".venv", **new)

    assert main(tmp_path, KIT_LOCK, KIT_STAMP, "old") == 0

    assert (tmp_path / ".venv" / "package").read_text() == "old"
    assert not (tmp_path / ".venv.old").exists()


def test_after_a_kill_that_followed_the_stamp_the_next_run_deletes_the_old_environment(tmp_path: Path) -> None:
    environment_with(tmp_path / ".venv.old", package="old")
    environment_with(tmp_path / ".venv", streamlab_stamp="new", package="new")

    assert main(tmp_path, KIT_LOCK, KIT_STAMP, "new") == 0

    assert (tmp_path / ".venv" / "package").read_text() == "new"
    assert not (tmp_path / ".venv.old").exists()


def test_only_the_run_after_an_interrupted_one_repairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment_with(tmp_path / ".venv", streamlab_stamp="kit")
    interrupted = add_raises(KeyboardInterrupt(), monkeypatch)
    main(tmp_path, DEV_LOCK, "stamp-dev", "1")
    repairs = add_raises(None, monkeypatch)

    for text in ("1", "1", "2"):  # the second has its stamp already
        main(tmp_path, DEV_LOCK, "stamp-dev", text)

    assert (interrupted, repairs) == ([False], [True, False])


@pytest.mark.parametrize(("is_repair", "of_uv"), [(False, False), (True, True)])
def test_a_repair_and_pip_after_a_uv_that_failed_install_packages_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_repair: bool, of_uv: bool
) -> None:
    commands: list[tuple[str, ...]] = []
    environment = Environment(tmp_path)
    environment.uv.parent.mkdir(parents=True)
    environment.uv.touch()
    (tmp_path / "requirements-uv.lock").touch()
    monkeypatch.setattr(environment, "pip_settings", dict)
    monkeypatch.setattr(environment, "_run", lambda *command, **_: commands.append(tuple(map(str, command))))
    broken = tmp_path / ".venv" / "lib" / "python3.11" / "site-packages" / "broken-1.dist-info"
    broken.mkdir(parents=True)

    with pytest.raises(InstallFailed):
        environment.add(DEV_LOCK, is_repair)

    assert ["--reinstall" in commands[0], "--force-reinstall" in commands[-1]] == [of_uv, True]
    assert not broken.exists()


def test_a_system_error_is_one_line_with_path_reason_and_next_step(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".venv.lock").mkdir()

    assert main(tmp_path, KIT_LOCK, KIT_STAMP, "new") == 2

    message = f"lab: {tmp_path}/.venv.lock: Is a directory; delete it, then run the command again\n"
    assert capsys.readouterr().err == message


@pytest.mark.parametrize("log", ["/dev/full", "/no/such/folder/log"])
def test_a_log_that_cannot_be_written_does_not_end_the_installation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], log: str
) -> None:
    environment = Environment(tmp_path)
    environment.log = Path(log)

    environment._report_fallback("uv is not available")

    assert capsys.readouterr().err.startswith("lab: uv is not available; installing with pip")
    assert environment._run("true")


@pytest.mark.parametrize(
    "words", ["INFO Waiting to acquire exclusive lock for `pyspark`", "waiting for another process,"]
)
def test_a_program_that_waits_for_another_process_is_reported_while_it_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    said: SimpleQueue[str] = SimpleQueue()
    monkeypatch.setattr(installation, "say", said.put)
    environment = Environment(tmp_path)
    environment.log = tmp_path / "log"
    os.mkfifo(tmp_path / "lock")

    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(environment._run, "sh", "-c", f"echo '{words}'; read line <lock; echo done")
        message = said.get(timeout=60)
        (tmp_path / "lock").write_text("free\n")

    assert message == "another process on this machine is installing or preparing the same; waiting for it"
    assert run.result()
    assert environment.log.read_text() == f"{words}\ndone\n"
