"""Wrong versions of `partition_for`, `StickyPartitioner`, `assign`, each with the checks that must catch it."""

from autograder.verify.marks import mutant, right

KEY_GOES = "a_key_goes_where_kafka_puts_it"
PARTITION_KEPT = "a_partition_is_kept_until_its_batch_is_full"
BYTES_SPREAD = "bytes_are_spread_evenly"
PARTITION_EXACTLY = "each_partition_has_exactly_one_owner"
LOADS_DIFFER = "loads_differ_by_at_most_one"
MORE_PARTITIONS = "no_more_partitions_move_than_must"
SIGN_HASH = "the_sign_of_a_hash_is_masked"

# partition_for


@right
def partition_for(key, partitions):
    if partitions < 1:
        raise ValueError(f"a topic has 1 partition or more, got {partitions}")
    return hash(key) % partitions


mutant(
    "another_seed",
    [KEY_GOES, SIGN_HASH],
    (
        'def murmur2(data: bytes) -> int:\n    """The hash of Kafka\'s partitioner, an unsigned 32-bit number."""',
        "def murmur2(data):",
    ),
    ("0x9747B28C ^ len", "len"),
    of="murmur2",
    task="partition_for",
)  # Begins the hash with another seed.


# Uses Python's own hash, which is another in every process.
@mutant("hash_of_python", [KEY_GOES, SIGN_HASH])
def partition_for(key, partitions):
    if partitions < 1:
        raise ValueError(f"a topic has 1 partition or more, got {partitions}")
    return hash(key) % partitions


# Leaves what cannot be meant to the remainder.
@mutant("no_partitions", "a_number_of_partitions_below_one_is_refused")
def partition_for(key, partitions):
    return (murmur2(key) & 0x7FFFFFFF) % partitions


murmur2_of_words = murmur2


# Hashes whole words only, where the length is no multiple of four.
@mutant("rest_left_out", [KEY_GOES, SIGN_HASH], task="partition_for")
def murmur2(data):
    whole = len(data) // 4 * 4
    return murmur2_of_words(data) if whole == len(data) else murmur2_of_words(data[:whole] + bytes([len(data)] * 4))


mutant(
    "sign_negated",
    SIGN_HASH,
    (
        "    return hash(key) % partitions",
        """    number = murmur2(key)
    return (number if number < 2**31 else 2**32 - number) % partitions""",
    ),
)  # Takes the magnitude of a negative hash.
mutant("sign_not_masked", SIGN_HASH, ("hash", "murmur2"))  # Takes the remainder of the unsigned hash.
# StickyPartitioner


# Goes to the next partition with every record.
@mutant("a_record_each", PARTITION_KEPT)
class StickyPartitioner(StickyPartitioner):
    def partition(self, record_bytes):
        self._left = 0
        return super().partition(record_bytes)


# Takes the next partition, however many bytes it has.
@mutant("in_a_circle", BYTES_SPREAD)
class StickyPartitioner(StickyPartitioner):
    def _fewest_bytes(self):
        return (self._at + 1) % len(self._bytes)


# Goes elsewhere with the record that would fill the batch.
@mutant("leaves_before_it_is_full", PARTITION_KEPT)
class StickyPartitioner(StickyPartitioner):
    def partition(self, record_bytes):
        if record_bytes >= self._left < self._batch_bytes:
            self._left = 0
        return super().partition(record_bytes)


# Takes records of less than no bytes.
@mutant("less_than_no_bytes", "bytes_and_partitions_that_cannot_be_meant_are_refused")
class StickyPartitioner(StickyPartitioner):
    def partition(self, record_bytes):
        return super().partition(max(0, record_bytes))


# Stays at one partition for ever.
@mutant("never_leaves", [PARTITION_KEPT, BYTES_SPREAD])
class StickyPartitioner(StickyPartitioner):
    def _fewest_bytes(self):
        return self._at


# Goes to and fro between the first two partitions.
@mutant("two_of_them", BYTES_SPREAD)
class StickyPartitioner(StickyPartitioner):
    def _fewest_bytes(self):
        return (self._at + 1) % min(2, len(self._bytes))


# assign


@right
def assign(partitions, members, previous):
    if partitions < 0 or len(set(members)) < len(members):
        raise ValueError(f"expected 0 partitions or more and each member once, got {partitions} and {list(members)}")

    names = sorted(members)
    return {name: list(range(partitions))[at :: len(names)] for at, name in enumerate(names)}


assign_once = assign


# Takes a member that is named twice for one.
@mutant("a_member_twice", "a_group_that_cannot_be_is_refused")
def assign(partitions, members, previous):
    return assign_once(partitions, list(dict.fromkeys(members)), previous)


