"""Wrong versions of `Manager`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

PLANS = "each_plan_follows_the_rules"
ENDED = "an_ended_engine_frees_its_place"
READY = "engines_start_only_on_ready_workers"
TTL = "a_request_has_ttl_more_tries_and_its_end_is_counted"
UNNEEDED = "a_request_without_a_waiting_message_is_dropped"
FILLS = "the_cluster_fills_up_and_empties_again"

reference("Manager")

# As in the original: an engine keeps the size with which it started.
mutant(
    "sizes_for_life",
    PLANS,
    ("            self._workers.resize(engine, self._profiler.size(image))", "            pass"),
)
mutant("nothing_starts_after_one_that_stays", PLANS, ("worker < seen.ready:", "worker < seen.ready and not staying:"))
# As in the original after a crash.
mutant(
    "ended_keeps_its_place",
    [PLANS, ENDED, FILLS],
    (
        "                self._workers.remove(engine)\n        for image, loads",
        "                pass\n        for image, loads",
    ),
)
mutant(
    "starts_where_it_boots", [PLANS, READY, TTL, UNNEEDED], ("worker < seen.ready", "worker < max(seen.on, seen.ready)")
)
mutant(
    "ttl_tries",
    [PLANS, TTL, UNNEEDED],
    ("for each in staying if each.ttl > 0\n", "for each in staying if each.ttl > 1\n"),
    ("for each in staying if each.ttl <= 0)", "for each in staying if each.ttl <= 1)"),
)
# As in the original.
mutant(
    "dropped_silently",
    [PLANS, TTL, UNNEEDED],
    ("        dropped.update(each.image for each in staying if each.ttl <= 0)\n", ""),
)
mutant("started_without_a_message", [PLANS, ENDED, UNNEEDED], ("seen.waiting.get(request.image, 0):", "10**9:"))
mutant(
    "a_worker_for_each_engine",
    [PLANS, FILLS],
    ("scale(seen.on, self._workers.used, seen", "scale(seen.on, len(self._images) + len(staying), seen"),
)

survivor(
    "Manager",
    "if before[request.image] > seen.waiting.get(request.image, 0):",
    "if before[request.image] > seen.waiting.get(request.image, -1):",
    reason="equivalent: the count is 1 or more",
)
survivor(
    "Manager",
    "each._replace(ttl=each.ttl - 1) for each in staying if each.ttl > 0",
    "each._replace(ttl=each.ttl - 1) for each in staying if each.ttl != 0",
    reason="equivalent: a ttl is 0 or more",
)
survivor(
    "Manager",
    "dropped.update(each.image for each in staying if each.ttl <= 0)",
    "dropped.update(each.image for each in staying if each.ttl == 0)",
    reason="equivalent: a ttl is 0 or more",
)
