"""Makes the two samples of real fences from files inside Python packages, and prints their checksums.

Run `python datasets/lab08_geofencing/fences/make_fences.py FOLDER` with plotly, pyogrio and pyshp, which no lock of the
kit has. Coordinates are rounded to 5 decimals (about a metre). Each sample is one GeoJSON FeatureCollection, sorted by
name.
"""

import gzip
import hashlib
import json
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import shapefile

DECIMALS = 5


def folder_of(package: str) -> Path:
    """Return the folder of an installed package."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{package} is not installed; datasets/lab08_geofencing/fences/README.md has the recipe")
    return Path(spec.origin).parent


def rounded(numbers: Any) -> Any:
    """Round all numbers in nested lists."""
    return round(numbers, DECIMALS) if isinstance(numbers, int | float) else [rounded(each) for each in numbers]


def collection(geometries: dict[str, dict[str, Any]]) -> bytes:
    """Return a FeatureCollection as bytes; equal inputs give equal bytes."""
    features = []
    for name, each in sorted(geometries.items()):
        geometry = {"type": each["type"], "coordinates": rounded(each["coordinates"])}
        features.append({"type": "Feature", "properties": {"name": name}, "geometry": geometry})
    whole = {"type": "FeatureCollection", "features": features}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()


def districts() -> bytes:
    """Return the districts of Montréal of 2013, from plotly's wheel."""
    with gzip.open(folder_of("plotly") / "package_data/datasets/election.geojson.gz") as file:
        return collection({each["properties"]["district"]: each["geometry"] for each in json.load(file)["features"]})


def countries() -> bytes:
    """Return the countries of Natural Earth at 1:110 million, from pyogrio's wheel."""
    path = folder_of("pyogrio") / "tests/fixtures/naturalearth_lowres/naturalearth_lowres"
    with shapefile.Reader(str(path)) as file:
        return collection({each.record["name"]: each.shape.__geo_interface__ for each in file.iterShapeRecords()})


def main(folder: Path) -> None:
    """Write both samples and print their checksums."""
    for name, content in (("districts", districts()), ("countries", countries())):
        path = folder / f"{name}.geojson.gz"
        path.write_bytes(gzip.compress(content, mtime=0))
        print(path.name, path.stat().st_size, "bytes; unpacked", len(content), hashlib.sha256(content).hexdigest())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
