"""The checks of `hashtags`, `trending` and `mentions`."""

from collections.abc import Callable
from typing import Any

from autograder.checks import Case, Check, Mismatch, Rows, check, claim, same_sequence, same_value
from autograder.checks.compare import shown
from autograder.checks.registry import Cases
from autograder.checks.rejection import must_answer
from autograder.stages.lab02_windows.trends import cases, oracle
from autograder.stages.lab02_windows.trends.comparators import longest_first
from autograder.stages.lab02_windows.windows.comparators import are_pairs, at_each_slide, same_slides
from autograder.stages.lab02_windows.windows.oracle import slides

MOOD_TOLERANCE = 1e-6


AFTER = {
    "a_hash_in_a_link_starts_no_tag": "a_tag_is_the_longest_run_after_its_hash",
    "a_hash_inside_a_word_or_entity_starts_no_tag": "a_tag_is_the_longest_run_after_its_hash",
    "a_tag_contains_a_letter": "a_tag_is_the_longest_run_after_its_hash",
    "tags_are_case_folded_and_keep_order_and_repeats": "a_tag_is_the_longest_run_after_its_hash",
    "counts_of_the_same_tag_are_added_first": "the_highest_counts_come_first",
    "tags_without_a_positive_count_are_left_out": "counts_of_the_same_tag_are_added_first",
    "a_mention_is_a_whole_word_in_any_case": "every_slide_has_one_row",
    "describing_words_come_from_texts_that_mention_the_name": "a_mention_is_a_whole_word_in_any_case",
    "the_mood_is_the_mean_of_texts_that_mention_the_name": "a_mention_is_a_whole_word_in_any_case",
}


def _of_tags(name: str, made: Cases) -> Check:
    return claim("hashtags", name, made, _same_tags, invariant=7, after=AFTER.get(name, ()))


def _same_tags(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.hashtags(case["text"])
    return same_value(expected, rows["tags"], what=f"hashtags({shown(case['text'])})")


def _of_ranks(name: str, made: Cases) -> Check:
    return claim("trending", name, made, _same_top, invariant=8, after=AFTER.get(name, ()))


def _same_top(case: Case, rows: Rows) -> Mismatch | None:
    expected, call = oracle.trending(case["counts"], case["k"]), _trending(case)
    return must_answer(call, "a list", rows) or same_sequence(expected, rows["top"], what=call)


def _trending(case: Case) -> str:
    return f"trending(iter({shown(case['counts'])}), {case['k']})"


CLAIMS = [
    _of_tags("a_tag_is_the_longest_run_after_its_hash", cases.runs),  # of letters of every language, digits and _
    _of_tags("a_hash_in_a_link_starts_no_tag", cases.urls),  # in any spelling of the URL; what follows counts
    _of_tags("a_hash_inside_a_word_or_entity_starts_no_tag", cases.inside_words),  # as in a#b and in &#39;
    _of_tags("a_tag_contains_a_letter", cases.numbers),  # #1 is a rank; #1st is a tag
    _of_tags("tags_are_case_folded_and_keep_order_and_repeats", cases.tags_again),  # `trending` counts them
    _of_ranks("the_highest_counts_come_first", cases.ranked),  # k of them, or all
    _of_ranks("ties_are_ordered_by_code_point", cases.ties),  # also where the list is cut
    _of_ranks("counts_of_the_same_tag_are_added_first", cases.in_pieces),  # before anything is compared or left out
    _of_ranks("tags_without_a_positive_count_are_left_out", cases.nothing_to_show),  # a sum of 0 or less
]


# mentions: a row is (texts that mention the name, describing words, mood)

CompareRow = Callable[[Case, oracle.Row, list[Any], str], Mismatch | None]


def _of_mentions(name: str, compare: CompareRow) -> Check:
    """Return a check of the row of each window."""

    def judge(case: Case, rows: Rows) -> Mismatch | None:
        def compare_row(expected: oracle.Row, got: Any, where: str) -> Mismatch | None:
            row = got[0] if isinstance(got, list) and got else got
            if isinstance(row, list) and len(row) == 3:
                return compare(case, expected, row, where)
            sentence = f"Expected a row (texts, describing words, mood) for {where}; yours is {shown(row)}."
            return Mismatch(sentence, expected, got)

        expected = oracle.mentions(case["batches"], case["name"], case["window_batches"], case["slide_batches"])
        return must_answer("mentions", "a DStream", rows) or at_each_slide(expected, rows, compare_row)

    return claim("mentions", name, cases.conversations, judge, invariant=9, after=AFTER.get(name, ()))


def _same_number(case: Case, expected: oracle.Row, got: list[Any], where: str) -> Mismatch | None:
    return same_value(expected[0], got[0], what=f"the number of texts that mention {shown(case['name'])} in {where}")


def _same_words(case: Case, expected: oracle.Row, got: list[Any], where: str) -> Mismatch | None:
    """Compare every occurrence, without the name itself, in the order of `trending` or of its stub."""
    words, order = got[1], expected[1]
    if are_pairs(words) and all(isinstance(word, str) for word, _ in words) and words == longest_first(words):
        order = longest_first(order)
    return same_sequence(order, words, what=f"the describing words of {where}")


def _same_mood(case: Case, expected: oracle.Row, got: list[Any], where: str) -> Mismatch | None:
    return same_value(expected[2], got[2], what=f"the mood of {where}", tolerance=MOOD_TOLERANCE)


CLAIMS += [
    _of_mentions("a_mention_is_a_whole_word_in_any_case", _same_number),
    _of_mentions("describing_words_come_from_texts_that_mention_the_name", _same_words),
    _of_mentions("the_mood_is_the_mean_of_texts_that_mention_the_name", _same_mood),  # 0.0 where there are none
]


@check("mentions", cases=cases.conversations, invariant=1)
def every_slide_has_one_row(case: Case, rows: Rows) -> Mismatch | None:
    """Require one row, even if no text mentions the name or no text arrived."""
    expected = slides(case["batches"], case["slide_batches"])
    wrong = must_answer("mentions", "a DStream", rows) or same_slides(expected, rows, case["slide_batches"])
    return wrong or at_each_slide(dict.fromkeys(expected, 1), rows, _one_row)


def _one_row(expected: int, got: Any, where: str) -> Mismatch | None:
    count = len(got) if isinstance(got, list) else got
    return same_value(expected, count, what=f"the number of rows of {where}")
