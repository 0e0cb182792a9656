"""Progress is that of the newest complete batch of a checkpoint, not of one that is only planned."""

from pathlib import Path

from streamlab.lab09_system.live.progress import offsets_done, watermark_done_ms

PLAN = 'v1\n{{"batchWatermarkMs":{watermark_ms},"batchTimestampMs":5}}\n{{"payments":{{"0":{count},"1":2}}}}'


def checkpoint_in(folder: Path, planned: int, complete: int) -> Path:
    for name, count in (("offsets", planned), ("commits", complete)):
        (folder / name).mkdir()
        for number in range(count):
            text = PLAN.format(watermark_ms=1000 * number, count=10 * number)
            (folder / name / str(number)).write_text(text, encoding="utf-8")
    (folder / "commits" / ".9.crc").write_text("", encoding="utf-8")
    return folder


def test_a_planned_batch_is_not_done(tmp_path: Path) -> None:
    checkpoint = checkpoint_in(tmp_path, planned=3, complete=2)

    assert offsets_done(checkpoint) == {("payments", 0): 10, ("payments", 1): 2}
    assert watermark_done_ms(checkpoint) == 1000


def test_before_the_first_complete_batch_nothing_is_done(tmp_path: Path) -> None:
    assert offsets_done(tmp_path) == {}
    assert offsets_done(checkpoint_in(tmp_path, planned=1, complete=0)) == {}
    assert watermark_done_ms(tmp_path) == 0
