"""Wrong versions of `consume`, `deduplicate`, each with the checks that must catch it."""

from autograder.verify.marks import mutant, right

COMMITTING_AFTER = "committing_after_repeats_what_was_not_committed"
COMMITTING_BEFORE = "committing_before_loses_what_was_not_handled"
EQUAL_VALUES = "equal_values_at_two_offsets_are_two_records"
OFFSETS_TWO = "offsets_of_two_partitions_say_nothing_of_each_other"
COMES_AGAIN = "what_comes_again_is_applied_once"
WITHOUT_CRASH = "without_a_crash_every_record_is_handled_once_in_order"

# consume


@right
def consume(log, offsets, handle, commit, max_bytes=4096):
    return consume_as_told(log, offsets, handle, "before" if commit == "before" else "after", max_bytes)


consume_as_told = consume


# Takes whatever is not before for after.
@mutant("anything_means_after", "another_time_to_commit_is_refused")
def consume(log, offsets, handle, commit, max_bytes=4096):
    return consume_as_told(log, offsets, handle, "before" if commit == "before" else "after", max_bytes)


consume_as_told = consume


# Passes over records whose value is not ASCII.
@mutant("ascii_values_only", "trends_of_your_own_lab_2_are_fed_from_the_log")
def consume(log, offsets, handle, commit, max_bytes=4096):
    def on_progress(record):
        if record.value is None or record.value.isascii():
            handle(record)

    return consume_as_told(log, offsets, on_progress, commit, max_bytes)


consume_as_told = consume


# Commits after it handled, whatever is asked for.
@mutant("commits_after_in_any_case", COMMITTING_BEFORE)
def consume(log, offsets, handle, commit, max_bytes=4096):
    return consume_as_told(log, offsets, handle, "after" if commit == "before" else commit, max_bytes)


consume_as_told = consume


# Commits before it handles, whatever is asked for.
@mutant("commits_before_in_any_case", COMMITTING_AFTER)
def consume(log, offsets, handle, commit, max_bytes=4096):
    return consume_as_told(log, offsets, handle, "before" if commit == "after" else commit, max_bytes)


# Commits after every record in place of every poll.
@mutant("commits_each_record", [WITHOUT_CRASH, COMMITTING_BEFORE, COMMITTING_AFTER])
def consume(log, offsets, handle, commit, max_bytes=4096):
    if commit not in ("before", "after"):
        raise ValueError(f'commit must be "before" or "after", got {commit!r}')
    position, handled = offsets.committed(), 0
    while batches := log.read(position, max_bytes):
        records = [each for batch in batches for each in records_of(batch.data) if each.offset >= position]
        position = records[-1].offset + 1
        for record in records:
            if commit == "before":
                offsets.commit(record.offset + 1)
            handle(record)
            if commit == "after":
                offsets.commit(record.offset + 1)
        handled += len(records)
    return handled


consume_as_told = consume


# Commits the offset of the last record, not the one behind it.
@mutant("commits_the_last_record", [WITHOUT_CRASH, COMMITTING_BEFORE, COMMITTING_AFTER], task="consume")
class OneLess:
    def __init__(self, offsets):
        self.committed, self.keep = offsets.committed, offsets.commit

    def commit(self, offset):
        self.keep(offset - 1)


@mutant("commits_the_last_record", [WITHOUT_CRASH, COMMITTING_BEFORE, COMMITTING_AFTER])
def consume(log, offsets, handle, commit, max_bytes=4096):
    return consume_as_told(log, OneLess(offsets), handle, commit, max_bytes)


consume_as_told = consume


# Begins at the start of the log.
@mutant("from_the_begin", [WITHOUT_CRASH, COMMITTING_BEFORE, COMMITTING_AFTER], task="consume")
class FromTheBegin:
    def __init__(self, offsets):
        self.commit = offsets.commit

    def committed(self):
        return 0


@mutant("from_the_begin", [WITHOUT_CRASH, COMMITTING_BEFORE, COMMITTING_AFTER])
def consume(log, offsets, handle, commit, max_bytes=4096):
    return consume_as_told(log, FromTheBegin(offsets), handle, commit, max_bytes)


