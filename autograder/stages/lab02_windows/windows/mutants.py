"""Wrong versions of `windowed_counts`, `running_counts`, each with the checks that must catch it."""

from operator import add, sub

from autograder.verify.marks import mutant, right

BATCH_NOTHING = "a_batch_with_nothing_changes_no_total"
KEY_FALLS = "a_key_that_falls_to_zero_has_no_row"
KEYS_STAY = "keys_that_stay_away_keep_their_totals"
LENGTHS_DO = "lengths_that_do_not_fit_the_batches_are_refused"
SUMS_THOSE = "sums_are_those_of_a_recount"
WINDOW_HOLDS = "the_window_holds_its_batches_and_no_other"
THERE_ANSWER = "there_is_one_answer_every_slide"
TOTALS_COVER = "totals_cover_all_batches_so_far"

# windowed_counts


@right
def windowed_counts(pairs, window_s, slide_s):
    batch_s = pairs._slideDuration
    for length_s in (window_s, slide_s):
        if length_s <= 0 or abs(length_s / batch_s - round(length_s / batch_s)) > 1e-6:
            raise ValueError(f"expected a positive multiple of {batch_s} s, got {length_s} s")
    return pairs.reduceByKeyAndWindow(add, sub, window_s + batch_s, slide_s, filterFunc=lambda pair: pair[1] != 0)


mutant(
    "accumulated",
    [WINDOW_HOLDS, SUMS_THOSE, THERE_ANSWER],
    (
        """    return pairs.reduceByKeyAndWindow(add, sub, window_s + batch_s, slide_s, filterFunc=lambda pair: pair[1] != 0)""",
        """    totals = pairs.updateStateByKey(lambda new, before: sum(new) + (before or 0))
    return totals.filter(lambda pair: pair[1])""",
    ),
)  # Gives the trend since the beginning in place of that in the interval.
mutant(
    "another_error",
    LENGTHS_DO,
    (
        """            raise ValueError(f"expected a positive multiple of {batch_s} s, got {length_s} s")
    return pairs.reduceByKeyAndWindow(add, sub, window_s + batch_s, slide_s, filterFunc=lambda pair: pair[1] != 0)""",
        """            raise RuntimeError(f"expected a positive multiple of {batch_s} s, got {length_s} s")
    return pairs.reduceByKeyAndWindow(add, sub, window_s, slide_s, filterFunc=lambda pair: pair[1] != 0)""",
    ),
)  # Rejects, but with an error that says nothing of a value.


# Closes the window at both ends: one batch too many.
@mutant("closed_at_both_ends", [WINDOW_HOLDS, SUMS_THOSE])
def windowed_counts(pairs, window_s, slide_s):
    batch_s = pairs._slideDuration
    for length_s in (window_s, slide_s):
        if length_s <= 0 or abs(length_s / batch_s - round(length_s / batch_s)) > 1e-6:
            raise ValueError(f"expected a positive multiple of {batch_s} s, got {length_s} s")
    return pairs.reduceByKeyAndWindow(add, sub, window_s + batch_s, slide_s, filterFunc=lambda pair: pair[1] != 0)


mutant(
    "counts_pairs",
    [WINDOW_HOLDS, SUMS_THOSE],
    (
        """    return pairs.reduceByKeyAndWindow(add, sub, window_s + batch_s, slide_s, filterFunc=lambda pair: pair[1] != 0)""",
        """    ones = pairs.mapValues(lambda value: 1)
    return ones.reduceByKeyAndWindow(add, sub, window_s, slide_s, filterFunc=lambda pair: pair[1] != 0)""",
    ),
)  # Counts pairs, whatever their values are.
mutant(
    "each_batch_alone",
    [WINDOW_HOLDS, SUMS_THOSE, THERE_ANSWER],
    (
        "reduceByKeyAndWindow(add, sub, window_s + batch_s, slide_s, filterFunc=lambda pair: pair[1] != 0",
        "reduceByKey(add).filter(lambda pair: pair[1]",
    ),
)  # Gives the sums of each batch, and there is no window.
mutant(
    "inverse_adds", [WINDOW_HOLDS, SUMS_THOSE], ("sub, window_s + batch_s", "add, window_s")
)  # Adds what leaves once more.
mutant(
    "open_at_both_ends",
    [WINDOW_HOLDS, SUMS_THOSE],
    (
        """    return pairs.reduceByKeyAndWindow(add, sub, window_s + batch_s, slide_s, filterFunc=lambda pair: pair[1] != 0)""",
        """    shorter_s = max(batch_s, round(window_s - batch_s, 3))
    return pairs.reduceByKeyAndWindow(add, sub, shorter_s, slide_s, filterFunc=lambda pair: pair[1] != 0)""",
    ),
)  # Opens the window at both ends: one batch too few.


# Leaves it to Spark to reject, which takes a window or slide of zero or less.
@mutant("refusal_left_to_spark", LENGTHS_DO)
def windowed_counts(pairs, window_s, slide_s):
    return pairs.reduceByKeyAndWindow(add, sub, window_s, slide_s, filterFunc=lambda pair: pair[1] != 0)


