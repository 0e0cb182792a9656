"""Spark's own examples, run by spark-submit against LineServer, print what an independent count says."""

import re
from collections import Counter
from pathlib import Path

import psutil
import pytest

from streamlab.sources.line_server import LineServer
from streamlab.spark.examples import (
    ExampleEnded,
    example_names,
    printed_counts,
    printed_lists,
    printed_totals,
    run_example,
)

DEADLINE_S = 180.0
EXCLUDED = {"a", "b", "c"}  # by recoverable_network_wordcount
PRINTED = """\
-------------------------------------------
Time: 2026-01-01 00:00:00
-------------------------------------------
('to', 2)
("don't", 1)
('(', 1)

-------------------------------------------
Time: 2026-01-01 00:00:01
-------------------------------------------
('to', 3)
"""


def test_counts_are_summed_over_the_batches() -> None:
    assert printed_counts(PRINTED) == {"to": 5, "don't": 1, "(": 1}


def test_a_line_that_is_not_complete_is_left_for_later() -> None:
    assert printed_counts("('a', 1)\n('b', 1") == {"a": 1}
    assert printed_counts("") == {}


def test_a_batch_that_was_cut_is_refused() -> None:
    with pytest.raises(ValueError, match="cut after ten pairs"):
        printed_counts("('a', 1)\n...\n")


def test_an_unknown_example_is_answered_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"no example 'wordcount'; there are .*network_wordcount"):
        run_example("wordcount", until=bool)


def test_sparks_own_word_count_counts_every_word_once(capfd: pytest.CaptureFixture[str]) -> None:
    lines = ["to be or not to be", "that is", "", "don't  DON'T", "naïve"] * 200  # 10 words: pprint shows no more
    expected = Counter(word for line in lines for word in line.split(" "))
    with LineServer(lines, rate_per_s=300) as server:
        printed = run_example(
            "network_wordcount",
            server.host,
            server.port,
            until=lambda text: printed_counts(text).total() >= expected.total(),
            timeout_s=DEADLINE_S,
        )

    assert printed_counts(printed) == expected
    assert capfd.readouterr() == ("", "")
    commands = [" ".join(each.cmdline()) for each in psutil.Process().children(recursive=True)]
    assert not [command for command in commands if "network_wordcount.py" in command]


def test_totals_are_those_of_the_last_batch_that_is_whole() -> None:
    assert printed_totals(PRINTED) == {"to": 2, "don't": 1, "(": 1}  # the second batch may still grow
    assert printed_totals(f"{PRINTED}\n") == {"to": 3}
    assert printed_totals("") == {}


def test_counts_of_a_line_are_read_and_an_unfinished_line_is_left_for_later() -> None:
    text = "Counts at time 2026-01-01 00:00:00 [('to', 2)]\nDropped 1 word(s) totally\nCounts at time 2026-01-01 00:00"

    assert printed_lists(text) == [{"to": 2}]


def test_sparks_own_running_count_adds_up_over_all_batches() -> None:
    lines = ["to be or not to be", "that is", "hello"] * 100
    expected = Counter(word for line in lines for word in line.split(" ")) + Counter(
        hello=1, world=1
    )  # its first state
    with LineServer(lines, rate_per_s=100) as server:
        printed = run_example(
            "stateful_network_wordcount",
            server.host,
            server.port,
            until=lambda text: sum(printed_totals(text).values()) >= expected.total(),
            timeout_s=DEADLINE_S,
        )

    assert printed_totals(printed) == expected
    assert printed.count("Time: ") > 3


def test_sparks_own_recoverable_count_goes_on_after_it_was_killed(tmp_path: Path) -> None:
    halves = ["to be a bee", "or not to be"] * 50, ["that is the b question"] * 50
    expected = Counter(word for half in halves for line in half for word in line.split(" ") if word not in EXCLUDED)
    written, port = tmp_path / "counts.txt", 0

    def is_counted(text: str, words: int) -> bool:
        counts = printed_lists(text)
        return len(counts) > 1 and sum(counts[:-1], Counter()).total() >= words  # the batch before was also written

    printed = []
    for half in halves:
        words = sum(word not in EXCLUDED for line in half for word in line.split(" "))
        with LineServer(half, rate_per_s=50, port=port) as server:
            port = server.port  # the checkpoint holds the address, too
            arguments = server.host, port, tmp_path / "checkpoint", written
            told = run_example(
                "recoverable_network_wordcount",
                *map(str, arguments),
                until=lambda text, words=words: is_counted(text, words),
                timeout_s=DEADLINE_S,
            )
            printed.append(told)

    assert ["Creating new context" in text for text in printed] == [True, False]
    assert sum(printed_lists(written.read_text()), Counter()) == expected


def test_sparks_own_sentiments_of_words_are_frequency_times_worth() -> None:
    worth = {"great": 3, "sad": -2, "fine": 2}
    lines = ["Harvard is great great", "rain sad", "fine sad day"] * 20
    counts = Counter(word for line in lines for word in line.split(" "))
    expected = {word: counts[word] * each for word, each in worth.items()}

    def happiness(text: str) -> Counter[str]:
        total: Counter[str] = Counter()
        for word, each in re.findall(r"^(\w+) \((-?\d+) happiness\)$", text, re.MULTILINE):
            total[word] += int(each)
        return total

    with LineServer(lines, rate_per_s=10) as server:
        printed = run_example(
            "network_wordjoinsentiments",
            server.host,
            server.port,
            until=lambda text: happiness(text) == expected,
            timeout_s=DEADLINE_S,
            # The list that pyspark brings has tabs, at which the example does not split: it would find no word.
            files={"data/streaming/AFINN-111.txt": "".join(f"{word} {each}\n" for word, each in worth.items())},
        )

    assert happiness(printed) == expected


def test_an_example_that_ends_too_early_is_said_with_its_last_words() -> None:
    with pytest.raises(ExampleEnded, match=r"ended with code [1-9]\d*: Usage: network_wordcount.py"):
        run_example("network_wordcount", "only one argument", until=lambda text: False, timeout_s=DEADLINE_S)


def test_the_examples_of_the_lectures_are_there() -> None:
    assert {"network_wordcount", "stateful_network_wordcount"} <= set(example_names())
