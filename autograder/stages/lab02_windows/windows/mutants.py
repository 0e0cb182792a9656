"""Wrong versions of `windowed_counts` and `running_counts`, each with the checks that must catch it."""

from operator import add, sub

from autograder.checks.mutant_markers import mutant, reference, right, survivor

KEYS = "a_window_holds_exactly_its_batches"
SUMS = "sums_equal_a_recount_of_the_window"
ZEROS = "a_key_whose_sum_is_zero_has_no_row"
SLIDES = "each_slide_gives_one_answer"
LENGTHS = "windows_and_slides_must_be_multiples_of_the_batch"
READS = "a_slide_reads_what_enters_and_leaves"
LAB_1 = "windows_count_the_words_of_your_lab_1"
TOTALS = "totals_cover_all_batches_so_far"
SILENT = "keys_without_new_values_keep_their_totals"
NOTHING = "an_empty_batch_changes_no_total"


# windowed_counts


@right
def windowed_counts(pairs, window_s, slide_s):
    batch_ms, window_ms, slide_ms = (round(each_s * 1000) for each_s in (pairs._slideDuration, window_s, slide_s))
    if window_ms <= 0 or slide_ms <= 0 or window_ms % batch_ms or slide_ms % batch_ms:
        raise ValueError(f"expected multiples of {batch_ms} ms, got window {window_s} s and slide {slide_s} s")
    sums = pairs.reduceByKeyAndWindow(add, sub, window_ms / 1000, slide_ms / 1000)
    return sums.filter(lambda pair: pair[1] != 0)


# filterFunc deletes a key for good, but when one of +1 and -1 has left, the key has a sum again.
mutant(
    "forgets_what_adds_up_to_zero",
    [KEYS, SUMS],
    ("slide_ms / 1000)", "slide_ms / 1000, filterFunc=lambda pair: pair[1])"),
)
mutant("slide_ignored", SLIDES, ("slide_ms / 1000", "batch_ms / 1000"))
# Spark accepts a window or slide of zero or less.
mutant("rejection_left_to_spark", LENGTHS, ("raise ValueError(", "str("))
# 0.3 % 0.1 is 0.09999999999999998.
mutant(
    "remainder_of_floats",
    [KEYS, SUMS, ZEROS, SLIDES, READS, LENGTHS],
    ("or window_ms % batch_ms", "or window_s % (batch_ms / 1000)"),
)
mutant("words_of_letters_only", LAB_1, ("pair[1] != 0", 'pair[1] != 0 and "\'" not in pair[0]'))


survivor(
    "windowed_counts",
    "sums = pairs.mapValues(lambda count: (count, 1)).reduceByKeyAndWindow(",
    "sums = pairs.mapValues(lambda count: (count, 2)).reduceByKeyAndWindow(",
    reason="equivalent: twice the number of pairs is zero when the number is",
)
survivor(
    "windowed_counts",
    "enter, leave, window, slide, filterFunc=lambda entry: entry[1][1] > 0",
    "enter, leave, window, slide, filterFunc=lambda entry: entry[1][1] != 0",
    reason="equivalent: there is no negative number of pairs",
)
survivor(
    "windowed_counts",
    "enter, leave, window, slide, filterFunc=lambda entry: entry[1][1] > 0",
    "enter, leave, window, slide, filterFunc=lambda entry: entry[1][1] >= 0",
    reason="equivalent: a key that is never forgotten costs memory, and its sum of zero has no row",
)
survivor(
    "windowed_counts",
    "enter, leave, window, slide, filterFunc=lambda entry: entry[1][1] > 0",
    "enter, leave, window, slide, filterFunc=lambda entry: entry[1][1] > -1",
    reason="equivalent: a key that is never forgotten costs memory, and its sum of zero has no row",
)

# running_counts


reference("running_counts")

# A state that becomes None is dropped.
mutant("drops_a_total_of_zero", [TOTALS, SILENT, NOTHING], ("total or 0)", "total or 0) or None"))
