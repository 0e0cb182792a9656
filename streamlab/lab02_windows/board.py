"""A board with several rankings side by side that is updated with each batch.

The caller passes the function that ranks; students write it in Lab 2.
"""

import contextlib
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from streamlab.views.metrics import BatchMetrics
from streamlab.views.plots import Picture, add_bars, figure, picture, printable, table
from streamlab.views.screens import NotSaved, each_batch, screen

if TYPE_CHECKING:
    from pyspark.streaming import DStream, StreamingContext

Ranking = list[tuple[str, int]]
Rank = Callable[[Iterable[tuple[str, int]], int], Ranking]


def live_board(
    counts: "Mapping[str, DStream[tuple[str, int]]]",
    rank: Rank,
    ssc: "StreamingContext",
    seconds: float = 10.0,
    top: int = 8,
) -> "LiveBoard":
    """Return a board for `seconds` s with a ranking for each stream of `counts`; create it before `ssc.start()`.

    `rank(pairs, top)` sorts the (tag, count) pairs of a batch, and is called on this machine.
    Raises ValueError if seconds or top is not positive, or if `counts` is empty.

    Example:
        board = live_board({"the last 5 s": windowed_counts(tags, 5, 1)}, trending, ssc, seconds=10)
        ssc.start()
        board.run()
    """
    if seconds <= 0 or top < 1 or not counts:
        raise ValueError(f"expected seconds > 0, top >= 1 and a stream, got {seconds}, {top} and {list(counts)}")
    board = LiveBoard(BatchMetrics(ssc), list(counts), seconds, top)
    for name, stream in counts.items():
        _keep_ranked(stream, name, rank, board)
    return board


def _keep_ranked(stream: Any, name: str, rank: Rank, board: "LiveBoard") -> None:
    stream.foreachRDD(lambda batch: board.remember(name, rank(batch.collect(), board.top)))


class LiveBoard(NotSaved):
    """Shows the newest rankings after each batch; see `live_board`. `frames` counts the updates shown."""

    def __init__(self, metrics: BatchMetrics, names: list[str], seconds: float, top: int) -> None:
        self.metrics = metrics
        self.top = top
        self.frames = 0
        self._seconds = seconds
        self._rankings: dict[str, Ranking] = {name: [] for name in names}
        self._lock = threading.Lock()

    def remember(self, name: str, ranking: Ranking) -> None:
        """Store the newest state of one ranking."""
        with self._lock:
            self._rankings[name] = ranking

    def rankings(self) -> dict[str, Ranking]:
        """Return the current rankings."""
        with self._lock:
            return dict(self._rankings)

    def run(self) -> dict[str, Ranking]:
        """Show the board until the time is up or the cell is interrupted; the last state stays, and is returned."""
        output = screen()
        with contextlib.suppress(KeyboardInterrupt):  # the stop button ends the board, not the cell's `with` block
            for number in each_batch(self.metrics, self._seconds):
                self.frames = number
                rankings = self.rankings()
                output.show(board_text(rankings), partial(draw_board, rankings, self.top))
        return self.rankings()


def board_text(rankings: Mapping[str, Ranking]) -> str:
    """Return the rankings as one table: one place per line, two columns per ranking.

    Example: the first line for {"now": [("#a", 2)]} is "place  now  count".
    """
    if not any(rankings.values()):
        return "nothing has been counted yet"
    headers = ["place", *(title for name in rankings for title in (name, "count"))]
    places = zip_longest(*rankings.values(), fillvalue=("", ""))
    rows = [(number, *(cell for pair in row for cell in pair)) for number, row in enumerate(places, start=1)]
    return table(rows, headers)


def draw_board(rankings: Mapping[str, Ranking], top: int) -> Picture:
    """Return a picture of the rankings as bars side by side, the first place on top."""
    with figure(4.6 * len(rankings), 1.2 + 0.28 * top) as drawn:
        grid = drawn.add_gridspec(1, len(rankings))
        for at, (name, ranking) in enumerate(rankings.items()):
            axes = drawn.add_subplot(grid[0, at])
            add_bars(axes, ranking, places_shown=top)
            axes.set(title=printable(name), xlabel="occurrences")
        return picture(drawn, alt=board_text(rankings))
