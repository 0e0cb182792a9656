"""Recorded measurements of Lab 3's grid and Lab 7's experiments, so a plot does not need half an hour.

Does not measure; `./lab experiment` does.
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
    """Return the cells of the grid that `./lab experiment` has written to `path`, by default the kit's own.

    Raises OSError, and ValueError for a file without a grid.
    """
    try:
        return cells_of(json.loads(path.read_text(encoding="utf-8")))
    except (KeyError, TypeError, ValueError) as problem:
        raise ValueError(f"{path} holds no grid of `./lab experiment integrations`: {problem}") from None


def recorded_peer_to_peer(path: Path = PEER_TO_PEER) -> list[Cell]:
    """Return the cells that `./lab experiment peer-to-peer` has written, as `recorded_grid` does for the grid."""
    return recorded_grid(path)


def recorded_pictures(path: Path = PICTURES) -> list[pictures.PictureRun]:
    """Return the runs that `./lab experiment pictures` has written to `path`, by default the kit's own.

    Raises OSError, and ValueError for a file without such runs.
    """
    try:
        return pictures.runs_in(path)
    except (KeyError, TypeError, ValueError) as problem:
        raise ValueError(f"{path} holds no runs of `./lab experiment pictures`: {problem}") from None
