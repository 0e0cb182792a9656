"""Wrong versions of `InstanceManager`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

RUNS = "a_manager_runs_exactly_what_placements_name"
ORDER = "it_claims_before_it_starts_and_stops_before_it_releases"
TWICE = "no_instance_runs_twice"
KILLED = "instances_of_a_killed_manager_start_elsewhere_after_its_session"
EXPIRED = "a_manager_whose_session_ended_stops_its_instances_first"
LOST = "a_claim_whose_answer_was_lost_still_counts"
PINNED = "started_processes_are_pinned_to_the_cores_of_the_node"
COUNTED = "instances_of_your_lab_4_count_once_wherever_they_run"

reference("InstanceManager")

mutant(
    "one_core_for_all",
    PINNED,
    ("self.pin(self.start(instance), self.cores)", "self.pin(self.start(instance), [min(self.cores)])"),
)

# The last query replaces those before it.
mutant("one_query_only", RUNS, ("for each in placements\n", "for each in list(placements)[-1:]\n"))
# The old process goes on beside the new one.
mutant("forgets_to_stop", [RUNS, ORDER, TWICE, EXPIRED, PINNED, COUNTED], ("                self.stop(instance)\n", ""))
# A claim left over from an error stays forever.
mutant(
    "releases_only_what_it_stops",
    RUNS,
    (
        "        for instance in sorted(self.running):",
        "        before = sorted(self.running)\n        for instance in before:",
    ),
    ('for instance in self.registry.names("claims"):', "for instance in before:"),
)
mutant(
    "starts_before_it_claims",
    [ORDER, LOST],
    (
        "            with suppress(NodeExistsError):",
        '            if not self.zk.exists(self.registry.path("claims", instance)):\n'
        "                self.pin(self.start(instance), self.cores)\n"
        "            with suppress(NodeExistsError):",
    ),
    (
        "                self.pin(self.start(instance), self.cores)\n                self.running",
        "                self.running",
    ),
)
mutant(
    "no_claims",
    [RUNS, ORDER, TWICE, KILLED, EXPIRED, LOST, COUNTED],
    ('or not self.owns(\n                self.registry.path("claims", instance)\n            )', ""),
    (
        "            with suppress(NodeExistsError):\n"
        '                self.zk.create(self.registry.path("claims", instance), ephemeral=True)\n'
        '            if self.owns(self.registry.path("claims", instance)):\n',
        "            if True:\n",
    ),
)
mutant(
    "claims_outlive_their_manager",
    [ORDER, TWICE, KILLED, EXPIRED, LOST, COUNTED],
    ("instance), ephemeral=True)", "instance), self.me.encode())"),
    (
        "    def step(self)",
        "    def owns(self, path):\n"
        "        return self.zk.exists(path) is not None and self.zk.get(path)[0] == self.me.encode()\n\n"
        "    def step(self)",
    ),
)
mutant(
    "taken_for_anothers",
    LOST,
    (
        "            with suppress(NodeExistsError):\n"
        '                self.zk.create(self.registry.path("claims", instance), ephemeral=True)\n',
        "            try:\n"
        '                self.zk.create(self.registry.path("claims", instance), ephemeral=True)\n'
        "            except NodeExistsError:\n"
        "                continue\n",
    ),
)
