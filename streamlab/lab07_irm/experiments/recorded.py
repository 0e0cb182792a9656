"""Recorded measurements of Lab 7's experiments, so that a plot does not need half an hour.

Does not measure; `./lab experiment` does.
"""

from pathlib import Path

from streamlab.experiments.grid import Cell, recorded_grid
from streamlab.lab07_irm.experiments import pictures

MEASUREMENTS = Path(__file__).resolve().parents[3] / "datasets" / "lab07_irm" / "measurements"
PEER_TO_PEER = MEASUREMENTS / "peer_to_peer.json"
PICTURES = MEASUREMENTS / "two_cores.json"


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
