"""Wrong versions of the caches within a process, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

LRU = "the_least_recently_used_entry_leaves_first"
NONE = "none_is_kept_like_any_row"
LIVES = "an_entry_lives_for_its_time_from_its_put"
COUNTED = "hits_and_misses_are_counted"
FEW = "an_operation_compares_few_keys"
INVALID = "invalid_sizes_and_times_to_live_raise_value_error"
KEPT = "what_is_kept_is_not_asked_for_again"
ONE_CALL = "callers_who_wait_for_one_key_share_one_call"
FAILURE = "a_failure_reaches_all_who_wait_and_is_not_kept"
GIVES_UP = "a_caller_who_gives_up_affects_no_other"

reference("LruCache")

mutant(
    "first_in_first_out",
    [LRU, LIVES, COUNTED],
    ("        if self.clock() < ends:\n            self.kept.move_to_end(key)\n", "        if self.clock() < ends:\n"),
)
mutant(
    "none_is_a_miss",
    [NONE, LIVES, COUNTED, LRU],
    ("if self.clock() < ends:", "if self.clock() < ends and value is not None:"),
)
mutant(
    "the_default_is_a_miss",
    [NONE, COUNTED],
    ("if self.clock() < ends:", "if value is not default and self.clock() < ends:"),
)
mutant("whole_seconds", [LIVES, COUNTED], ("if self.clock() < ends:", "if int(self.clock()) < ends:"))
mutant("any_arguments", INVALID, ("if entries < 1 or not ttl_s > 0:", "if entries is None:"))


# The order is a list that is searched.
@mutant("a_list", FEW)
class LruCache:
    def __init__(self, entries, ttl_s=math.inf, clock=time.monotonic):
        if entries < 1 or not ttl_s > 0:
            raise ValueError
        self.entries, self.ttl_s, self.clock, self.hits, self.misses = entries, ttl_s, clock, 0, 0
        self.kept, self.order = {}, []

    def get(self, key, default=None):
        if key in self.kept and self.clock() < self.kept[key][1]:
            self.order.remove(key)
            self.order.append(key)
            self.hits += 1
            return self.kept[key][0]
        if key in self.kept:
            self.order.remove(key)
            del self.kept[key]
        self.misses += 1
        return default

    def put(self, key, value):
        if key in self.kept:
            self.order.remove(key)
        self.order.append(key)
        self.kept[key] = value, self.clock() + self.ttl_s
        if len(self.kept) > self.entries:
            del self.kept[self.order.pop(0)]

    def __len__(self):
        return len(self.kept)


reference("CachedStore")

mutant(
    "unknown_is_not_kept",
    [KEPT, GIVES_UP],
    (
        "            self.cache.put(key, row)",
        "            if row is not None:\n                self.cache.put(key, row)",
    ),
)
mutant(
    "everyone_asks",
    [ONE_CALL, FAILURE, GIVES_UP],
    ("if key not in self.calls:", "if True:"),
    ("            del self.calls[key]", "            self.calls.pop(key, None)"),
)
# Who waited finds nothing if others have filled the cache.
mutant(
    "read_from_the_cache",
    ONE_CALL,
    (
        "return await asyncio.shield(self.calls[key])",
        "await asyncio.shield(self.calls[key])\n        return self.cache.get(key)",
    ),
)
# Nobody waits if all have given up.
mutant(
    "a_failure_is_deleted_by_who_waits",
    FAILURE,
    (
        "return await asyncio.shield(self.calls[key])",
        "call = self.calls[key]\n        try:\n            return await asyncio.shield(call)\n        finally:\n"
        "            if call.done() and self.calls.get(key) is call:\n                del self.calls[key]",
    ),
    (
        "            return row\n        finally:\n            del self.calls[key]",
        "            return row\n        finally:\n            pass",
    ),
)

survivor(
    "CachedStore",
    "if row is not NO_ANSWER:",
    "if row != NO_ANSWER:",
    reason="equivalent: nothing else equals NO_ANSWER",
)
survivor(
    "CachedStore",
    "self.calls[key].add_done_callback(lambda call: call.cancelled() or call.exception()) # if nobody waits",
    "self.calls[key].add_done_callback(lambda call: call.cancelled() and call.exception()) # if nobody waits",
    reason="the same answers: asyncio writes a line about an error that nobody asked for",
)
