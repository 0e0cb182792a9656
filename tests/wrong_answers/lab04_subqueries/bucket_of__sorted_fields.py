# wrong: takes the fields in alphabetical order, so the sides of a join with several pairs of fields differ; breaks "Only the values of these fields decide"
# caught by: only_the_named_fields_decide_the_bucket
def bucket_of(row: Row, fields: Sequence[str], buckets: int) -> int:
    def form(value):
        return int(value) if isinstance(value, (bool, int)) or (isinstance(value, float) and value.is_integer()) else value
    return zlib.crc32(repr([form(row[field]) for field in sorted(fields)]).encode()) % buckets
