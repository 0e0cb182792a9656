"""Classifies lines of the stream, and checks tweets against the documentation (the README of the data set)."""

import json
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

DATE = r"^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d \+0000 \d{4}$"
Text = Annotated[str, Field(pattern=r"\S")]
Position = tuple[Annotated[float, Field(ge=-180, le=180)], Annotated[float, Field(ge=-90, le=90)]]


class Documented(BaseModel):
    model_config = ConfigDict(strict=True)


class Point(Documented):
    type: Literal["Point"]
    coordinates: Position


class Box(Documented):
    type: Literal["Polygon"]
    coordinates: tuple[tuple[Position, Position, Position, Position]]


class Place(Documented):
    bounding_box: Box


class User(Documented):
    id: int
    screen_name: Text


class Entity(Documented):
    indices: tuple[int, int]


class Entities(Documented):
    hashtags: list[Entity]
    urls: list[Entity]
    user_mentions: list[Entity]


class Extended(Documented):
    full_text: Text
    entities: Entities


class Original(Documented):
    """A tweet as it appears in a retweet. A field that is null counts as missing."""

    created_at: Annotated[str, Field(pattern=DATE)]
    id: int
    id_str: str
    text: Text
    truncated: bool
    user: User
    coordinates: Point | None = None
    place: Place | None = None
    extended_tweet: Extended | None = None
    entities: Entities
    lang: Text

    @model_validator(mode="after")
    def agrees(self) -> Self:
        assert self.id_str == str(self.id), "id_str must be the id"
        assert self.truncated == bool(self.extended_tweet), "a truncated tweet must hold all of its text"
        return self


class Tweet(Original):
    timestamp_ms: Annotated[str, Field(pattern=r"^\d+$")]
    retweeted_status: Original | None = None


def schema_errors(line: str) -> list[str]:
    """Return the errors of a tweet, each starting with its field; a valid tweet has none."""
    try:
        Tweet.model_validate_json(line)
    except ValidationError as problem:
        return [f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in problem.errors()]
    return []


def line_kind(line: str) -> Literal["tweet", "notice", "malformed"]:
    """Return the kind of a line: a tweet, valid or not; a notice of the API, which may be empty; or malformed."""
    try:
        parsed = json.loads(line) if line else {"limit": None}
    except ValueError:
        return "malformed"
    if not isinstance(parsed, dict):
        return "malformed"
    return "notice" if len(parsed) == 1 and parsed.keys() <= {"delete", "limit"} else "tweet"
