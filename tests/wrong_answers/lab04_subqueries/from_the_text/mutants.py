"""Wrong answers to lab04_subqueries that people wrote from its text, each with the checks that catch it."""

from autograder.checks.mutant_markers import mutant, reference

reference("Join")

# A t in the emitted row wins over the time of the later row; breaks 'The result is {**emit(left, right), "t": time of
# the later row}'
mutant(
    "emits_t",
    "each_pair_joins_once_whichever_row_comes_first",
    ('{**self.emit(left, right), "t": row["t"]}', '{"t": row["t"], **self.emit(left, right)}'),
)

reference("Panes")

# Combines the panes from the latest to the earliest; breaks "combine gets the earlier values first"
mutant("order", "a_window_is_combined_from_its_panes", ("range(first, after) if", "reversed(range(first, after)) if"))


# FIRST_VAL skips a first value that is 0 or "" (a or b); breaks "the earliest value"
@mutant("first_falsy", "each_function_gives_its_own_result")
def aggregate_function(name: str) -> AggregateFunction:
    def same(value):
        return value

    return {
        "COUNT": AggregateFunction(lambda v: 1, operator.add, same),
        "SUM": AggregateFunction(same, operator.add, same),
        "MIN": AggregateFunction(same, min, same),
        "MAX": AggregateFunction(same, max, same),
        "AVG": AggregateFunction(lambda v: (v, 1), lambda a, b: (a[0] + b[0], a[1] + b[1]), lambda p: p[0] / p[1]),
        "FIRST_VAL": AggregateFunction(same, lambda a, b: a or b, same),
        "LAST_VAL": AggregateFunction(same, lambda a, b: b, same),
    }[name]


# LAST_VAL skips None; breaks "the latest value"
@mutant("last_none", "each_function_gives_its_own_result")
def aggregate_function(name: str) -> AggregateFunction:
    def same(value):
        return value

    table = {
        "COUNT": (lambda value: 1, operator.add, same),
        "SUM": (same, operator.add, same),
        "MIN": (same, min, same),
        "MAX": (same, max, same),
        "AVG": (
            lambda v: {"n": 1, "sum": v},
            lambda a, b: {"n": a["n"] + b["n"], "sum": a["sum"] + b["sum"]},
            lambda p: p["sum"] / p["n"],
        ),
        "FIRST_VAL": (lambda v: (v,), lambda a, b: a[:1], lambda p: p[0]),
        "LAST_VAL": (lambda v: (v,), lambda a, b: a if b[-1] is None else b[-1:], lambda p: p[-1]),
    }
    return AggregateFunction(*table[name])


# Hashes the names of the fields, too, so the two sides of a join differ; breaks "Only the values of these fields
# decide"
@mutant("field_names", "only_the_named_fields_decide_the_bucket")
def bucket_of(row: Row, fields: Sequence[str], buckets: int) -> int:
    def form(value):
        return (
            int(value) if isinstance(value, (bool, int)) or (isinstance(value, float) and value.is_integer()) else value
        )

    return zlib.crc32(repr([(field, form(row[field])) for field in fields]).encode()) % buckets


# Float(value) fails for an int above 1e308 (OverflowError); breaks "Values are None, bool, int, float and str"
@mutant("huge_int", "equal_values_share_a_bucket")
def bucket_of(row: Row, fields: Sequence[str], buckets: int) -> int:
    def form(value):
        return float(value) + 0.0 if isinstance(value, (bool, int, float)) else value

    return zlib.crc32(repr([form(row[field]) for field in fields]).encode()) % buckets


# Takes the fields in alphabetical order, so the sides of a join with several pairs of fields differ; breaks "Only the
# values of these fields decide"
@mutant("sorted_fields", "only_the_named_fields_decide_the_bucket")
def bucket_of(row: Row, fields: Sequence[str], buckets: int) -> int:
    def form(value):
        return (
            int(value) if isinstance(value, (bool, int)) or (isinstance(value, float) and value.is_integer()) else value
        )

    return zlib.crc32(repr([form(row[field]) for field in sorted(fields)]).encode()) % buckets


# Divides with floats, which is wrong for large positions (2**53 and more); breaks "Each start is a multiple of the
# advance"
@mutant("floats", "a_window_holds_its_start_and_not_its_end")
def window_starts(window: TimeWindow | SizeWindow, at: int) -> list[int]:
    last = math.floor(at / window.advance) * window.advance
    starts = [s for s in range(last, at - window.size, -window.advance)][::-1]
    return starts if isinstance(window, TimeWindow) else [s for s in starts if s >= 0]
