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

mutant("apostrophes_before_letters_only", APOSTROPHES, (r"'[^\W_]+", r"'[^\W\d_]+"))
mutant("typographic_apostrophes", APOSTROPHES, ("(?:'", "(?:['\u2019]"))
mutant("lower_in_place_of_casefold", CASE, ("casefold", "lower"))
mutant("digits_lost", [RUNS, APOSTROPHES, LANGUAGES], (r"[^\W_]+(?:'[^\W_]+)*", r"[^\W\d_]+(?:'[^\W\d_]+)*"))
mutant("underscore_kept", [RUNS, APOSTROPHES], (r"[^\W_]+(?:'[^\W_]+)*", r"\w+(?:'\w+)*"))
mutant("each_word_once", ORDER, ("[word", "list(dict.fromkeys(word"), ("line)]", "line)))"))
mutant("sorted", ORDER, ("[word", "sorted(word"), ("line)]", "line))"))


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
