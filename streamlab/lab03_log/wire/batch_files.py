"""Files of record batches, such as the segments of a log: read them header by header, write to them, sync their folder.

Does not contain a log; students write one on top of these functions in Lab 3.
"""

import os
from collections.abc import Callable, Iterator
from functools import partial
from io import FileIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

from streamlab.lab03_log.wire.batches import HEADER_BYTES, CorruptBatch, Header, header_of

PIECE_BYTES = 4096  # the size of one read from the disk


class Stored(NamedTuple):
    """A batch in a file: its header, its position (for messages), and a function that reads all of its bytes.

    `read` does not verify the CRC. Call it before the walk that yielded the batch continues.
    """

    header: Header
    where: str
    read: Callable[[], bytes]


def walk(log: Path, offset: int, position: int = 0) -> Iterator[Stored]:
    """Yield the batches of a file, from the one that begins at `offset` and at byte `position`; read headers only.

    Raises CorruptBatch, with file and position, if anything other than a whole batch at the next offset follows.
    Example: [stored.header.base_offset for stored in walk(log, 0)] -> [0, 5, 10]
    """
    with open(log, "rb", buffering=PIECE_BYTES) as file:
        size_bytes = os.fstat(file.fileno()).st_size
        while position < size_bytes:
            header, where = header_of(_bytes_at(file, position, HEADER_BYTES)), f"{log} at byte {position}"
            if header is None or header.base_offset != offset or position + header.size_bytes > size_bytes:
                raise CorruptBatch(f"{where}: expected a whole batch that begins at offset {offset}")
            yield Stored(header, where, partial(_bytes_at, file, position, header.size_bytes))
            offset, position = offset + header.records, position + header.size_bytes


def _bytes_at(file: BinaryIO, position: int, count: int) -> bytes:
    file.seek(position)
    return file.read(count)


def write_all(file: FileIO, data: bytes) -> None:
    """Write all of `data`. An OSError (for example, a full disk) may leave a part of it in the file."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


def sync_folder(folder: Path) -> None:
    """Sync a folder's directory entries to the disk: a new file is not durable before its name is."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
