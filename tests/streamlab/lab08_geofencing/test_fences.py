"""Fences are read as polygons, and written as GeoJSON."""

import json
from pathlib import Path

import pytest

from streamlab.lab08_geofencing import fences


def test_polygons_are_tuples_of_a_shell_and_holes() -> None:
    (polygon,) = fences.countries()["South Africa"]

    assert len(polygon) == 2  # Lesotho is a hole
    assert isinstance(polygon[1][0], tuple)


def test_a_caller_gets_its_own_copy() -> None:
    fences.districts().clear()

    assert len(fences.districts()) == 58


@pytest.mark.parametrize(("name", "kind"), [("South Africa", "Polygon"), ("Fiji", "MultiPolygon")])
def test_geojson_has_the_type_and_coordinates_of_the_polygons(name: str, kind: str) -> None:
    polygons = fences.countries()[name]
    written = json.loads(fences.as_geojson(polygons))

    assert written["type"] == kind
    parts = [written["coordinates"]] if kind == "Polygon" else written["coordinates"]
    assert parts == json.loads(json.dumps(polygons))


@pytest.mark.parametrize("content", [None, b"text"])
def test_a_missing_or_damaged_sample_is_reported_in_one_line(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fences, "FOLDER", tmp_path)
    fences._sample.cache_clear()
    if content is not None:
        (tmp_path / "districts.geojson.gz").write_bytes(content)

    with pytest.raises(ValueError, match="cannot read") as caught:
        fences.districts()
    assert "\n" not in str(caught.value)
