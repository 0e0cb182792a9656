"""Takes any offset for the next one when it is opened."""

KILLED_BY = ["the_last_segment_is_cut_before_its_first_corrupt_batch"]


class Segment(Segment):
    def walk(self, entry):
        position = entry[1]
        with open(self.log, "rb", buffering=PIECE_BYTES) as file:
            size = file.seek(0, os.SEEK_END)
            while position < size:
                file.seek(position)
                head, where = file.read(HEADER_BYTES), f"{self.log} at byte {position}"
                header = header_of(head)
                if header is None or position + header.size_bytes > size:
                    raise CorruptBatch(f"{where}: expected a whole batch")
                yield header, partial(read_whole, file, head, header, where)
                position += header.size_bytes
