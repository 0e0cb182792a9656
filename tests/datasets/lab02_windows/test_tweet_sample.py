"""The recorded hour is the output of its recipe, and its page describes it."""

import hashlib
import json
import re
import shlex
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.cli.dataset import dataset
from streamlab.lab02_windows import recorded_tweets, tweet_arrivals
from streamlab.lab02_windows.tweet_stream import ID_EPOCH_MS
from tests.streamlab.lab02_windows.tweet_schema import line_kind, schema_errors

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "datasets" / "lab02_windows" / "tweets"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")
SAMPLE = FOLDER / "boston_hour.jsonl.gz"


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return list(recorded_tweets(SAMPLE))


def test_the_recipe_reproduces_the_lines_of_the_sample(tmp_path: Path, lines: list[str]) -> None:
    """If this fails with another version of faker than the page's, make the sample again with the new version."""
    recipe = re.search(r"^\./lab dataset (.+)$", PAGE, re.MULTILINE)
    assert recipe
    arguments = shlex.split(recipe[1])
    assert ROOT / arguments[-1] == SAMPLE
    done = CliRunner().invoke(dataset, [*arguments[:-1], str(tmp_path / "again.jsonl.gz")])

    assert done.exit_code == 0, done.output
    assert list(recorded_tweets(tmp_path / "again.jsonl.gz")) == lines, f"faker {version('faker')}"


def test_checksums_and_sizes_match_the_page(lines: list[str]) -> None:
    file, text = SAMPLE.read_bytes(), "".join(f"{line}\n" for line in lines).encode()

    for name, content in (("the file", file), ("its lines", text)):
        size = f"{len(content):,}".replace(",", " ")
        assert f"| {name} | {size} | `{sha256(content)}` |" in PAGE
    assert len(file) <= 1_000_000


def test_the_version_of_faker_matches_the_page_and_the_lock() -> None:
    assert f"faker=={version('faker')} " in (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert f"({version('faker')})" in PAGE


def test_the_counts_of_the_sample_match_the_page(lines: list[str]) -> None:
    stated = re.findall(r"^\| ([\d ]+) \| (.+) \|$", PAGE, re.MULTILINE)

    assert [int(count.replace(" ", "")) for count, _ in stated] == list(counts(lines).values()), counts(lines)


def counts(lines: list[str]) -> dict[str, int]:
    """Return the counts of the sample, in the order of the page."""
    kinds = Counter(line_kind(line) for line in lines)
    arrived_ms = {line: at_ms for at_ms, line in reversed(list(tweet_arrivals("boston", len(lines))))}
    once = dict.fromkeys(line for line in lines if line_kind(line) == "tweet")
    good = {line: json.loads(line) for line in once if not schema_errors(line)}
    written_ms = {line: (tweet["id"] >> 22) + ID_EPOCH_MS for line, tweet in good.items()}
    return {
        "tweets": len(once),
        "retweets": sum("retweeted_status" in tweet for tweet in good.values()),
        "long": sum(tweet["truncated"] for tweet in good.values()),
        "with a point": sum(tweet["coordinates"] is not None for tweet in good.values()),
        "with a place only": sum(bool(tweet["place"]) and not tweet["coordinates"] for tweet in good.values()),
        "bad field": len(once) - len(good),
        "future": sum(int(tweet["timestamp_ms"]) != written_ms[line] for line, tweet in good.items()),
        "late": sum(arrived_ms[line] - written_ms[line] >= 5000 for line in good),
        "duplicates": kinds["tweet"] - len(once),
        "notices": kinds["notice"],
        "malformed": kinds["malformed"],
    }