# Handles the records of a batch that are below the position, too.
@mutant("handles_whole_batches", [WITHOUT_CRASH, COMMITTING_BEFORE, COMMITTING_AFTER])
def consume(log, offsets, handle, commit, max_bytes=4096):
    if commit not in ("before", "after"):
        raise ValueError(f'commit must be "before" or "after", got {commit!r}')
    position, handled = offsets.committed(), 0
    while batches := log.read(position, max_bytes):
        records = [each for batch in batches for each in records_of(batch.data)]
        position = records[-1].offset + 1
        if commit == "before":
            offsets.commit(position)
        for record in records:
            handle(record)
        if commit == "after":
            offsets.commit(position)
        handled += len(records)
    return handled


# Reads once.
@mutant("one_poll", [WITHOUT_CRASH, COMMITTING_BEFORE, COMMITTING_AFTER])
def consume(log, offsets, handle, commit, max_bytes=4096):
    if commit not in ("before", "after"):
        raise ValueError(f'commit must be "before" or "after", got {commit!r}')
    position, handled = offsets.committed(), 0
    for batches in [log.read(position, max_bytes)]:
        records = [each for batch in batches for each in records_of(batch.data) if each.offset >= position]
        position = records[-1].offset + 1 if records else position
        if records and commit == "before":
            offsets.commit(position)
        for record in records:
            handle(record)
        if records and commit == "after":
            offsets.commit(position)
        handled += len(records)
    return handled


consume_as_told = consume


# Takes before for after.
@mutant("sides_confused", [COMMITTING_BEFORE, COMMITTING_AFTER])
def consume(log, offsets, handle, commit, max_bytes=4096):
    other = {"before": "after", "after": "before"}
    return consume_as_told(log, offsets, handle, other.get(commit, commit), max_bytes)


# deduplicate


@right
def deduplicate(deliveries, next_offset):
    new = []
    for partition, record in deliveries:
        if record.offset == next_offset.get(partition, 0):
            next_offset[partition] = record.offset + 1
            new.append((partition, record))
    return new


mutant(
    "by_value",
    EQUAL_VALUES,
    ("new = []", "new, seen = [], set()"),
    (
        "        if record.offset == next_offset.get(partition, 0):",
        """        if record.offset >= next_offset.get(partition, 0) and (partition, record.value) not in seen:
            seen.add((partition, record.value))""",
    ),
)  # Knows a record by its value.
mutant(
    "counts_records",
    [COMES_AGAIN, OFFSETS_TWO],
    (
        """        if record.offset == next_offset.get(partition, 0):
            next_offset[partition] = record.offset + 1""",
        """        if record.offset >= next_offset.get(partition, 0):
            next_offset[partition] = next_offset.get(partition, 0) + 1""",
    ),
)  # Adds one to where to go on for each record that it applies.

deduplicate_in_place = deduplicate


# Keeps where to go on to itself.
@mutant("in_a_copy", [COMES_AGAIN, EQUAL_VALUES, OFFSETS_TWO])
def deduplicate(deliveries, next_offset):
    return deduplicate_in_place(deliveries, dict(next_offset))


mutant(
    "order_across_partitions",
    OFFSETS_TWO,
    ("new = []", "new, last = [], -1"),
    (
        "        if record.offset == next_offset.get(partition, 0):",
        """        if record.offset >= next_offset.get(partition, 0) and record.offset > last:
            last = record.offset""",
    ),
)  # Assumes that offsets rise across partitions.
mutant(
    "partitions_mixed_up",
    OFFSETS_TWO,
    ("new = []", "new, seen = [], set()"),
    (
        "        if record.offset == next_offset.get(partition, 0):",
        """        if record.offset >= next_offset.get(partition, 0) and record.offset not in seen:
            seen.add(record.offset)""",
    ),
)  # Takes an offset for one, whichever partition it is of.

deduplicate_as_they_came = deduplicate


# Gives records in the order of partitions.
@mutant("sorted", OFFSETS_TWO)
def deduplicate(deliveries, next_offset):
    return sorted(deduplicate_as_they_came(deliveries, next_offset), key=lambda each: (each[0], each[1].offset))


# Applies an offset only if it is the next one.
@mutant("waits_for_gaps", [COMES_AGAIN, OFFSETS_TWO])
def deduplicate(deliveries, next_offset):
    new = []
    for partition, record in deliveries:
        if record.offset == next_offset.get(partition, 0):
            next_offset[partition] = record.offset + 1
            new.append((partition, record))
    return new