assign_all = assign


# Leaves a partition with both who claim it.
@mutant("both_claims_count", PARTITION_EXACTLY)
def assign(partitions, members, previous):
    assigned = assign_all(partitions, members, previous)
    for name, own in assigned.items():
        claimed = (each for each in previous.get(name, ()) if each < partitions and each not in own)
        twice = [each for each in claimed if sum(each in previous.get(other, ()) for other in members) > 1]
        assigned[name] = sorted([*own, *twice])
    return assigned


assign_by_name = assign


# Lets whoever is named first choose first.
@mutant("in_the_order_of_members", "the_order_of_names_changes_no_assignment")
def assign(partitions, members, previous):
    in_turn = {f"{at:04d}{name}": name for at, name in enumerate(members)}
    if len(set(members)) < len(members):
        raise ValueError(f"expected each member once, got {members}")
    known = {number: previous.get(name, ()) for number, name in in_turn.items()}
    claims = {name: [] for name in in_turn.values()}
    for name in sorted(claims):
        taken = {each for own in claims.values() for each in own}
        claims[name] = [each for each in previous.get(name, ()) if each not in taken]
    known = {number: claims[name] for number, name in in_turn.items()}
    return {in_turn[number]: own for number, own in assign_by_name(partitions, list(in_turn), known).items()}


assign_all = assign


# Gives partitions in the order in which they came to their owner.
@mutant("not_ascending", PARTITION_EXACTLY)
def assign(partitions, members, previous):
    return {name: own[::-1] for name, own in assign_all(partitions, members, previous).items()}


mutant(
    "ranges",
    MORE_PARTITIONS,
    (
        """    names = sorted(members)
    return {name: list(range(partitions))[at :: len(names)] for at, name in enumerate(names)}""",
        """    names, given = sorted(members), iter(range(partitions))
    return {
        name: list(islice(given, partitions // len(names) + (at < partitions % len(names))))
        for at, name in enumerate(names)
    }""",
    ),
)  # Gives everyone a range, as Kafka's range assignor does.


# Deals all partitions out anew.
@mutant("reshuffles_everyone", MORE_PARTITIONS)
def assign(partitions, members, previous):
    if partitions < 0 or len(set(members)) < len(members):
        raise ValueError(f"expected 0 partitions or more and each member once, got {partitions} and {list(members)}")

    names = sorted(members)
    return {name: list(range(partitions))[at :: len(names)] for at, name in enumerate(names)}


mutant(
    "the_first_keeps_more",
    MORE_PARTITIONS,
    (
        """    names = sorted(members)
    return {name: list(range(partitions))[at :: len(names)] for at, name in enumerate(names)}""",
        """    free, assigned, names = set(range(partitions)), {}, sorted(members)
    loads = {name: partitions // len(names) + (at < partitions % len(names)) for at, name in enumerate(names)}
    for name in names:
        assigned[name] = sorted(free.intersection(previous.get(name, ())))[: loads[name]]
        free.difference_update(assigned[name])
    given = iter(sorted(free))
    return {name: sorted([*own, *islice(given, loads[name] - len(own))]) for name, own in assigned.items()}""",
    ),
)  # Lets the smallest names have the one more, whoever had it.
mutant(
    "the_new_stay_empty",
    LOADS_DIFFER,
    (
        """    names = sorted(members)
    return {name: list(range(partitions))[at :: len(names)] for at, name in enumerate(names)}""",
        """    free, kept = set(range(partitions)), {name: [] for name in sorted(members)}
    for name in kept:
        kept[name] = sorted(free.intersection(previous.get(name, ())))
        free -= set(kept[name])
    for partition in sorted(free) if kept else []:
        min(kept.values(), key=len).append(partition)
    return {name: sorted(each) for name, each in kept.items()}""",
    ),
)  # Takes nothing from anyone, so that who comes gets nothing.

assign_all = assign


# Gives out only what members had.
@mutant("what_is_gone_is_lost", [PARTITION_EXACTLY, LOADS_DIFFER, MORE_PARTITIONS])
def assign(partitions, members, previous):
    gone = {each for name, owned in previous.items() if name not in members for each in owned}
    return {
        name: [each for each in own if each not in gone]
        for name, own in assign_all(partitions, members, previous).items()
    }


assign_all = assign


# Leaves members without a partition out.
@mutant("who_has_none_is_not_named", PARTITION_EXACTLY)
def assign(partitions, members, previous):
    return {name: own for name, own in assign_all(partitions, members, previous).items() if own}
