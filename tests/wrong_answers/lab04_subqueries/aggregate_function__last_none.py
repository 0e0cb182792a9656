# wrong: LAST_VAL skips None; breaks "the latest value"
# caught by: each_function_gives_its_own_result
def aggregate_function(name: str) -> AggregateFunction:
    def same(value):
        return value
    table = {
        "COUNT": (lambda value: 1, operator.add, same),
        "SUM": (same, operator.add, same),
        "MIN": (same, min, same),
        "MAX": (same, max, same),
        "AVG": (lambda v: {"n": 1, "sum": v}, lambda a, b: {"n": a["n"] + b["n"], "sum": a["sum"] + b["sum"]}, lambda p: p["sum"] / p["n"]),
        "FIRST_VAL": (lambda v: (v,), lambda a, b: a[:1], lambda p: p[0]),
        "LAST_VAL": (lambda v: (v,), lambda a, b: a if b[-1] is None else b[-1:], lambda p: p[-1]),
    }
    return AggregateFunction(*table[name])
