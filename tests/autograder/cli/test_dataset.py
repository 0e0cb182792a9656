"""`./lab dataset` writes whole files or none, the same bytes for the same arguments, and one line for a mistake."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.cli.dataset import dataset
from streamlab.lab02_windows.tweet_server import recorded_tweets
from streamlab.lab02_windows.tweet_stream import tweets
from tests.autograder.cli.conftest import ROOT, Mistake, lab


def test_a_relative_path_is_resolved_from_the_folder_of_the_user(tmp_path: Path) -> None:
    arguments = ["--seed", "mine", "--count", "300", "--minutes", "5", "--to", "mine.jsonl.gz"]
    done = lab("dataset", "tweets", *arguments, caller=tmp_path)

    assert done.returncode == 0
    assert f"{tmp_path}/mine.jsonl.gz: 300 lines" in done.stdout
    assert "sha256 of the lines: " in done.stdout
    assert "tweets: 0 of 300 lines" in done.stderr
    assert list(recorded_tweets(tmp_path / "mine.jsonl.gz")) == list(tweets("mine", 300, duration_s=300))
    assert [path.name for path in tmp_path.iterdir()] == ["mine.jsonl.gz"]


def test_equal_arguments_give_equal_bytes_and_an_old_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_text("old")
    for name in ("a.gz", "b.gz"):
        done = CliRunner().invoke(dataset, ["tweets", "--count", "50", "--to", str(tmp_path / name)])
        assert done.exit_code == 0, done.output

    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "no data set nothing; expected tweets"),
        (["tweets"], "Missing option '--to'"),
        (["tweets", "--to", "."], "is a folder; name a file in it: --to tweets.jsonl.gz"),
        (["tweets", "--to", "/dev/null"], "/dev/null is not a regular file"),
        (["tweets", "--to", "/nowhere/x.gz"], "no folder /nowhere to write x.gz into"),
        (["tweets", "--to", "/proc/x"], "cannot write /proc/x"),
        (["tweets", "--to", "x", "--count", "0"], "'--count': 0 is not in the range"),
        (["tweets", "--to", "x", "--count", "many"], "'many'"),
        (["tweets", "--to", "x", "--minutes", "0"], "expected 0.001 … 10080 minutes, got 0"),
        (["tweets", "--to", "x", "--minutes", "nan"], "got nan"),
        (["tweets", "--to", "x", "--seed", "\udcff"], "seed must be a text that UTF-8 can hold"),
    ],
)
def test_a_mistake_is_one_line_and_writes_nothing(
    tmp_path: Path, mistake: Mistake, arguments: list[str], message: str
) -> None:
    assert message in mistake("dataset", *arguments, caller=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_stopping_it_leaves_no_partial_file(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "autograder.cli", "dataset", "tweets", "--count", "10000000", "--to", "large.gz"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "STREAMLAB_CALLED_FROM": str(tmp_path)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=environment, cwd=ROOT, text=True) as process:
        assert process.stderr is not None
        process.stderr.readline()  # the file is being written now
        assert [path.suffix for path in tmp_path.iterdir()] == [".partial"]
        process.send_signal(signal.SIGINT)
        message = process.stderr.read()

    assert process.returncode == 130
    assert "Traceback" not in message
    assert list(tmp_path.iterdir()) == []
