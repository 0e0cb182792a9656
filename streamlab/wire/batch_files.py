"""Files of record batches, such as the segments of a log: read them header by header, write to them, sync their folder.

Keeps out: what a log promises about its files (Lab 3 has its readers write that).
"""

import os
from collections.abc import Callable, Iterator
from functools import partial
from io import FileIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

from streamlab.wire.batches import HEADER_BYTES, CorruptBatch, Header, header_of

PIECE_BYTES = 4096  # read from the disk at once


class Stored(NamedTuple):
    """A batch in a file: its header, where it lies (for messages), and a function that reads all of its bytes.

    `read` does not verify the CRC, and it works until the walk that gave the batch goes on.
    """

    header: Header
    where: str
    read: Callable[[], bytes]


def walk(log: Path, offset: int, position: int = 0) -> Iterator[Stored]:
    """Yield the batches of a file, from the one that begins at `offset` and at byte `position`; read headers only.

    Raises CorruptBatch, with file and position, where something else follows than a whole batch at the next offset.
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
    """Write all of `data`. OSError (the disk is full, say) may leave a part of it in the file."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


def sync_folder(folder: Path) -> None:
    """Bring the names of a folder's files to the disk: a new file is not safe before its name is."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
