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
CHECKED = '        change.check(self.registry.path("epoch"), self._version)\n'
LEADS = "if self.epoch is None or self.zk.exists"

reference("placement_changes")

mutant("undeployed_not_returned", CHANGED, ("= dict.fromkeys(\n        placed.keys() - queries.keys()\n    )", "= {}"))
mutant(
    "undeployed_are_busy",
    BESIDE,
    ("for query, each in placed.items() if query in queries}", "for query, each in placed.items()}"),
)
mutant("others_do_not_count", BESIDE, ("if other != query\n", "if False\n"))
mutant("own_count_twice", BESIDE, ("            if other != query\n", ""))
mutant("busy_as_stored", BESIDE, ("for other, each in now.items()\n", "for other, each in placed.items()\n"))
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
mutant("everything", CHANGED, ("if healed != now.get(query, {}):", "if True:"))
mutant("none_placed_is_placed", CHANGED, ("if healed != now.get(query, {}):", "if healed != now.get(query):"))

reference("Orchestrator")

mutant(
    "undeployed_stays",
    [STEPS, DEATHS],
    ('                self._write("delete", query)\n', "                continue\n"),
)
mutant(
    "deletes_then_creates",
    [DEATHS, KILLED],
    (
        '                self._write("set_data" if query in placed else "create", query, data)\n',
        "                if query in placed:\n"
        '                    self._write("delete", query)\n'
        "                    __import__('time').sleep(0.5)\n"  # else managers see it now and then
        '                self._write("create", query, data)\n',
    ),
)
mutant(
    "all_anew_after_a_take_over",
    [DEATHS, AGAIN],
    ("        self.epoch = int(data) + 1\n", "        self.epoch = int(data) + 1\n        self.fresh = True\n"),
    (
        "changes = placement_changes(queries, placed,",
        "changes = placement_changes(queries, {} if self.fresh else placed,",
    ),
    ("        return len(changes)\n", "        self.fresh = False\n        return len(changes)\n"),
)
mutant("not_elected", [TERMS, AGAIN], ("elected = self.election.acquire(timeout=timeout_s)", "elected = True"))
mutant(
    "term_stays",
    [TERMS, AGAIN],
    ("str(int(data) + 1)", "str(int(data))"),
    ("self.epoch = int(data) + 1", "self.epoch = int(data)"),
)
mutant(
    "not_fenced",
    [FENCED, AGAIN],
    (CHECKED, ""),
    (LEADS, "if self.epoch is None or not self.zk.exists"),
    ("(path).version != self._version", "(path)"),
)
mutant(
    "looks_then_writes",
    [FENCED, AGAIN],
    (
        CHECKED,
        '        if self.zk.exists(self.registry.path("epoch")).version != self._version:\n'
        '            raise NotLeader("another candidate leads")\n',
    ),
)
mutant(
    "term_of_the_last_moment",
    FENCED,
    (
        CHECKED,
        '        path = self.registry.path("epoch")\n        change.check(path, self.zk.exists(path).version)\n',
    ),
)
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
    "old_place_in_the_queue_kept",
    AGAIN,
    ("        self.election.release()", "        timeout_s = 0.5 if self.election.is_acquired else timeout_s"),
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
