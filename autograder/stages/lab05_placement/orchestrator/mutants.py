"""Wrong versions of `placement_changes` and `Orchestrator`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

BESIDE = "each_query_is_healed_beside_the_others"
CHANGED = "only_what_changes_is_returned"
STEPS = "every_step_gives_the_placements_of_the_rule"
DEATHS = "the_next_leader_finishes_what_a_dead_one_began"
TERMS = "one_leads_at_a_time_and_terms_rise"
FENCED = "an_old_leader_cannot_write"
AGAIN = "an_old_leader_learns_it_and_can_be_elected_again"
UNCHANGED = "where_nothing_changed_nothing_is_written"
KILLED = "killed_processes_leave_nothing_undone_and_nothing_twice"

reference("placement_changes")

mutant("undeployed_not_returned", CHANGED, ("= dict.fromkeys(\n        placed.keys() - queries.keys()\n    )", "= {}"))
mutant(
    "undeployed_are_busy",
    BESIDE,
    ("for query, each in placed.items() if query in queries}", "for query, each in placed.items()}"),
)
mutant("others_do_not_count", BESIDE, ("if other != query\n", "if False\n"))
mutant("own_count_twice", BESIDE, ("            if other != query\n", ""))
mutant("as_deployed", BESIDE, ("in sorted(queries)", "in queries"))
mutant(
    "fewer_instances_are_no_change",
    [CHANGED, BESIDE],
    (
        "if healed != now.get(query, {}):",
        "if not healed.items() <= now.get(query, {}).items() or now.get(query) and not healed:",
    ),
)
mutant(
    "without_instances_is_not_deployed",
    CHANGED,
    ("placed.keys() - queries.keys()", "{query for query in placed if not queries.get(query)}"),
)
mutant("none_placed_is_placed", CHANGED, ("if healed != now.get(query, {}):", "if healed != now.get(query):"))

reference("Orchestrator")

mutant(
    "undeployed_stays",
    [STEPS, DEATHS],
    ('                self._write("delete", query)\n', "                continue\n"),
)
mutant("not_elected", [TERMS, AGAIN], ("elected = self.election.acquire(timeout=timeout_s)", "elected = True"))
mutant(
    "the_term_is_the_version", STEPS, ("self.epoch = int(data) + 1\n", "self.epoch = self._version = int(data) + 1\n")
)
mutant("epoch_set_in_any_case", TERMS, ("str(int(data) + 1).encode(), stat.version", "str(int(data) + 1).encode()"))
mutant(
    "answers_of_commit_ignored",
    [FENCED, AGAIN],
    ("if any(isinstance(result, Exception) for result in change.commit()):", "if not change.commit():"),
)
mutant(
    "writes_in_any_case",
    [STEPS, AGAIN, UNCHANGED],
    (
        "        for query, chosen in sorted(changes.items()):",
        "        changes = {query: placed.get(query) for query in queries} | changes\n"
        "        for query, chosen in sorted(changes.items()):\n"
        "            if chosen is None and query not in placed:\n"
        "                continue",
    ),
)
mutant(
    "placements_go_with_their_leader",
    [DEATHS, AGAIN, KILLED],
    (
        "        getattr(change, operation)(",
        '        more = {"ephemeral": True} if operation == "create" else {}\n        getattr(change, operation)(',
    ),
    ('self.registry.path("placements", query), *data)', 'self.registry.path("placements", query), *data, **more)'),
)
