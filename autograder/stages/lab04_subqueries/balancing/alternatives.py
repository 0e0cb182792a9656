"""Other correct solutions of `bucket_of`, `balancer`, `balancer_for` and `rebalance`; each must get full marks."""

import hashlib
import json
import struct

from autograder.checks.mutant_markers import alternative
from streamlab.lab04_subqueries.engine import Plan


@alternative("by_a_digest")
def bucket_of(row, fields, buckets):
    if buckets <= 0:
        raise ValueError("there must be a bucket")
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

    if buckets < 1:
        raise ValueError(f"{buckets} buckets")
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


@alternative("classes")
def balancer(plan, instances, owners=()):
    kinds = {"point to point": ToOne, "round robin": InTurns, "route key": ByKey, "broadcast": ToAll}
    if plan.kind not in kinds or instances < 1:
        raise ValueError(f"no balancer for {plan} and {instances} instances")
    return kinds[plan.kind](plan, instances, owners)


class ToAll:
    def __init__(self, plan, instances, owners):
        self.plan, self.instances, self.owners, self.turn = plan, instances, tuple(owners), -1
        if not self.is_valid():
            raise ValueError(f"{instances} instances and the owners {owners} do not fit {plan}")

    def is_valid(self):
        return True

    def __call__(self, row):
        return range(self.instances)


class ToOne(ToAll):
    def is_valid(self):
        return self.instances == 1


class InTurns(ToAll):
    def __call__(self, row):
        self.turn = (self.turn + 1) % self.instances
        return (self.turn,)


class ByKey(ToAll):
    def is_valid(self):
        return len(self.owners) > 0 and all(owner in range(self.instances) for owner in self.owners)

    def __call__(self, row):
        return (self.owners[bucket_of(row, self.plan.fields, len(self.owners))],)


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
