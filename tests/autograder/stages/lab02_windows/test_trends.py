"""Hashtags, trends and mentions: the oracle against examples worked out by hand, and stubs that pass no check."""

import random
import re
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.checks import load_stage
from autograder.stages.lab02_windows.trends import oracle
from autograder.stages.lab02_windows.trends.drive import longest_first, short_windows
from tests.autograder.stages.lab02_windows.driven import LAB, rows_of

STAGE = load_stage(LAB)
ALPHABET = "#&/_aB1é流²٣ \n.http://"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("#", []),
        ("#a", ["a"]),
        ("#Straße #STRASSE", ["strasse", "strasse"]),
        ("#b #a #b", ["b", "a", "b"]),
        ("#a-b #go_sox! (#流处理)", ["a", "go_sox", "流处理"]),
        ("#2026 #_ #1st #٣", ["1st"]),
        ("a#b é#b 1#b _#b &#39; /#b ##b", []),
        ("#a#b", ["a"]),
        ("http://x.y/-#a #b", ["b"]),
        ("see:HTTPS://x.y/?(#a\n#b", ["b"]),
        ("http:/-#a", ["a"]),
    ],
)
def test_a_tag_is_a_run_with_a_letter_after_a_hash_at_the_start_of_a_word(text: str, expected: list[str]) -> None:
    assert oracle.hashtags(text) == expected


def test_hashtags_agree_with_a_regular_expression_on_random_texts() -> None:
    rng = random.Random("hashtags")
    texts = ["".join(rng.choices([*ALPHABET, "http://", "https://"], k=rng.randint(0, 14))) for _ in range(5000)]

    for text in texts:
        shown = re.sub(r"https?://\S*", lambda url: " " * len(url[0]), text, flags=re.IGNORECASE)
        tags = [tag.casefold() for tag in re.findall(r"(?<![\w&/#])#(\w+)", shown)]
        assert oracle.hashtags(text) == [tag for tag in tags if any(map(str.isalpha, tag))], text


@pytest.mark.parametrize(
    ("counts", "k", "expected"),
    [
        ([], 3, []),
        ([("a", 1)], 0, []),
        ([("a", 1), ("b", 2)], 1, [("b", 2)]),
        ([("a", 1), ("b", 2)], 9, [("b", 2), ("a", 1)]),
        ([("b", 1), ("a", 1)], 2, [("a", 1), ("b", 1)]),
        ([("é", 1), ("z", 1), ("Z", 1)], 3, [("Z", 1), ("z", 1), ("é", 1)]),
        ([("ab", 1), ("a", 1)], 2, [("a", 1), ("ab", 1)]),
        ([("😀", 1), ("ａ", 1)], 1, [("ａ", 1)]),  # U+FF41 before U+1F600, though not in UTF-16
        ([("a", 1), ("b", 2), ("a", 2)], 2, [("a", 3), ("b", 2)]),
        ([("a", 5), ("a", -5), ("b", 0), ("c", -1)], 9, []),
    ],
)
def test_trends_are_ranked_by_sum_and_then_by_code_point(
    counts: list[Any], k: int, expected: list[tuple[str, int]]
) -> None:
    assert oracle.trending(counts, k) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Harvard's #1_choice", ["harvard", "s", "1", "choice"]), ("", []), ("STRASSE straße", ["strasse", "strasse"])],
)
def test_words_are_runs_of_alphanumerics(text: str, expected: list[str]) -> None:
    assert oracle.words(text) == expected


def test_mentions_cover_the_texts_that_have_the_name_as_a_word() -> None:
    batches = [["HARVARD is great, great", "bad Harvardians"], ["so sad about Harvard"], ["good"]]

    answers = oracle.mentions(batches, "Harvard", 2, 1)

    one, other = oracle.mood(batches[0][0]), oracle.mood(batches[1][0])
    assert answers[1] == (1, [("great", 2)], one)
    assert answers[2] == (2, [("great", 2), ("sad", 1)], pytest.approx((one + other) / 2))
    assert answers[3] == (1, [("sad", 1)], other)


def test_a_name_is_not_one_of_its_own_describing_words() -> None:
    assert oracle.mentions_in(["hope is good"], "Hope")[1] == [("good", 1)]


def test_a_name_without_mentions_has_no_words_and_a_mood_of_zero() -> None:
    assert oracle.mentions([[], ["good"]], "Harvard", 1, 1) == {1: (0, [], 0.0), 2: (0, [], 0.0)}


def test_moods_are_those_of_the_published_lexicon() -> None:
    assert oracle.mood("Harvard is great") == 0.6249
    assert oracle.mood("Harvard is not great") == -0.5096


# Stubs of the drive

MENTIONS = """
def trending(counts, k): raise AssertionError("a stub takes its place")
def windowed_counts(pairs, window_s, slide_s): raise AssertionError("a stub takes its place")
def mentions(texts, name, window_s, slide_s):
    counts = windowed_counts(texts.map(lambda text: (text, 1)), window_s, slide_s)
    return counts.repartition(1).glom().map(lambda pairs: (len(pairs), trending(pairs, 2), 0.5))
"""


@pytest.mark.slow
def test_mentions_is_driven_with_stubs_of_the_earlier_tasks(spark: Any) -> None:
    case = {"batches": [["b", "aaa", "cc"], []], "name": "a", "window_batches": 2, "slide_batches": 2}

    rows = rows_of("mentions", MENTIONS, case, spark=spark)

    assert rows == {"slides": [{"at_batch": 2, "rows": [[3, [["aaa", 1], ["cc", 1]], 0.5]]}]}


@pytest.mark.parametrize("words", [[["good", 2], ["great", 1]], [["great", 1], ["good", 2]]])
def test_words_may_be_in_the_order_of_trending_or_of_its_stub(words: list[Any]) -> None:
    assert _judged(words) is None


@pytest.mark.parametrize(
    "words", [[["good", 1], ["great", 1]], [["great", 2], ["good", 2]], [["great", 1]], "good", [7]]
)
def test_other_words_are_a_mismatch(words: Any) -> None:
    assert _judged(words) is not None


def _judged(words: Any) -> Any:
    case = {"batches": [["Yale: good, good, great"]], "name": "Yale", "window_batches": 2, "slide_batches": 1}
    rows = {"slides": [{"at_batch": 1, "rows": [[1, words, 0.0]]}]}
    [check] = [each for each in STAGE.of_task("mentions") if each.name.startswith("describing_words")]
    return check.judge(case, rows)


@pytest.mark.parametrize("check", STAGE.of_task("trending"), ids=lambda check: check.name)
def test_the_stub_of_trending_passes_no_check(check: Any) -> None:
    stub = longest_first()

    def rows(case: dict[str, Any]) -> dict[str, Any]:
        return {"top": [list(pair) for pair in stub([tuple(each) for each in case["counts"]], case["k"])]}

    assert any(check.judge(case, rows(case)) for case in check.cases("a seed of this test"))


@pytest.mark.parametrize("check", STAGE.of_task("windowed_counts"), ids=lambda check: check.name)
def test_the_stub_of_windowed_counts_raises_in_the_last_case_of_every_check(check: Any) -> None:
    stub, batch_s = short_windows(), 0.1
    last = check.cases("public")[-1]
    window_s = last["window_s"] if "window_s" in last else last["window_batches"] * batch_s

    with pytest.raises(TypeError, match="this stub of windowed_counts"):
        stub(SimpleNamespace(_slideDuration=batch_s), window_s, batch_s)
