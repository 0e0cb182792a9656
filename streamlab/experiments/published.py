"""Reads published figures from `datasets/LAB/published/STUDY.csv`; the README beside it says how they were read."""

import csv
from pathlib import Path

DATASETS = Path(__file__).resolve().parents[2] / "datasets"
Number = int | float


def published(lab: str, study: str, *series: str) -> dict[str, tuple[Number, ...]]:
    """Return {x: its value in each of the series}, in the order of the file; raises KeyError for a missing value.

    Example: published("lab05_placement", "upm_cep", "unaware", "aware") -> {"1": (570, 670), "4": (2630, 3150), …}
    """
    path = DATASETS / lab / "published" / f"{study}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        found = {(row["series"], row["x"]): _number(row["y"]) for row in csv.DictReader(file)}
    places = [x for name, x in found if name == series[0]]
    if not places:
        raise KeyError(f"{path} has no series {series[0]!r}")
    return {x: tuple(found[name, x] for name in series) for x in places}


def _number(text: str) -> Number:
    return int(text) if text.isdecimal() else float(text)
