"""Wrong versions of `words` and `count_words`, each with the checks that must catch it."""

import re
import unicodedata
from operator import add

from autograder.checks.mutant_markers import mutant, reference

RUNS = "words_are_runs_of_letters_and_digits"
EMPTY = "no_word_is_empty"
APOSTROPHES = "an_apostrophe_inside_a_word_belongs_to_it"
CASE = "upper_and_lower_case_give_the_same_word"
LANGUAGES = "letters_of_every_language_belong_to_words"
ORDER = "words_keep_their_order_and_repeats"
OCCURRENCES = "every_occurrence_is_counted"
PARTITIONS = "partitions_do_not_change_the_counts"
NO_JOB = "calling_it_starts_no_job"
SPLIT = "it_calls_your_words"
FASTER = "counting_is_faster_than_the_slides_pipeline"

reference("words")

mutant("apostrophes_at_edges_kept", APOSTROPHES, (r"[^\W_]+(?:'[^\W_]+)*", r"(?:[^\W_]|')+"))
mutant("apostrophes_lost", APOSTROPHES, (r"(?:'[^\W_]+)*", ""))
mutant("apostrophes_between_letters_only", APOSTROPHES, (r"'[^\W_]+", r"(?<!\d)'[^\W_]+"))
mutant("apostrophes_before_letters_only", APOSTROPHES, (r"'[^\W_]+", r"'[^\W\d_]+"))
mutant("typographic_apostrophes", APOSTROPHES, ("(?:'", "(?:['\u2019]"))
mutant(
    "split_at_underscores_last",
    APOSTROPHES,
    (r"[^\W_]+(?:'[^\W_]+)*", r"\w+(?:'\w+)*"),
    ("for word in", "for run in"),
    ("line)]", 'line) for word in run.split("_") if word]'),
)
mutant("ascii_only", [LANGUAGES, CASE], (r"[^\W_]+(?:'[^\W_]+)*", "[A-Za-z0-9]+(?:'[A-Za-z0-9]+)*"))
mutant("case_kept", CASE, ("word.casefold()", "word"))
mutant("lower_in_place_of_casefold", CASE, ("casefold", "lower"))
mutant("case_folded_first", CASE, ("word.casefold()", "word"), (", line)", ", line.casefold())"))
mutant("digits_lost", [RUNS, APOSTROPHES, LANGUAGES], (r"[^\W_]+(?:'[^\W_]+)*", r"[^\W\d_]+(?:'[^\W\d_]+)*"))
mutant("underscore_kept", [RUNS, APOSTROPHES], (r"[^\W_]+(?:'[^\W_]+)*", r"\w+(?:'\w+)*"))
mutant("accents_composed_first", RUNS, (", line)", ', unicodedata.normalize("NFC", line))'))
mutant("each_word_once", ORDER, ("[word", "list(dict.fromkeys(word"), ("line)]", "line)))"))
mutant("sorted", ORDER, ("[word", "sorted(word"), ("line)]", "line))"))
mutant(
    "split_at_single_spaces",
    [RUNS, EMPTY, APOSTROPHES],
    (r"""re.findall(r"[^\W_]+(?:'[^\W_]+)*", line)""", 'line.split(" ")'),
)


@mutant("accents_taken_off", [RUNS, LANGUAGES, CASE])
def words(line):
    bare = "".join(c for c in unicodedata.normalize("NFD", line) if not unicodedata.combining(c))
    return [word.casefold() for word in re.findall(r"[^\W_]+(?:'[^\W_]+)*", unicodedata.normalize("NFC", bare))]


# Replaces all characters but letters and digits by spaces, and keeps the empty words between two spaces.
@mutant("empty_words_kept", [RUNS, EMPTY, APOSTROPHES])
def words(line):
    spaced = re.sub(r"(?<![^\W_])'|'(?![^\W_])|[^\w']|_", " ", line)
    return [word.casefold() for word in spaced.split(" ")]


reference("count_words")

mutant(
    "collects_lines",
    [NO_JOB, FASTER],
    (
        "lines.mapPartitions(partial_counts).reduceByKey(add)",
        "lines.context.parallelize(list(partial_counts(lines.collect())), 2)",
    ),
)
mutant("counts_lines", [OCCURRENCES, FASTER], ("map(words, partition)", "map(set, map(words, partition))"))
mutant("partitions_not_merged", [PARTITIONS, FASTER], (".reduceByKey(add)", ""))
mutant("splits_by_itself", SPLIT, ("map(words, partition)", "map(str.split, partition)"))


@mutant("slides_pipeline", FASTER)
def count_words(lines):
    return lines.flatMap(words).map(lambda word: (word, 1)).reduceByKey(lambda one, more: one + more)


# Sends every single occurrence through the shuffle and counts afterwards.
@mutant("group_by_key", FASTER)
def count_words(lines):
    return lines.flatMap(words).map(lambda word: (word, 1)).groupByKey().mapValues(sum)
