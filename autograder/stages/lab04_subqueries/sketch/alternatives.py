"""Other right solutions of `distinct_count`; each must get full marks."""

from collections import Counter

from autograder.checks.mutant_markers import alternative


# Shifts and a loop over the bits; the sum of powers comes from how often each rank occurs.
@alternative("bit_by_bit")
def distinct_count(p):
    if p not in range(7, 17):
        raise ValueError(f"p is 7 to 16, not {p}")

    def lift(value):
        hashed, rank = hash64(value), 1
        while rank <= 64 - p and not hashed >> (64 - p - rank) & 1:
            rank += 1
        registers = [0] * (1 << p)
        registers[hashed >> (64 - p)] = rank
        return bytes(registers)

    def combine(a, b):
        return bytes(y if x < y else x for x, y in zip(a, b, strict=True))

    def lower(registers):
        m, many = 1 << p, Counter(registers)
        raw = 0.7213 / (1 + 1.079 / m) * m * m / sum(number * 0.5**rank for rank, number in many.items())
        if raw > 2.5 * m or not many[0]:
            return raw
        return -m * math.log(many[0] / m)

    return AggregateFunction(lift, combine, lower)
