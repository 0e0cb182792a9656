"""Other correct solutions of `bucket_of`, `balancer_for` and `rebalance`; each must get full marks."""

import hashlib
import json
import struct

from autograder.checks.mutant_markers import alternative
from streamlab.lab04_subqueries.engine import Plan


@alternative("by_a_digest")
def bucket_of(row, fields, buckets):
    digest = hashlib.blake2b(digest_size=8)
    for field in fields:
        value = row[field]
        if isinstance(value, bool) or (isinstance(value, float) and value % 1 == 0):
            value = int(value)
        digest.update(json.dumps(value).encode() + b"\0")
    return int.from_bytes(digest.digest(), "big") % buckets


# Murmur2, as in Lab 3, over the bytes of the values.
@alternative("murmur2")
def bucket_of(row, fields, buckets):
    from kafka.partitioner.default import murmur2

    data = b""
    for field in fields:
        value = row[field]
        data += (
            b"t" + value.encode()
            if isinstance(value, str)
            else b"-"
            if value is None
            else b"n" + str(plain(value)).encode()
        )
        data += struct.pack(">I", len(data))
    return murmur2(data) % buckets


def plain(number):
    return int(number) if number == int(number) else number


@alternative("a_table")
def balancer_for(operator, port, instances):
    keys = operator.keys(port) if operator.stateful else None
    by_rule = [
        (instances == 1, Plan("point to point")),
        (keys is not None, Plan("route key", keys)),
        (operator.stateful and port > 0, Plan("broadcast")),
        (True, Plan("round robin")),
    ]
    return next(plan for holds, plan in by_rule if holds)


# Tries every move of one bucket off a fullest instance, and takes the one that leaves the two most even.
@alternative("tries_every_move")
def rebalance(loads, owners, instances):
    if instances < 1 or len(loads) != len(owners) or [each for each in [*loads, *owners] if each < 0]:
        raise ValueError(f"cannot balance {loads} of {owners} over {instances} instances")
    totals, new = dict.fromkeys(range(instances), 0), dict(enumerate(owners))
    for bucket, owner in new.items():
        if owner in totals:
            totals[owner] += loads[bucket]
    for bucket, owner in new.items():
        if owner not in totals:
            new[bucket] = min(totals, key=totals.get)
            totals[new[bucket]] += loads[bucket]
    while True:
        top = max(totals.values())
        moves = [
            (max(top - loads[bucket], totals[to] + loads[bucket]), bucket, to)
            for bucket, owner in new.items()
            for to in totals
            if totals[owner] == top and to != owner and loads[bucket] > 0 and totals[to] + loads[bucket] < top
        ]
        if not moves:
            return list(new.values())
        _, bucket, to = min(moves)
        totals[new[bucket]] -= loads[bucket]
        totals[to] += loads[bucket]
        new[bucket] = to
