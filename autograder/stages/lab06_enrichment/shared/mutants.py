"""Wrong versions of `SharedCache`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

SAME = "a_hit_and_a_miss_give_the_same_answer"
ALIKE = "keys_that_look_alike_have_their_own_rows"
SHARED = "no_other_worker_asks_for_what_is_kept"
TRIPS = "a_call_needs_at_most_two_round_trips"
AGE = "every_entry_has_a_time_to_live"
FAULTS = "without_its_cache_the_store_answers"
FORGOTTEN = "what_is_forgotten_is_asked_for_again"

reference("SharedCache")

# A row found in Redis counts as unknown, as in the published variant.
mutant(
    "a_hit_is_unknown",
    [SAME, ALIKE, SHARED, TRIPS, FAULTS, FORGOTTEN],
    ("rows = {key: json.loads(text) for", "rows = {key: None for"),
)


reference("SharedCache")

mutant(
    "one_trip_per_key",
    [TRIPS, FAULTS],
    ("self.client.mget(map(name, distinct))", "[self.client.get(name(key)) for key in distinct]"),
)


# Workers share a table of their process, and Redis holds nothing.
@mutant("shared_in_the_process", [SHARED, TRIPS, AGE, FAULTS, FORGOTTEN])
class SharedCache:
    tables = {}

    def __init__(self, client, store, ttl_s, rest_s=1.0, clock=time.monotonic):
        if not 0 < ttl_s < math.inf or not rest_s >= 0:
            raise ValueError(ttl_s, rest_s)
        self.store, self.kept = store, self.tables.setdefault(store, {})  # by identity

    def get(self, key):
        return self.get_many([key]).get(key)

    def get_many(self, keys):
        if missing := [key for key in keys if key not in self.kept]:
            rows = self.store.get_many(missing)
            self.kept.update({key: rows.get(key) for key in missing})
        return {key: self.kept[key] for key in keys if self.kept[key] is not None}

    def forget(self, keys):
        for key in keys:
            self.kept.pop(key, None)
        return True
