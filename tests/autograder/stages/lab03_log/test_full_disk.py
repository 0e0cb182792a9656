"""A disk that is really full: the reference's log on a tmpfs of 256 KiB, in its own mount namespace."""

from pathlib import Path

from tests.autograder.stages.small_disk import run_on_a_small_disk

PROGRAM = """
from contextlib import closing
from pathlib import Path
from streamlab.lab03_log.wire.batches import batch_of
from tests.autograder.stages.lab03_log.reference import reference

PartitionLog, disk = reference().PartitionLog, Path("disk")
(disk / "reserve").write_bytes(bytes(64 * 1024))
batch, acknowledged = batch_of([(None, bytes(3000))]), []
log = PartitionLog(disk / "log", segment_bytes=50_000)
try:
    while True:
        acknowledged.append(log.append(batch, 1))
except OSError as full:
    print("rejected:", full.strerror)
files = {path.name: path.stat().st_size for path in (disk / "log").glob("*.log")}
print("nothing torn:", sum(files.values()) == len(acknowledged) * len(batch), len(acknowledged) > 40)
(disk / "reserve").unlink()
print("the next offset:", log.append(batch, 1) == len(acknowledged))
log.close()
with closing(PartitionLog(disk / "log", segment_bytes=50_000)) as again:
    read = [each.base_offset for each in again.read(0, 1 << 30)]
print("all there, once:", read == [*acknowledged, len(acknowledged)])
"""


def test_a_full_disk_keeps_exactly_the_acknowledged_records(tmp_path: Path) -> None:
    done = run_on_a_small_disk(PROGRAM, tmp_path, size="256k", timeout_s=120)

    assert done.stdout.splitlines() == [
        "rejected: No space left on device",
        "nothing torn: True True",
        "the next offset: True",
        "all there, once: True",
    ], done.stderr
