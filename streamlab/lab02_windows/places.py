"""Places as rectangles, for queries about what is near one. The invented places of tweets are in `tweet_content`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A rectangle in degrees: longitudes from `west` to `east`, latitudes from `south` to `north`, edges included.

    No place lies across the 180th meridian, so west <= east.
    """

    name: str
    west: float
    south: float
    east: float
    north: float


BOSTON = Place("Boston and Cambridge", west=-71.191, south=42.227, east=-70.923, north=42.404)
