"""Texts are the same in every run and have the requested shape."""

from collections import Counter
from collections.abc import Callable

import pytest

from streamlab.sources.sample_text import real_text, sentences, zipf_lines


def test_the_real_text_consists_of_lines_of_the_language_reference() -> None:
    lines = real_text()

    assert sum(len(line) + 1 for line in lines) > 300_000
    assert lines == real_text()
    assert not any("\n" in line or "\r" in line for line in lines)
    assert sum("lambda" in line for line in lines) > 10


def test_zipf_lines_have_the_requested_shape() -> None:
    lines = zipf_lines("shape", lines=100, words_per_line=7, vocabulary=50)

    assert [len(line.split(" ")) for line in lines] == [7] * 100
    assert len(set(" ".join(lines).split())) <= 50


@pytest.mark.parametrize("text_of", [lambda seed: zipf_lines(seed, lines=50), lambda seed: sentences(seed, 5)])
def test_a_text_depends_only_on_its_seed(text_of: Callable[[str], list[str]]) -> None:
    assert text_of("a") == text_of("a") != text_of("b")


def test_sentences_end_with_a_full_stop() -> None:
    assert all(sentence.endswith(".") for sentence in sentences("a", 20))


def test_at_skew_1_the_second_word_is_about_half_as_frequent_as_the_first() -> None:
    counts = Counter(" ".join(zipf_lines("skew", lines=5000, vocabulary=1000, skew=1.0)).split())
    (_, first), (_, second) = counts.most_common(2)

    assert 1.7 < first / second < 2.3


def test_without_skew_all_words_are_about_equally_frequent() -> None:
    counts = Counter(" ".join(zipf_lines("flat", lines=5000, vocabulary=100, skew=0)).split())

    assert max(counts.values()) < 1.5 * min(counts.values())


def test_zero_lines_are_an_empty_list() -> None:
    assert zipf_lines("none", lines=0) == []
    assert sentences("none", 0) == []


@pytest.mark.parametrize("arguments", [{"lines": -1}, {"lines": 1, "words_per_line": 0}, {"lines": 1, "vocabulary": 0}])
def test_an_invalid_shape_is_rejected(arguments: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="got"):
        zipf_lines("bad", **arguments)
