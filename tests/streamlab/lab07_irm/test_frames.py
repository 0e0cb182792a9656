"""Frames are read from pieces of any size; incomplete and damaged frames are ignored."""

import pytest

from streamlab.lab07_irm.frames import Frames, frame

TWO = frame({"what": "offer", "message": "m1"}) + frame({"what": "stored"}, b"payload")


@pytest.mark.parametrize("piece_bytes", [1, 7, len(TWO)])
def test_frames_are_read_whole_from_pieces_of_any_size(piece_bytes: int) -> None:
    frames = Frames()

    found = [each for at in range(0, len(TWO), piece_bytes) for each in frames.feed(TWO[at : at + piece_bytes])]

    assert found == [({"what": "offer", "message": "m1"}, b""), ({"what": "stored"}, b"payload")]


def test_an_incomplete_frame_is_ignored() -> None:
    assert Frames().feed(TWO[:-1]) == [({"what": "offer", "message": "m1"}, b"")]


def test_a_frame_with_a_wrong_crc_is_ignored_but_the_next_one_is_read() -> None:
    damaged = frame({"what": "stored"}, b"payload")[:-1] + b"X"

    assert Frames().feed(damaged + frame({"what": "beat"})) == [({"what": "beat"}, b"")]
