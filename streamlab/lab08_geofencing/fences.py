"""Real fences from the kit's data sets: the electoral districts of Montréal and the countries of the world."""

import gzip
import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "datasets" / "lab08_geofencing" / "fences"
SHA256 = {  # of the unpacked files
    "districts": "da299487c38f8b058a4708781a2a210e46741f2fe1458363fcfb25b56fa0b58c",
    "countries": "0557f4569bd2590673c7f17705382222bd90132ccf2f6158c21defe67ccdfa19",
}
# A fence topic rejects them: one has an edge of 360 degrees along the pole, two become invalid when they are rounded.
REJECTED_COUNTRIES = ("Antarctica", "North Korea", "Somaliland")

Place = tuple[float, float]  # (longitude, latitude)
Polygons = tuple[tuple[tuple[Place, ...], ...], ...]


def districts() -> dict[str, Polygons]:
    """Return the 58 electoral districts of Montréal by name: polygons (shell, *holes) of closed rings.

    Neighbours share borders, so a corner lies in several districts.
    Raises ValueError if the sample in `datasets/lab08_geofencing/fences` is missing or damaged.
    """
    return dict(_sample("districts"))


def countries() -> dict[str, Polygons]:
    """Return 177 countries by name, as `districts` does; REJECTED_COUNTRIES names the three that are invalid fences."""
    return dict(_sample("countries"))


def as_geojson(polygons: Polygons) -> str:
    """Return a fence as its value in the fence topic: a GeoJSON Polygon or MultiPolygon.

    Example: as_geojson(((((0, 0), (1, 0), (0, 1), (0, 0)),),)) -> '{"type":"Polygon","coordinates":[[[0,0],[1,0],…'
    """
    if len(polygons) == 1:
        return _json({"type": "Polygon", "coordinates": polygons[0]})
    return _json({"type": "MultiPolygon", "coordinates": polygons})


@cache
def _sample(name: str) -> dict[str, Polygons]:
    path = FOLDER / f"{name}.geojson.gz"
    try:
        content = gzip.decompress(path.read_bytes())
    except (OSError, EOFError) as problem:
        raise ValueError(f"cannot read {path}: {problem}; restore the file from the kit") from None
    if hashlib.sha256(content).hexdigest() != SHA256[name]:
        raise ValueError(f"{path} is not the kit's file: its checksum differs; restore it from the kit")
    return {each["properties"]["name"]: _polygons(each["geometry"]) for each in json.loads(content)["features"]}


def _polygons(geometry: dict[str, Any]) -> Polygons:
    parts = geometry["coordinates"] if geometry["type"] == "MultiPolygon" else [geometry["coordinates"]]
    return tuple(tuple(tuple((lon, lat) for lon, lat in ring) for ring in part) for part in parts)


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
