"""Fixes of collars as typed columns: good fixes are kept, and all other records are left out."""

from datetime import datetime
from typing import Any

import pytest

from streamlab.lab08_geofencing.gps_fixes import fixes_of

AT = datetime(2026, 1, 2, 3, 4, 5)
KEPT = '{"mover": "m", "lon": 17.5, "lat": 59.5, "hdop": %s}'


def records(spark: Any, rows: list[tuple[str | None, str | None]]) -> Any:
    content = [(*(text if text is None else text.encode() for text in row), AT) for row in rows]
    return spark.createDataFrame(content, "key binary, value binary, timestamp timestamp")


def test_a_good_fix_has_the_time_of_its_record(spark: Any) -> None:
    found = fixes_of(records(spark, [("m", KEPT % 5), ("m", KEPT % 0.7)]))

    assert found.columns == ["mover", "time", "lon", "lat"]
    assert [tuple(row) for row in found.collect()] == [("m", AT, 17.5, 59.5)] * 2


def test_a_longitude_of_180_becomes_minus_180(spark: Any) -> None:
    [row] = fixes_of(records(spark, [("m", '{"mover": "m", "lon": 180, "lat": 1, "hdop": 1}')])).collect()

    assert row.lon == -180


def test_poor_and_unreadable_fixes_are_left_out(spark: Any) -> None:
    place = '"lat": 59.5, "hdop": 1}'
    rows = [
        ("m", KEPT % 5.1),
        ("m", '{"mover": "m", "lon": 17.5, "lat": 59.5}'),
        ("other", KEPT % 1),
        (None, KEPT % 1),
        ("m", None),
        ("m", "no JSON"),
        ("m", '{"mover": "m", "lon": 180.5, ' + place),
        ("m", '{"mover": "m", "lon": "17.5", ' + place),
        ("m", '{"mover": "m", "lon": null, ' + place),
        ("f", '{"type": "Polygon", "coordinates": []}'),
    ]

    assert fixes_of(records(spark, rows)).collect() == []


def test_missing_columns_and_invalid_limits_are_reported_in_one_line(spark: Any) -> None:
    with pytest.raises(ValueError, match="timestamp missing"):
        fixes_of(spark.createDataFrame([], "key binary, value binary"))
    with pytest.raises(ValueError, match="hdop_max"):
        fixes_of(records(spark, [("m", KEPT % 1)]), hdop_max=0)
