"""The checks of `tweet_text` and `near`."""

from typing import Any

from autograder.checks import Case, Check, Mismatch, Rows, claim, same_value
from autograder.checks.compare import shown
from autograder.checks.registry import Cases
from autograder.stages.lab02_windows.tweets import cases, oracle


def _of_texts(name: str, made: Cases) -> Check:
    return claim("tweet_text", name, made, _same_text, invariant=5)


def _same_text(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.tweet_text(case["raw"])
    return same_value(expected, rows["text"], what=f"tweet_text({shown(case['raw'])})")


AFTER = {
    "a_valid_point_overrides_the_box": "a_point_inside_or_on_the_edge_is_near",
}


def _of_places(name: str, made: Cases) -> Check:
    return claim("near", name, made, _same_side, invariant=6, after=AFTER.get(name, ()))


def _same_side(case: Case, rows: Rows) -> Mismatch | None:
    tweet, place = case["tweet"], case["place"]
    what = f"near({_where(tweet)}, Place({', '.join(map(shown, place.values()))}))"
    expected = oracle.near(tweet, place)
    wrong = same_value(expected, rows["near"], what=what)
    return wrong or same_value(expected, rows["again"], what=f"a second call, with the same tweet, of {what}")


def _where(tweet: dict[str, Any]) -> str:
    """Return the fields of a tweet that say where it is, as text."""
    return shown({name: tweet[name] for name in ("coordinates", "place") if name in tweet}, 200)


CLAIMS = [
    _of_texts("the_full_text_is_returned_unchanged", cases.tweets),  # the long form, and every character of it
    _of_texts("a_retweet_returns_none", cases.retweets),  # a tweet that only looks like one is not
    _of_texts("a_line_that_is_not_a_json_object_returns_none", cases.no_tweets),  # and never raises
    _of_texts("a_missing_or_blank_text_returns_none", cases.without_text),
    _of_places("a_point_inside_or_on_the_edge_is_near", cases.points),  # longitude first, as in GeoJSON
    _of_places("without_a_point_the_box_decides", cases.boxes),  # if it overlaps or touches
    _of_places("a_valid_point_overrides_the_box", cases.points_and_boxes),  # whatever the box says
    _of_places("invalid_fields_are_treated_as_missing", cases.odd_places),  # the valid fields decide
]
