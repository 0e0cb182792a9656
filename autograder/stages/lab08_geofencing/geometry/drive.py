"""Drives `contains` with places of one fence, and `read_record` with one record."""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain


@drive("contains")
def contains(stage: Any, case: Any) -> Rows:
    """Return the answer for each place."""
    polygons = tuple(tuple(tuple(map(tuple, ring)) for ring in polygon) for polygon in case["polygons"])
    return {"inside": [plain(stage.contains(polygons, lon, lat)) for lon, lat in case["places"]]}


@drive("read_record")
def read_record(stage: Any, case: Any) -> Rows:
    """Return the kind of the record and its values, or the error; subclasses of ValueError count as ValueError."""
    arguments = [case[name] for name in ("topic", "key", "value", "time_ms", "offset")]
    try:
        record = stage.read_record(*arguments)
    except ValueError as problem:
        return {"rejected": "ValueError", "text": str(problem)[:300]}
    except Exception as problem:
        return {"rejected": type(problem).__name__, "text": str(problem)[:300]}
    return {"kind": type(record).__name__, "values": plain(record)}
