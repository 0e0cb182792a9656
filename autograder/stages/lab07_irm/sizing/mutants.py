"""Wrong versions of `Profiler` and `Predictor`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

MEAN = "a_profile_is_the_mean_over_engines_of_the_last_ticks"
FOLLOWS = "a_profile_follows_a_change_within_its_window"
LIMITS = "unknown_images_have_the_default_size_and_limits_hold"
LAB_2 = "your_lab_2_sums_slide_under_the_profile"
RULES = "each_rule_holds_at_its_boundary"
PAUSE = "a_pause_is_per_image_and_ends_on_time"
COMING = "no_more_engines_are_requested_than_messages_wait"
RATE = "the_rate_is_per_second_since_the_last_call"

reference("Profiler")

# As in the original, over at most 10,000 ticks.
mutant(
    "cumulative_mean",
    [MEAN, FOLLOWS, LIMITS, LAB_2],
    ("self._ticks[image] > self._window", "self._ticks[image] > 10_000"),
)
# As in the original: the minimum is fed back.
mutant(
    "limits_are_remembered",
    [MEAN, FOLLOWS, LIMITS, LAB_2],
    (
        ".add(sum(cpu for _, cpu in loads))",
        ".add(engines * max(self._least, min(self._most, sum(cpu for _, cpu in loads) // engines)))",
    ),
)
mutant(
    "no_cpu_is_no_profile",
    LIMITS,
    ("if image not in self._engines:", "if not self._cpu or not self._cpu[image].result():"),
)
mutant("empty_ticks_count", MEAN, ("if engines == 0:", "if engines == 0 and image not in self._engines:"))

reference("Predictor")

mutant(
    "one_pause_for_all",
    [RULES, PAUSE, COMING, RATE],
    ("self._requested_s.get(image, -math.inf)", 'self._requested_s.get("", -math.inf)'),
    ("self._requested_s[image] = now_s", 'self._requested_s[""] = now_s'),
)
# As in the original.
mutant("pause_too_long", [PAUSE, RULES, COMING], ("-math.inf) < self._rules", "-math.inf) <= self._rules"))
# As in the original: requests under way are requested again.
mutant("coming_is_ignored", [RULES, COMING], ("length - coming)", "length)"))
mutant("empty_request_starts_a_pause", [RULES, COMING], ("if amount > 0:", "if self._matching(length, rate) > 0:"))
# As in the original.
mutant(
    "rate_is_cut",
    RATE,
    ("rate = (length - before) / (now_s - before_s)", "rate = int((length - before) / (now_s - before_s))"),
)
mutant("first_call_is_a_rise", [RULES, RATE], ("(now_s - 1, length)", "(now_s - 1, 0)"))
survivor("Profiler", "if engines == 0:", "if engines <= 0:", reason="equivalent: a number of engines is 0 or more")
survivor(
    "Predictor",
    "before_s, before = self._last.get(image, (now_s - 1, length))",
    "before_s, before = self._last.get(image, (now_s - 2, length))",
    reason="equivalent: without a change of length the rate is 0 over any time",
)
survivor(
    "Predictor",
    "return rules.few if rate > rules.rises_slowly or is_long else 0",
    "return rules.few if rate > rules.rises_slowly or is_long else -1",
    reason="equivalent: what is below 0 is raised to 0",
)
survivor("Predictor", "if amount > 0:", "if amount != 0:", reason="equivalent: the amount is 0 or more")
