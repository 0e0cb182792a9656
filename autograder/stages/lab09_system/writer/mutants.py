"""Wrong versions of `AlertWriter`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

AGAIN = "a_batch_again_is_not_written_again"
DEATH = "a_death_leaves_no_part_of_a_batch"
LOST = "a_lost_answer_loses_and_doubles_nothing"
ZOMBIE = "a_zombie_writes_nothing_more"
DOWN = "a_log_that_stays_down_raises"
KAFKA = "kafkas_transactions_agree"

reference("AlertWriter")

# Knows only what this object wrote, so a batch of the writer before comes twice.
mutant(
    "remembers_in_memory_only",
    [AGAIN, DEATH, KAFKA],
    ("        self._begin()\n\n", "        self._begin()\n        self.last = -1\n\n"),
)
# The log had the batch before this call.
mutant(
    "a_later_call_takes_it_for_its_own",
    LOST,
    (
        "if self._in_doubt:\n                self._begin()\n",
        "is_own = self._in_doubt\n            if is_own:\n                self._begin()\n",
    ),
    ("return attempt > 0", "return is_own"),
)
mutant("numbers_have_no_gaps", AGAIN, ("self.last = number", "self.last += 1"))
# A commit whose answer is lost may have happened.
mutant("a_lost_answer_is_taken_for_a_failure", LOST, ("return attempt > 0", "return False"))
mutant(
    "each_row_is_a_transaction",
    [AGAIN, DEATH, LOST, ZOMBIE, KAFKA],
    ("self._log.append(row)\n", "self._log.append(row)\n                    self._log.commit(self.last)\n"),
)
mutant(
    "one_attempt_more",
    [LOST, DOWN],
    ("range(self._tries):\n            if self._in", "range(self._tries + 1):\n            if self._in"),
    (
        "                if attempt == self._tries - 1:\n                    raise\n        raise Assert",
        "                if attempt == self._tries:\n                    raise\n        raise Assert",
    ),
)
mutant(
    "begins_for_each_batch",
    DOWN,
    (
        "        for attempt in range(self._tries):\n            if self._in",
        "        self._begin()\n        for attempt in range(self._tries):\n            if self._in",
    ),
)

# No other value is possible there.
survivor(
    "AlertWriter",
    "if attempt == self._tries - 1:",
    "if attempt >= self._tries - 1:",
    reason="equivalent: the attempts end with tries - 1",
)
survivor("AlertWriter", "return attempt > 0", "return attempt != 0", reason="equivalent: attempts are not negative")
