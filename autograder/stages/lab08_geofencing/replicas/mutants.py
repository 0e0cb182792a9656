"""Wrong versions of `Replica` and `ask`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

REJECTS = "it_rejects_questions_until_it_has_caught_up"
OFFSETS = "an_answer_reports_its_offsets_and_honours_at_least"
GAPS = "gaps_in_offsets_do_not_delay_it"
KILLED = "a_killed_replica_loses_no_update_and_gives_no_wrong_answer"
FIRST = "the_first_answer_is_enough_even_if_it_is_empty"
LAGGING = "a_dead_or_lagging_replica_costs_no_answer"
INVALID = "an_invalid_question_is_not_retried"
UNAVAILABLE = "unavailable_gives_the_reasons_and_never_an_empty_answer"

reference("Replica")

# As in FenceX: reports healthy while it restores.
mutant(
    "always_ready",
    [REJECTS, KILLED],
    ("for required in (self._goal, at_least or {}):", "for required in (at_least or {},):"),
)
mutant(
    "goal_moves_with_the_log",
    REJECTS,
    ("for required in (self._goal, at_least or {}):", "for required in (self._feed.ends(), at_least or {}):"),
)
mutant(
    "at_least_ignored",
    [OFFSETS, KILLED],
    ("for required in (self._goal, at_least or {}):", "for required in (self._goal,):"),
)
mutant(
    "a_demand_replaces_the_goal",
    REJECTS,
    ("for required in (self._goal, at_least or {}):", "for required in (at_least or self._goal,):"),
)
mutant(
    "counts_what_the_index_takes",
    [REJECTS, OFFSETS, GAPS],
    (
        "        for position in positions:\n            self._index.put(position)\n        return len(positions)",
        "        return sum(bool(self._index.put(position)) for position in positions)",
    ),
)

reference("ask")

mutant(
    "empty_answers_skipped",
    [FIRST, LAGGING],
    (
        "                return replicas[number].within(polygons, since_ms, at_least)\n",
        "                answer = replicas[number].within(polygons, since_ms, at_least)\n"
        "                if answer.movers:\n                    return answer\n"
        "                reasons[number] = 'nobody'\n",
    ),
)
mutant(
    "no_second_try",
    [LAGGING, UNAVAILABLE, INVALID],
    ("    for round_number in range(rounds):", "    for round_number in range(1):"),
)
mutant("only_connections_die", LAGGING, ("(OSError, NotCaughtUp)", "(ConnectionError, TimeoutError, NotCaughtUp)"))
mutant(
    "one_reason_of_each_kind",
    UNAVAILABLE,
    ("reasons[number] = f", "reasons[type(problem).__name__] = f"),
    ("reasons: dict[int, str]", "reasons: dict[str, str]"),
)
# As in FenceX: an error is answered with an empty list.
mutant(
    "empty_answer_for_none",
    UNAVAILABLE,
    (
        '    raise Unavailable(f"no answer in {rounds} rounds; " + "; ".join(reasons[number] for number in sorted(reasons)))',
        "    return Answer([], {})",
    ),
)
