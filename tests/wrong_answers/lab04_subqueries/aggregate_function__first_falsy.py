# wrong: FIRST_VAL skips a first value that is 0 or "" (a or b); breaks "the earliest value"
# caught by: each_function_gives_its_own_result
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
