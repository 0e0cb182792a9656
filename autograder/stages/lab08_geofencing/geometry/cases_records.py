"""Valid and invalid records for `read_record`, smallest first."""

import json
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.stages.lab08_geofencing.geometry.cases import HOLED, rectangle

FIELD = rectangle(0, 0, 4, 3)
BOW_TIE = [[0, 0], [4, 4], [4, 0], [0, 4], [0, 0]]
WORLD = [[-180, -90], [0, -90], [180, -90], [180, 90], [0, 90], [-180, 90], [-180, -90]]
ARCTIC = [[-180, 80], [0, 80], [180, 80], [180, 90], [0, 90], [-180, 90], [-180, 80]]


def _record(topic: str, key: str | None, value: Any, time_ms: int = 1000, offset: int = 3) -> Case:
    """Return a record; a value that is no text becomes JSON."""
    text = value if value is None or isinstance(value, str) else json.dumps(value)
    return {"topic": topic, "key": key, "value": text, "time_ms": time_ms, "offset": offset}


def _at(lon: Any, lat: Any, **more: Any) -> Case:
    return _record("positions", "cow 7", {"mover": "cow 7", "lon": lon, "lat": lat, **more})


def _fence(kind: Any, coordinates: Any, **more: Any) -> Case:
    return _record("fences", "pasture", {"type": kind, "coordinates": coordinates, **more})


def positions(seed: str) -> list[Case]:
    """Return valid positions, including the limits of what is valid and extra fields to ignore."""
    rng = random_for(seed, "positions")
    first = _record("positions", "m", {"mover": "m", "lon": 180, "lat": 59.5}, 5, 7)
    drawn = []
    for number in range(8):
        key = rng.choice(["m", "collar-1", "kvigan Rosa", "牛", "a" * 60])
        fields = {
            "hdop": 1.5,
            "lat": rng.uniform(-90, 90),
            "mover": key,
            "lon": rng.uniform(-180, 180),
            "fix": None,
        }
        drawn.append(_record("positions", key, fields, rng.randint(0, 2**41), number))
    ends = [_at(-180, -90), _at(180.0, 90), _at(17.123456789, 0), _at(179.99999999999997, 5e-324), _at(0, -0.5)]
    zero = _record("positions", "m", {"mover": "m", "lon": 1, "lat": 2}, 0, 0)
    return [first, zero, *ends, _at(17, 59, type="Polygon", altitude={"m": 12}), *drawn]


def fences(seed: str) -> list[Case]:
    """Return valid fences of both types, with altitudes, holes in either direction, and deleted fences.

    The ends of one ring differ in altitude, and one altitude is no number.
    """
    rng = random_for(seed, "fences")
    west, south = rng.uniform(-170, 160), rng.uniform(-80, 70)
    drawn = [rectangle(west, south, west + 5, south + 5), rectangle(west + 1, south + 1, west + 2, south + 2)]
    high = [[0, 0, 12.5], [4, 0, 3], [2, 3], [0, 0, 12.5]]
    cut = [[rectangle(177, -18, 180, -16)], [rectangle(-180, -18, -179, -16)]]
    inner = [[[1.5, 1.5], [2.5, 1.5], [2, 2.5], [1.5, 1.5]]]
    return [
        _fence("Polygon", [[[0, 0], [4, 0], [0, 3], [0, 0]]]),
        _record("fences", "pasture", None),
        _record("fences", "pasture", None, 0, 0),
        _fence("MultiPolygon", [[FIELD], HOLED_ASIDE]),
        _fence("MultiPolygon", cut),
        _fence("MultiPolygon", [[FIELD]]),
        _fence("MultiPolygon", [HOLED, inner]),
        _fence("Polygon", [FIELD[::-1]], bbox=[0, 0, 4, 3], crs=None),
        _fence("Polygon", [high]),
        _fence("Polygon", [[[0, 0, 1], [4, 0], [2, 3, "high"], [0, 0, 2]]]),
        _fence("Polygon", HOLED),
        _fence("Polygon", drawn),
        _fence("MultiPolygon", [[ring[::-1] for ring in drawn], [FIELD]] if west > 5 else [drawn]),
    ]


HOLED_ASIDE = [[[lon + 10, lat] for lon, lat in ring] for ring in HOLED]


def invalid_positions(seed: str) -> list[Case]:
    """Return records with one flaw each, and valid ones at the limits."""
    rng = random_for(seed, "invalid positions")
    valid = {"mover": "m", "lon": 17, "lat": 59.5}
    wrong = [None, "", "17.5", "[17, 59.5]", "null", '"m"', '{"mover": "m", "lon": 17', "{}", "true", "{'mover': 'm'}"]
    wrong.append(20_000 * "[")  # json.loads raises RecursionError, which is no ValueError
    incomplete = [{name: value for name, value in valid.items() if name != field} for field in valid]
    beyond = rng.choice([-1, 1]) * rng.uniform(90.001, 179)
    numbers = ["NaN", "Infinity", "-Infinity", "true", '"17.5"', "null", "[17]", "1e999", "1" + 320 * "0"]
    places = [f'{{"mover": "m", "lon": {n}, "lat": 5}}' for n in numbers]
    places += [f'{{"mover": "m", "lon": 5, "lat": {n}}}' for n in numbers]
    return [
        _at(17, 59.5),
        _at(180.5, 59.5),
        *(
            _at(lon, lat)
            for lon, lat in ((-180.0000001, 0), (180.00000000000003, 0), (0, 90.0000001), (0, -91), (5, beyond))
        ),
        *(_record("positions", "m", value) for value in [*wrong, *incomplete, *places]),
        _record("positions", "m", {**valid, "mover": "n"}),
        _record("positions", "m", {**valid, "mover": None}),
        _record("positions", "7", {**valid, "mover": 7}),
        _record("positions", "m ", valid),
        *(_record("positions", key, {**valid, "mover": key}) for key in ("", None)),
        _record("positions", "m", valid, time_ms=-1),
        _record("places", "m", valid),
        _record("positions", "m", {"type": "Polygon", "coordinates": [FIELD]}),
        _at(179.5, -90),
    ]


