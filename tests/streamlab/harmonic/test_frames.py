"""Frames: whole ones come out, in any pieces; half and damaged ones do not."""

import pytest

from streamlab.harmonic.frames import Frames, frame

TWO = frame({"what": "offer", "message": "m1"}) + frame({"what": "stored"}, b"payload")


@pytest.mark.parametrize("piece_bytes", [1, 7, len(TWO)])
def test_frames_come_out_whole_however_they_are_cut(piece_bytes: int) -> None:
    frames = Frames()

    found = [each for at in range(0, len(TWO), piece_bytes) for each in frames.feed(TWO[at : at + piece_bytes])]

    assert found == [({"what": "offer", "message": "m1"}, b""), ({"what": "stored"}, b"payload")]


def test_half_a_frame_is_ignored() -> None:
    assert Frames().feed(TWO[:-1]) == [({"what": "offer", "message": "m1"}, b"")]


def test_a_frame_with_another_payload_than_its_crc_is_ignored_and_the_next_one_is_not() -> None:
    damaged = frame({"what": "stored"}, b"payload")[:-1] + b"X"

    assert Frames().feed(damaged + frame({"what": "beat"})) == [({"what": "beat"}, b"")]
