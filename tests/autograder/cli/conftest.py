"""`./lab` in this process or in a new one, and the tiny class as the class of the command line."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from autograder.cli import main
from tests.autograder.tiny_class import TinyClass

ROOT = Path(__file__).resolve().parents[3]
Mistake = Callable[..., str]


def lab(*arguments: str, caller: Path = ROOT, kit: Path = ROOT, **more: str) -> "subprocess.CompletedProcess[str]":
    """Run `./lab` of `kit` with this Python, as called from the folder `caller`."""
    command = [sys.executable, "-m", "autograder.cli", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(kit), "STREAMLAB_CALLED_FROM": str(caller), **more}
    return subprocess.run(command, cwd=kit, env=environment, capture_output=True, text=True, timeout=300)


def called(command: click.Command, *arguments: str) -> Result:
    """Call a verb in this process; raise mistakes of the user as the command line does."""
    result = CliRunner().invoke(command, arguments)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def mistake(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Mistake:
    """A function that runs `./lab` in this process, requires exit code 2 and one line on stderr, and returns it."""
    monkeypatch.setattr(main, "place_work", lambda work: None)  # it changes the environment of this process
    monkeypatch.setenv("PYTHONWARNINGS", "ignore")

    def run(*arguments: str, caller: Path = ROOT) -> str:
        monkeypatch.setenv("STREAMLAB_CALLED_FROM", str(caller))
        monkeypatch.setattr(sys, "argv", ["lab", *arguments])
        with pytest.raises(SystemExit) as ended:
            main.run()
        shown, line = capsys.readouterr()
        assert (ended.value.code, shown, len(line.strip().splitlines())) == (2, "", 1), line
        return line

    return run


@pytest.fixture
def classes(tiny_class: TinyClass, recorder: object) -> TinyClass:
    """The tiny class, with the lab released."""
    return tiny_class
