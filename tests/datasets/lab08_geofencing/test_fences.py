"""The fences have the checksums and counts of their page."""

import gzip
import hashlib
from pathlib import Path

import pytest

from streamlab.lab08_geofencing.fences import FOLDER, REJECTED_COUNTRIES, Polygons, countries, districts

PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")


def corners(fences: dict[str, Polygons]) -> int:
    return sum(len(ring) for polygons in fences.values() for polygon in polygons for ring in polygon)


def line(name: str, content: bytes) -> str:
    return f"| {name} | {len(content)} | `{hashlib.sha256(content).hexdigest()}` |"


@pytest.mark.parametrize("name", ["districts", "countries"])
def test_sizes_and_checksums_match_the_page(name: str) -> None:
    packed = Path(FOLDER, f"{name}.geojson.gz").read_bytes()

    assert line(f"{name}.geojson.gz", packed) in PAGE
    assert line(f"{name}, unpacked", gzip.decompress(packed)) in PAGE


@pytest.mark.parametrize(("fences", "kind"), [(districts(), "districts"), (countries(), "countries")])
def test_the_counts_of_fences_parts_and_corners_match_the_page(fences: dict[str, Polygons], kind: str) -> None:
    several = sum(len(polygons) > 1 for polygons in fences.values())
    row = next(each for each in PAGE.splitlines() if each.startswith(f"| {kind}.geojson.gz | the"))

    assert f"{len(fences)} " in row
    assert f"{several} of several parts, {corners(fences):,} corners" in row


def test_every_ring_is_closed_and_has_at_least_four_points() -> None:
    all_fences = [*districts().values(), *countries().values()]
    rings = [ring for polygons in all_fences for polygon in polygons for ring in polygon]

    assert all(len(ring) >= 4 and ring[0] == ring[-1] for ring in rings)


def test_the_rejected_countries_are_in_the_sample_and_on_the_page() -> None:
    assert set(REJECTED_COUNTRIES) <= set(countries())
    assert all(name in PAGE for name in REJECTED_COUNTRIES)