mutant(
    "remainder_of_floats",
    [WINDOW_HOLDS, SUMS_THOSE, KEY_FALLS, THERE_ANSWER, LENGTHS_DO],
    ("abs(length_s / batch_s - round(length_s / batch_s)) > 1e-6", "length_s % batch_s"),
    ("window_s + batch_s", "window_s"),
)  # Asks for the remainder of two floats, which is hardly ever zero: 0.3 % 0.1 is 0.09999999999999998.


# Rounds lengths to whole batches in silence.
@mutant("rounded_to_batches", LENGTHS_DO)
def windowed_counts(pairs, window_s, slide_s):
    batch_s = pairs._slideDuration
    window_s, slide_s = (max(1, round(length_s / batch_s)) * batch_s for length_s in (window_s, slide_s))
    return pairs.reduceByKeyAndWindow(add, sub, window_s, slide_s, filterFunc=lambda pair: pair[1] != 0)


mutant(
    "slide_ignored", THERE_ANSWER, ("window_s + batch_s, slide_s", "window_s, batch_s")
)  # Answers after every batch.
mutant(
    "slides_by_a_window",
    [WINDOW_HOLDS, SUMS_THOSE, KEY_FALLS, THERE_ANSWER],
    ("window_s + batch_s, slide_s", "window_s, window_s"),
)  # Takes the window for the slide: windows that follow one another.
mutant(
    "sums_not_merged",
    SUMS_THOSE,
    (
        "reduceByKeyAndWindow(add, sub, window_s + batch_s, slide_s, filterFunc=lambda pair: pair[1] != 0",
        "reduceByKey(add).window(window_s, slide_s).filter(lambda pair: pair[1]",
    ),
)  # Gives the sums of each batch of the window, several for one key.


# Leaves out keys with an apostrophe, which lab 1 takes for words.
@mutant("words_of_letters_only", "words_of_your_own_lab_1_are_counted_in_windows")
def windowed_counts(pairs, window_s, slide_s):
    window, slide = whole_batches(pairs, window_s, slide_s)
    plain = pairs.filter(lambda pair: "'" not in pair[0])
    return plain.reduceByKeyAndWindow(add, sub, window, slide).filter(lambda pair: pair[1] != 0)


mutant(
    "zeros_stay", KEY_FALLS, ("window_s + batch_s, slide_s, filterFunc=lambda pair: pair[1] != 0", "window_s, slide_s")
)  # The inverse leaves zeros behind.
# running_counts


@right
def running_counts(pairs):
    return pairs.updateStateByKey(lambda new, total: reduce(add, new, total or 0))


mutant(
    "counts_pairs", [TOTALS_COVER, KEYS_STAY, BATCH_NOTHING], ("reduce(add, new, total", "len(new) + (total")
)  # Counts pairs, whatever their values are.
mutant(
    "interval",
    [TOTALS_COVER, KEYS_STAY, BATCH_NOTHING],
    ("updateStateByKey(lambda new, total: reduce(add, new, total or 0)", "reduceByKey(add"),
)  # Gives the trend of the interval in place of that since the beginning.
mutant(
    "last_value",
    [TOTALS_COVER, KEYS_STAY, BATCH_NOTHING],
    ("reduce(add, new, total or 0)", "new[-1] if new else total"),
)  # Keeps the last value of a key.
mutant(
    "long_window",
    [TOTALS_COVER, KEYS_STAY, BATCH_NOTHING],
    (
        "updateStateByKey(lambda new, total: reduce(add, new, total or 0)",
        "window(2 * pairs._slideDuration).reduceByKey(lambda one, more: one + more",
    ),
)  # Takes a window of two batches for all of them.


# Says nothing after a batch with nothing.
@mutant("nothing_after_nothing", BATCH_NOTHING)
def running_counts(pairs):
    totals = pairs.updateStateByKey(lambda new, total: sum(new) + (total or 0))
    return totals.transformWith(lambda all, batch: all.filter(lambda _: False) if batch.isEmpty() else all, pairs)


mutant(
    "silent_keys_dropped",
    [TOTALS_COVER, KEYS_STAY, BATCH_NOTHING],
    ("reduce(add, new, total or 0)", "sum(new) + (total or 0) if new else None"),
)  # Drops the state of a key that has nothing new.


# Keeps the state of silent keys, and does not show it.
@mutant("silent_keys_hidden", [KEYS_STAY, BATCH_NOTHING])
def running_counts(pairs):
    def update(new, state):
        return sum(new) + (state[0] if state else 0), bool(new)

    state = pairs.updateStateByKey(update)
    return state.filter(lambda pair: pair[1][1]).mapValues(lambda value: value[0])


# Starts again when a key comes back.
@mutant("starts_again", TOTALS_COVER)
def running_counts(pairs):
    def update(new, state):
        total, was_silent = state or (0, False)
        if new and was_silent:
            total = 0
        return total + sum(new), not new

    return pairs.updateStateByKey(update).mapValues(lambda state: state[0])
