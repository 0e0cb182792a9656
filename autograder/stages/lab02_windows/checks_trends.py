"""What is claimed of `hashtags`, `trending` and `mentions`."""

from collections.abc import Callable
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_sequence, same_value
from autograder.checks.compare import shown
from autograder.stages.lab02_windows import cases_trends, oracle, oracle_tweets
from autograder.stages.lab02_windows.readings import at_each_slide, inputs, no_dstream, no_result, slides_seen

MOOD_TOLERANCE = 1e-6

# hashtags


def _same_tags(case: Case, rows: Rows) -> Mismatch | None:
    return same_value(oracle_tweets.hashtags(case["text"]), rows["tags"], what=f"hashtags({shown(case['text'])})")


@check("hashtags", cases=cases_trends.runs, invariant=7)
def a_tag_is_the_longest_run_behind_its_hash(case: Case, rows: Rows) -> Mismatch | None:
    """Letters of every language, digits and underscores; a # alone is none."""
    return _same_tags(case, rows)


@check("hashtags", cases=cases_trends.urls, invariant=7)
def a_hash_inside_a_url_is_none(case: Case, rows: Rows) -> Mismatch | None:
    """However the URL is written; what follows it counts again."""
    return _same_tags(case, rows)


@check("hashtags", cases=cases_trends.inside_words, invariant=7)
def a_hash_where_a_word_or_an_entity_goes_on_is_none(case: Case, rows: Rows) -> Mismatch | None:
    """As in a#b and in &#39;."""
    return _same_tags(case, rows)


@check("hashtags", cases=cases_trends.numbers, invariant=7)
def a_tag_has_a_letter(case: Case, rows: Rows) -> Mismatch | None:
    """#1 is a rank; #1st is a tag."""
    return _same_tags(case, rows)


@check("hashtags", cases=cases_trends.tags_again, invariant=7)
def tags_are_folded_and_keep_order_and_repeats(case: Case, rows: Rows) -> Mismatch | None:
    """Counting them is left to others."""
    return _same_tags(case, rows)


# trending


def _same_top(case: Case, rows: Rows) -> Mismatch | None:
    call = f"trending({shown(case['counts'])}, {case['k']})"
    expected = oracle.trending(case["counts"], case["k"])
    wrong = no_result(call, "a list", rows)
    return wrong or same_sequence(expected or [], rows["top"], what=f"{call} to be")


@check("trending", cases=cases_trends.ranked, invariant=8)
def the_highest_counts_come_first(case: Case, rows: Rows) -> Mismatch | None:
    """k of them, or all there are."""
    return _same_top(case, rows)


@check("trending", cases=cases_trends.ties, invariant=8)
def ties_are_in_the_order_of_code_points(case: Case, rows: Rows) -> Mismatch | None:
    """Also where the list is cut."""
    return _same_top(case, rows)


@check("trending", cases=cases_trends.in_pieces, invariant=8)
def counts_of_one_tag_add_up_first(case: Case, rows: Rows) -> Mismatch | None:
    """Before anything is compared or left out."""
    return _same_top(case, rows)


@check("trending", cases=cases_trends.nothing_to_show, invariant=8)
def what_counts_nothing_is_left_out(case: Case, rows: Rows) -> Mismatch | None:
    """A sum of zero or below is no trend."""
    return _same_top(case, rows)


@check("trending", cases=cases_trends.negative_k, invariant=13)
def a_negative_k_is_refused(case: Case, rows: Rows) -> Mismatch | None:
    """With ValueError."""
    if "rejected" in rows:
        return None
    came = shown(rows.get("top", rows))
    sentence = f"Expected trending({shown(case['counts'])}, {case['k']}) to raise ValueError; yours returns {came}."
    return Mismatch(sentence, "ValueError", rows.get("top"))


# mentions


def _each_window(
    case: Case, rows: Rows, compare: Callable[[oracle_tweets.Row, list[Any], str], Mismatch | None]
) -> Mismatch | None:
    """Compare each slide's row, which is (references, words, mood)."""

    def compare_row(expected: oracle_tweets.Row, got: Any, where: str) -> Mismatch | None:
        row = got[0] if isinstance(got, list) and got else got
        if not isinstance(row, list) or len(row) != 3:
            sentence = f"Expected a row (references, words, mood) for {where}; yours is {shown(row)}."
            return Mismatch(sentence, expected, got)
        return compare(expected, row, where)

    lengths = case["window_batches"], case["slide_batches"]
    expected = oracle_tweets.mentions(case["batches"], case["name"], *lengths)
    return no_dstream("mentions", rows) or at_each_slide(expected, rows, "rows", compare_row)


@check("mentions", cases=cases_trends.conversations, invariant=9)
def a_mention_is_a_whole_word_in_any_case(case: Case, rows: Rows) -> Mismatch | None:
    """How many texts of each window mention the name."""

    def same_references(expected: oracle_tweets.Row, got: list[Any], where: str) -> Mismatch | None:
        return same_value(expected[0], got[0], what=f"the texts that mention {shown(case['name'])} in {where}")

    return _each_window(case, rows, same_references)


@check("mentions", cases=cases_trends.conversations, invariant=9)
def describing_words_stand_in_texts_that_mention_the_name(case: Case, rows: Rows) -> Mismatch | None:
    """Every occurrence, ordered as trends are, without the name itself."""

    def same_words(expected: oracle_tweets.Row, got: list[Any], where: str) -> Mismatch | None:
        return same_sequence(expected[1], got[1], what=f"describing words of {where} to be")

    return _each_window(case, rows, same_words)


@check("mentions", cases=cases_trends.conversations, invariant=9)
def the_mood_is_the_mean_over_texts_that_mention_the_name(case: Case, rows: Rows) -> Mismatch | None:
    """0.0 where there is none."""

    def same_mood(expected: oracle_tweets.Row, got: list[Any], where: str) -> Mismatch | None:
        return same_value(expected[2], got[2], what=f"the mood of {where}", tolerance=MOOD_TOLERANCE)

    return _each_window(case, rows, same_mood)


@check("mentions", cases=cases_trends.conversations, invariant=1)
def every_slide_has_one_row(case: Case, rows: Rows) -> Mismatch | None:
    """Also when nobody mentions the name, and when nothing was said at all."""
    wrong = no_dstream("mentions", rows)
    if wrong:
        return wrong
    expected = oracle.slides(case["batches"], case["slide_batches"])
    answered = slides_seen(rows, len(case["batches"]))
    what = f"answers with {inputs(case, 'slide_batches')} after the batches"
    return same_sequence(expected, answered, what=what) or at_each_slide(
        dict.fromkeys(expected, 1), rows, "rows", _one_row
    )


def _one_row(expected: int, got: Any, where: str) -> Mismatch | None:
    came = len(got) if isinstance(got, list) else got
    return same_value(expected, came, what=f"the number of rows of {where}")
