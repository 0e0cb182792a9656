# wrong: float(value) fails for an int above 1e308 (OverflowError); breaks "Values are None, bool, int, float and str"
# caught by: equal_values_share_a_bucket
def bucket_of(row: Row, fields: Sequence[str], buckets: int) -> int:
    def form(value):
        return float(value) + 0.0 if isinstance(value, (bool, int, float)) else value
    return zlib.crc32(repr([form(row[field]) for field in fields]).encode()) % buckets
