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

reference("name")

mutant("run_together", ALIKE, ("return json.dumps(key)", 'return "".join(key)'), task="SharedCache")

reference("SharedCache")

mutant(
    "unknown_is_not_kept",
    [SHARED, TRIPS, AGE, FAULTS],
    (
        "self.keep({key: rows[key] for key in missing})",
        "self.keep({key: rows[key] for key in missing if rows[key] is not None})",
    ),
)
mutant(
    "one_trip_per_key",
    [TRIPS, FAULTS],
    ("self.client.mget(map(name, distinct))", "[self.client.get(name(key)) for key in distinct]"),
)
mutant("for_ever", AGE, ("json.dumps(row), px=max(1, round(1000 * self.ttl_s)))", "json.dumps(row))"))
mutant(
    "fails_with_its_cache",
    FAULTS,
    (
        "except redis.RedisError:\n            self.rests_until",
        "except ZeroDivisionError:\n            self.rests_until",
    ),
)
mutant("never_rests", FAULTS, ("self.rests_until = self.clock() + self.rest_s", "self.rests_until = -math.inf"))
mutant(
    "forgets_the_first_only",
    FORGOTTEN,
    ("self.client.delete(*map(name, keys))", "self.client.delete(*map(name, keys[:1]))"),
)
