"""What is claimed of `tweet_text` and `near`."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_value
from autograder.checks.compare import shown
from autograder.stages.lab02_windows import cases_tweets, oracle_tweets

# tweet_text


def _same_text(case: Case, rows: Rows) -> Mismatch | None:
    return same_value(oracle_tweets.tweet_text(case["raw"]), rows["text"], what=f"tweet_text({shown(case['raw'])})")


@check("tweet_text", cases=cases_tweets.tweets, invariant=5)
def the_text_is_the_whole_of_what_was_written(case: Case, rows: Rows) -> Mismatch | None:
    """The long form where there is one, and every character of it."""
    return _same_text(case, rows)


@check("tweet_text", cases=cases_tweets.retweets, invariant=5)
def a_retweet_has_no_text_of_its_own(case: Case, rows: Rows) -> Mismatch | None:
    """It would be counted twice; what only looks like a retweet is none."""
    return _same_text(case, rows)


@check("tweet_text", cases=cases_tweets.no_tweets, invariant=5)
def a_line_that_is_no_object_has_no_text(case: Case, rows: Rows) -> Mismatch | None:
    """Whatever it is, it raises nothing."""
    return _same_text(case, rows)


@check("tweet_text", cases=cases_tweets.without_text, invariant=5)
def what_is_missing_blank_or_no_string_is_no_text(case: Case, rows: Rows) -> Mismatch | None:
    """An object whose text cannot be read."""
    return _same_text(case, rows)


# near


def _same_side(case: Case, rows: Rows) -> Mismatch | None:
    tweet, place = case["tweet"], case["place"]
    what = f"near({_where(tweet)}, {_rectangle(place)})"
    return same_value(oracle_tweets.near(tweet, place), rows["near"], what=what)


def _where(tweet: dict[str, Any]) -> str:
    """The fields of a tweet that say where it is."""
    return shown({name: tweet[name] for name in ("coordinates", "place") if name in tweet}, 200)


def _rectangle(place: dict[str, Any]) -> str:
    return f"Place({', '.join(shown(value) for value in place.values())})"


@check("near", cases=cases_tweets.points, invariant=6)
def a_point_is_near_in_the_rectangle_and_on_its_edge(case: Case, rows: Rows) -> Mismatch | None:
    """Longitude first, as in GeoJSON."""
    return _same_side(case, rows)


@check("near", cases=cases_tweets.boxes, invariant=6)
def without_a_point_the_box_decides(case: Case, rows: Rows) -> Mismatch | None:
    """By overlapping or touching, not by its corners alone."""
    return _same_side(case, rows)


@check("near", cases=cases_tweets.points_and_boxes, invariant=6)
def a_point_decides_alone(case: Case, rows: Rows) -> Mismatch | None:
    """Whatever the box says."""
    return _same_side(case, rows)


@check("near", cases=cases_tweets.odd_places, invariant=6)
def what_is_missing_or_odd_counts_as_not_there(case: Case, rows: Rows) -> Mismatch | None:
    """It raises nothing, and what is there decides."""
    return _same_side(case, rows)
