"""Spark's own examples, run by spark-submit on lines from LineServer, print the same counts as an independent count."""

from collections import Counter

import psutil
import pytest

from streamlab.lab01_wordcount.examples import ExampleEnded, example_names, printed_counts, run_example
from streamlab.sources.line_server import LineServer

DEADLINE_S = 180.0
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


def test_an_incomplete_line_is_left_for_later() -> None:
    assert printed_counts("('a', 1)\n('b', 1") == {"a": 1}
    assert printed_counts("") == {}


def test_a_truncated_batch_is_rejected() -> None:
    with pytest.raises(ValueError, match="cut after ten pairs"):
        printed_counts("('a', 1)\n...\n")


def test_an_unknown_example_is_rejected_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"no example 'wordcount'; there are .*network_wordcount"):
        run_example("wordcount", until=bool)


@pytest.mark.slow
def test_sparks_own_word_count_counts_every_word_once(capfd: pytest.CaptureFixture[str]) -> None:
    lines = ["to be or not to be", "that is", "", "don't  DON'T", "naïve"] * 60  # 10 words, the most that pprint shows
    expected = Counter(word for line in lines for word in line.split(" "))
    with LineServer(lines, rate_per_s=300) as server:
        place, has_all = (server.host, server.port), lambda text: printed_counts(text).total() >= expected.total()
        printed = run_example("network_wordcount", *place, until=has_all, timeout_s=DEADLINE_S)

    assert printed_counts(printed) == expected
    assert capfd.readouterr() == ("", "")
    commands = [" ".join(each.cmdline()) for each in psutil.Process().children(recursive=True)]
    assert not [command for command in commands if "network_wordcount.py" in command]


@pytest.mark.slow
def test_an_example_that_ends_too_early_is_reported_with_its_last_line() -> None:
    with pytest.raises(ExampleEnded, match=r"ended with code [1-9]\d*: Usage: network_wordcount.py"):
        run_example("network_wordcount", "only one argument", until=lambda text: False, timeout_s=DEADLINE_S)


def test_the_examples_of_the_lectures_exist() -> None:
    assert {"network_wordcount", "stateful_network_wordcount"} <= set(example_names())
