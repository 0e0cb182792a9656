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
mutant(
    "loads_observed_last",
    PLANS,
    ("        for image, loads in seen.loads.items():\n            self._profiler.observe(image, loads)\n", ""),
    (
        "        return Plan(starts",
        "        for image, loads in seen.loads.items():\n            self._profiler.observe(image, loads)\n"
        "        return Plan(starts",
    ),
)
mutant(
    "an_empty_queue_is_not_predicted",
    PLANS,
    (
        "            coming = sum(each",
        "            if not length:\n                continue\n            coming = sum(each",
    ),
)
mutant(
    "changes_what_it_sees", PLANS, ("seen.waiting.get(request.image, 0)", "seen.waiting.setdefault(request.image, 0)")
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
# No worker is switched on for a waiting request.
mutant(
    "staying_not_in_the_target",
    [PLANS, FILLS],
    ("        wanted, on = scale(seen.on, self._workers.used, seen.registered)\n", ""),
    (
        "            self._workers.remove(request.engine)\n        self._requests",
        "            self._workers.remove(request.engine)\n"
        "        wanted, on = scale(seen.on, self._workers.used, seen.registered)\n        self._requests",
    ),
)
# Costs little in a few seconds, and much in a day.
mutant(
    "switches_off_20_s_late",
    FILLS,
    ("        self._request_count = 0\n", "        self._request_count, self._used = 0, [0] * 20\n"),
    (
        "        wanted, on = scale(seen.on, self._workers.used, seen.registered)\n",
        "        self._used.append(self._workers.used)\n"
        "        wanted, on = scale(seen.on, max(self._used[-1], self._used.pop(0)), seen.registered)\n",
    ),
)
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
