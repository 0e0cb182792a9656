"""The grid that was measured when the kit was made, so that a plot needs no half hour.

Keeps out: measuring one of your own (`./lab experiment integrations`).
"""

import json
from pathlib import Path

from streamlab.experiments.grid import Cell, cells_of

RECORDED = Path(__file__).resolve().parents[2] / "datasets" / "integrations" / "two_cores.json"


def recorded_grid(path: Path = RECORDED) -> list[Cell]:
    """The cells of a grid that `./lab experiment` has written; the kit's own without `path`.

    Raises OSError; ValueError for a file that holds no grid.
    """
    try:
        return cells_of(json.loads(path.read_text(encoding="utf-8")))
    except (KeyError, TypeError, ValueError) as wrong:
        raise ValueError(f"{path} holds no grid of `./lab experiment integrations`: {wrong}") from None
