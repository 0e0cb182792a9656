"""Drive `tweet_text` and `near`: one line or tweet for each case."""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain


@drive("tweet_text")
def tweet_text(stage: Any, case: Any) -> Rows:
    """Return the text of one line of the API."""
    return {"text": plain(stage.tweet_text(case["raw"]))}


@drive("near")
def near(stage: Any, case: Any) -> Rows:
    """Return whether one tweet is near one place, asked twice: a job asks about several places."""
    first, again = (plain(stage.near(case["tweet"], stage.Place(**case["place"]))) for _ in range(2))
    return {"near": first, "again": again}
