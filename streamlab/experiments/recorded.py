"""What was measured when the kit was made, so that a plot needs no half hour: Lab 3's grid, and Lab 7's experiments.

Keeps out: measuring one of your own (`./lab experiment`).
"""

import json
from pathlib import Path

from streamlab.experiments import pictures
from streamlab.experiments.grid import Cell, cells_of

DATASETS = Path(__file__).resolve().parents[2] / "datasets"
RECORDED = DATASETS / "integrations" / "two_cores.json"
PEER_TO_PEER = DATASETS / "irm" / "peer_to_peer.json"
PICTURES = DATASETS / "irm" / "two_cores.json"


def recorded_grid(path: Path = RECORDED) -> list[Cell]:
    """The cells of a grid that `./lab experiment` has written; the kit's own without `path`.

    Raises OSError; ValueError for a file that holds no grid.
    """
    try:
        return cells_of(json.loads(path.read_text(encoding="utf-8")))
    except (KeyError, TypeError, ValueError) as wrong:
        raise ValueError(f"{path} holds no grid of `./lab experiment integrations`: {wrong}") from None


def recorded_peer_to_peer(path: Path = PEER_TO_PEER) -> list[Cell]:
    """The cells that `./lab experiment peer-to-peer` has written; as `recorded_grid`."""
    return recorded_grid(path)


def recorded_pictures(path: Path = PICTURES) -> list[pictures.PictureRun]:
    """The runs that `./lab experiment pictures` has written; the kit's own without `path`.

    Raises OSError; ValueError for a file that holds no such runs.
    """
    try:
        return pictures.runs_in(path)
    except (KeyError, TypeError, ValueError) as wrong:
        raise ValueError(f"{path} holds no runs of `./lab experiment pictures`: {wrong}") from None