def invalid_fences(seed: str) -> list[Case]:
    """Return fences with one flaw each, and valid ones; none has a long edge."""
    rng = random_for(seed, "invalid fences")
    at = rng.randint(-80, 60)
    moved = [[lon + at, lat] for lon, lat in BOW_TIE]
    rings: list[Any] = [
        FIELD[:-1],
        [[4, 3], [0, 3], [0, 0], [4, 0]],
        [[0, 0], [4, 0], [0, 0]],
        [[0, 0], [0, 0], [0, 0], [0, 0]],
        [[0, 0], [4, 0], [8, 0], [0, 0]],
        BOW_TIE,
        moved,
        [[0, 0], [4, 0], [4, 3], [0, "3"], [0, 0]],
        [[0, 0], [4, 0], [4, True], [0, 0]],
        [[0, 0], [4], [4, 3], [0, 0]],
        [[0, 0, 1, 2], [4, 0], [4, 3], [0, 0, 1, 2]],
        [[0, 0], 4, [4, 3], [0, 0]],
        [{"a": 0, "b": 0}, [4, 0], [0, 3], {"a": 0, "b": 0}],
        [[0, 0], [4, None], [4, 3], [0, 0]],
        [[170, 0], [181, 0], [175, 3], [170, 0]],
        [[0, 88], [4, 88], [4, 91], [0, 88]],
        [],
        None,
        {},
        "ring",
    ]
    holes = [BOW_TIE_INSIDE, rectangle(10, 10, 11, 11), rectangle(2, 2, 6, 6)]
    square = rectangle(0, 0, 4, 4)
    lists: list[tuple[Any, Any]] = [("Polygon", []), ("Polygon", [[]]), ("Polygon", None), ("Polygon", FIELD)]
    lists += [("MultiPolygon", 5), ("CurvePolygon", [FIELD]), (["Polygon"], [FIELD])]
    lists += [("MultiPolygon", []), ("MultiPolygon", [[]]), ("MultiPolygon", [[[]]]), ("MultiPolygon", [FIELD])]
    lists += [
        ("MultiPolygon", [[square], [rectangle(2, 2, 6, 6)]]),
        ("MultiPolygon", [[square], [rectangle(1, 1, 2, 2)]]),
    ]
    lists += [(kind, [FIELD]) for kind in ("LineString", "Feature", "polygon", "")] + [("Point", [1, 2])]
    texts = ["", "null", "[]", '"Polygon"', '{"type": "Polygon"}', '{"coordinates": []}', '{"type": ["Polygon"]}', "{"]
    nan = '{"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, NaN], [0, 0]]]}'
    return [
        _fence("Polygon", [FIELD]),
        *(_fence("Polygon", [ring]) for ring in rings),
        *(_fence("Polygon", [square, hole]) for hole in holes),
        *(_fence(kind, coordinates) for kind, coordinates in lists),
        *(_record("fences", "pasture", text) for text in [*texts, nan, nan.replace("NaN", "Infinity")]),
        *(_record("fences", key, {"type": "Polygon", "coordinates": [FIELD]}) for key in ("", None)),
        _record("fences", "", None),
        _record("fences", "pasture", None, time_ms=-1),
        _fence("Polygon", HOLED),
    ]


BOW_TIE_INSIDE = [[1, 1], [3, 3], [3, 1], [1, 3], [1, 1]]


def long_edges(seed: str) -> list[Case]:
    """Return edges of at most and of more than 180°, in shells and in holes, eastward and westward."""
    rng = random_for(seed, "long edges")
    east, lat = rng.randint(150, 179), rng.randint(-60, 60)
    drawn = [[east, lat], [-east, lat], [-east, lat + 2], [east, lat + 2], [east, lat]]
    half = [[-90, 10], [90, 10], [90, 20], [-90, 20], [-90, 10]]
    more = [[-90, 10], [90.5, 10], [90.5, 20], [-90, 20], [-90, 10]]
    hole = [[-95, 10], [95, 10], [95, 20], [-95, 20], [-95, 10]]
    stepped = [[-95, 10], [0, 10], [95, 10], [95, 20], [0, 20], [-95, 20], [-95, 10]]
    around_antarctica = [[-180, -90], [180, -90], [180, -70], [0, -70], [-180, -70], [-180, -90]]
    return [
        _fence("Polygon", [[[170, 0], [-170, 0], [-170, 5], [170, 0]]]),
        *(_fence("Polygon", [ring]) for ring in (ARCTIC, WORLD, ARCTIC[::-1], half, more, drawn, drawn[::-1], stepped)),
        _fence("Polygon", [around_antarctica]),
        _fence("Polygon", [WORLD, hole]),
        _fence("Polygon", [WORLD, stepped]),
    ]
