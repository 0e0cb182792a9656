"""Wrong versions of `Supervisor`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

LEASE = "a_lease_that_ends_is_a_death"
RESTARTS = "restarts_back_off_and_forget"
ZOMBIE = "a_zombie_changes_nothing"
LOOP = "a_crash_loop_is_given_up_once"
EPOCHS = "epochs_rise"

reference("Supervisor")

mutant(
    "no_kill",
    [LEASE, RESTARTS, ZOMBIE, LOOP, EPOCHS],
    ('                orders.append(Order("kill", name, life.epoch))\n', ""),
)
mutant("a_beat_renews_nothing", LEASE, ("        self._lives[program].due_ms = now_ms + self._rules.lease_ms\n", ""))
mutant(
    "no_start_after_a_kill_in_a_tick",
    RESTARTS,
    (
        "            if not life.runs and not life.given_up and now_ms",
        '            if not (orders and orders[-1].what == "kill") and not life.runs and not life.given_up and now_ms',
    ),
)
mutant("a_killed_run_ends_with_its_lease", RESTARTS, ("was_stable = now_ms", "was_stable = min(now_ms, life.due_ms)"))
mutant(
    "a_zombie_renews_the_lease",
    ZOMBIE,
    ("        if not self._is_running(program, epoch):\n", "        if not self._lives[program].runs:\n"),
)
mutant(
    "the_same_epoch",
    [ZOMBIE, EPOCHS],
    ("life.epoch, life.runs = life.epoch + 1, True", "life.epoch, life.runs = 1, True"),
)

survivor(
    "Supervisor",
    "if not life.runs and not life.given_up and life.failures >= tries:",
    "if not life.runs and not life.given_up and life.failures == tries:",
    reason="equivalent: failures rise by one, and each tick compares them",
)
survivor(
    "Supervisor",
    "life.begun_ms, life.due_ms = None, -math.inf",
    "life.begun_ms, life.due_ms = None, not math.inf",
    reason="equivalent: no time is negative",
)
