"""The board: rankings as a table and as bars, and a run that is updated with each batch."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from streamlab.lab02_windows.board import board_text, draw_board, live_board
from streamlab.spark import streaming
from tests.streamlab.notebook_run import THREE_BATCHES, outputs_of

NOTEBOOK = f"""
{THREE_BATCHES}
from streamlab.lab02_windows.board import LiveBoard
board = LiveBoard(metrics, ["now"], seconds=120.0, top=2)
remember = lambda number: board.remember("now", [("tag", number)])
board.run()
assert board.frames == 3
None
"""


def top_first(pairs: Any, k: int) -> list[tuple[str, int]]:
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:k]


def test_rankings_are_side_by_side_with_a_place_in_each_line() -> None:
    assert board_text({"now": [("a", 2)], "so far": [("b", 30), ("a", 2)]}).splitlines() == [
        "place  now  count  so far  count",
        "─────  ───  ─────  ──────  ─────",
        "    1  a    2      b          30",
        "    2              a           2",
    ]


def test_an_empty_board_shows_a_message() -> None:
    assert board_text({"now": [], "so far": []}) == "nothing has been counted yet"


@pytest.mark.parametrize("rankings", [{"now": []}, {"now": [("a", 2)], "so far": [("$x_1$", 3), ("東京", 1)]}])
def test_the_board_is_drawn_with_its_table_as_alt_text(rankings: dict[str, list[tuple[str, int]]]) -> None:
    picture = draw_board(rankings, top=8)

    assert ElementTree.fromstring(picture.svg).get("role") == "img"
    assert picture.alt == board_text(rankings)


def test_each_batch_is_ranked_with_the_learners_function(
    spark: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = [[("a", 1), ("b", 2)], [("c", 3)]]
    with streaming(spark, 0.3) as ssc:
        ssc.checkpoint(str(tmp_path))  # the board's own output is not part of the checkpoint
        pairs = ssc.queueStream([spark.sparkContext.parallelize(batch) for batch in batches])
        so_far = pairs.updateStateByKey(lambda new, total: sum(new, total or 0))
        board = live_board({"now": pairs, "so far": so_far}, top_first, ssc, seconds=60, top=2)
        wait, after_all = board.metrics.wait_change, {"now": [], "so far": [("c", 3), ("b", 2)]}

        def next_batch(seen: int, timeout_s: float) -> Any:
            if board.frames >= 2 and board.rankings() == after_all:  # no later batch has data
                raise KeyboardInterrupt  # the stop button
            return wait(seen, timeout_s)

        monkeypatch.setattr(board.metrics, "wait_change", next_batch)
        ssc.start()
        last = board.run()
    out, err = capfd.readouterr()

    assert board.frames >= 2
    assert last == after_all
    assert out.startswith("nothing has been counted yet\n")
    assert err == ""


def test_a_notebook_keeps_one_table_and_one_picture_of_the_last_state() -> None:
    outputs = outputs_of(NOTEBOOK)

    assert [output.output_type for output in outputs] == ["display_data"] * 2
    assert outputs[0].data["text/plain"].splitlines()[-1].split() == ["1", "tag", "3"]
    assert outputs[1].data["text/html"].startswith('<img alt="place')


@pytest.mark.parametrize("arguments", [{"seconds": 0}, {"top": 0}])
def test_a_board_with_an_invalid_argument_is_rejected(arguments: dict[str, Any]) -> None:
    nothing: Any = None
    with pytest.raises(ValueError, match="expected seconds > 0, top >= 1 and a stream"):
        live_board({"now": nothing}, top_first, nothing, **arguments)
    with pytest.raises(ValueError, match="and a stream"):
        live_board({}, top_first, nothing)
