"""Wrong versions of `hibench`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

PASSED_ON = "identity_and_repartition_return_each_row_unchanged"
UNKNOWN = "an_unknown_workload_raises_value_error"
WORDS = "each_word_comes_with_its_running_count"
WINDOWS = "windows_of_30_s_have_count_first_and_last"

reference("hibench")

# As in HiBench, the map returns only the text of the record.
mutant("a_field_is_selected", PASSED_ON, ("Map(dict)", 'Map(lambda row: {"ip": row["ip"]})'))
# The paper counts words with a window of rows: the count is 10 in each result.
mutant(
    "words_in_windows_of_rows",
    WORDS,
    ('Numbered(["word"], "count")', 'Aggregate(["word"], SizeWindow(10, 10), {"count": ("COUNT", "word")})'),
)
# As in the paper's listing: the start of a window is the last time.
mutant("first_is_the_last", WINDOWS, ("FIRST_VAL", "LAST_VAL"))
mutant(
    "stamped_once_for_each_time",
    WINDOWS,
    (
        'lambda row: {**row, "emitted": now_ms()}',
        'lambda row, seen={}: {**row, "emitted": seen.setdefault(row["t"], now_ms())}',
    ),
)
mutant("not_before_its_end", WINDOWS, ('"emitted": now_ms()', '"emitted": max(now_ms(), row["t"])'))
mutant(
    "anything_else_is_identity",
    UNKNOWN,
    ('case "identity" | "repartition":', 'case _ if workload not in ("wordcount", "fixwindow"):'),
)
