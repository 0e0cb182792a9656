"""Wrong versions of `words`, `count_words`, each with the checks that must catch it."""

import re
import unicodedata
from collections import Counter
from operator import add

from autograder.verify.marks import mutant, right

APOSTROPHE_BELONGS = "an_apostrophe_belongs_to_the_word_it_is_inside"
CALLING_STARTS = "calling_it_starts_no_job"
COUNTING_FASTER = "counting_is_faster_than_the_slides_pipeline"
LETTERS_LANGUAGE = "letters_of_every_language_belong_to_words"
WORD_EMPTY = "no_word_is_empty"
PARTITIONS_DO = "partitions_do_not_change_the_counts"
UPPER_LOWER = "upper_and_lower_case_are_one_word"
WORDS_RUNS = "words_are_runs_of_letters_and_digits"
WORDS_KEEP = "words_keep_their_order_and_repeats"

# words


@right
def words(line):
    return [word.casefold() for word in re.findall(r"(?:[^\W_]|')+", line)]


# Takes the accents off: café becomes cafe.
@mutant("accents_taken_off", LETTERS_LANGUAGE)
def words(line):
    bare = "".join(c for c in unicodedata.normalize("NFD", line) if not unicodedata.combining(c))
    return [word.casefold() for word in re.findall(r"[^\W_]+(?:'[^\W_]+)*", unicodedata.normalize("NFC", bare))]


# Takes every apostrophe for a letter, at the edges of words too.
@mutant("apostrophes_at_edges_kept", APOSTROPHE_BELONGS)
def words(line):
    return [word.casefold() for word in re.findall(r"(?:[^\W_]|')+", line)]


mutant(
    "apostrophes_lost", APOSTROPHE_BELONGS, ("(?:[^\\W_]|')", "[^\\W_]")
)  # Splits at every apostrophe: don't becomes don and t.
mutant(
    "ascii_only",
    LETTERS_LANGUAGE,
    (
        '[word.casefold() for word in re.findall(r"(?:[^\\W_]|\')+", line)]',
        're.findall(r"[a-z0-9]+(?:\'[a-z0-9]+)*", line.casefold())',
    ),
)  # Knows the letters from a to z alone: accents and other alphabets split words or lose them.
mutant(
    "case_kept",
    UPPER_LOWER,
    (
        '[word.casefold() for word in re.findall(r"(?:[^\\W_]|\')+", line)]',
        're.findall(r"[^\\W_]+(?:\'[^\\W_]+)*", line)',
    ),
)  # Keeps upper and lower case apart.
mutant(
    "digits_lost", [WORDS_RUNS, LETTERS_LANGUAGE], ("(?:[^\\W_]|')+", "[^\\W\\d_]+(?:'[^\\W\\d_]+)*")
)  # Takes letters only: route 66 loses its number.


# Gives each word of a line once, however often it stands there.
@mutant("each_word_once", WORDS_KEEP)
def words(line):
    found = re.findall(r"[^\W_]+(?:'[^\W_]+)*", line)
    return list(dict.fromkeys(word.casefold() for word in found))


# Splits at whatever is no letter or digit, one character at a time, and keeps the nothing in between.
@mutant("empty_words_kept", [WORDS_RUNS, WORD_EMPTY, APOSTROPHE_BELONGS])
def words(line):
    spaced = "".join(
        c if c.isalnum() or (c == "'" and line[at - 1 : at].isalnum() and line[at + 1 : at + 2].isalnum()) else " "
        for at, c in enumerate(line)
    )
    return [word.casefold() for word in spaced.split(" ")]


mutant(
    "lower_in_place_of_casefold",
    UPPER_LOWER,
    (
        '[word.casefold() for word in re.findall(r"(?:[^\\W_]|\')+", line)]',
        're.findall(r"[^\\W_]+(?:\'[^\\W_]+)*", line.lower())',
    ),
)  # Lower case is not case folding: straße and STRASSE stay two words.
mutant(
    "sorted",
    WORDS_KEEP,
    (
        '[word.casefold() for word in re.findall(r"(?:[^\\W_]|\')+", line)]',
        'sorted(word.casefold() for word in re.findall(r"[^\\W_]+(?:\'[^\\W_]+)*", line))',
    ),
)  # Gives the words in the order of the alphabet.
mutant(
    "split_at_single_spaces",
    [WORDS_RUNS, WORD_EMPTY, APOSTROPHE_BELONGS],
    ('re.findall(r"(?:[^\\W_]|\')+", line', 'line.split(" "'),
)  # Splits at every single space: punctuation sticks to words, and gaps give empty words.
mutant(
    "underscore_kept", WORDS_RUNS, ("(?:[^\\W_]|')+", "\\w+(?:'\\w+)*")
)  # Takes the underscore for a letter, as \w does.
# count_words


# Brings every line to the driver, and the answer back.
@mutant("collects_lines", [CALLING_STARTS, COUNTING_FASTER])
def count_words(lines):
    counts = Counter(word for line in lines.collect() for word in words(line))
    return lines.context.parallelize(list(counts.items()), 2)


# Brings every word to the driver and counts there.
@mutant("collects_words", [CALLING_STARTS, COUNTING_FASTER])
def count_words(lines):
    counts = Counter(lines.flatMap(words).collect())
    return lines.context.parallelize(list(counts.items()), 2)


# Counts a word once for each line that has it.
@mutant("counts_lines", ["every_occurrence_is_counted", COUNTING_FASTER])
def count_words(lines):
    def count(part):
        return Counter(word for line in part for word in set(words(line))).items()

    return lines.mapPartitions(count).reduceByKey(add)


# Counts the lines of the first partition alone.
@mutant("first_partition_only", [PARTITIONS_DO, COUNTING_FASTER])
def count_words(lines):
    def count(number, part):
        return Counter(word for line in part for word in words(line)).items() if number == 0 else []

    return lines.mapPartitionsWithIndex(count).reduceByKey(add)


# Sends every single occurrence through the shuffle and counts behind it.
@mutant("group_by_key", COUNTING_FASTER)
def count_words(lines):
    return lines.flatMap(words).map(lambda word: (word, 1)).groupByKey().mapValues(sum)


# Counts inside each partition and never adds the partitions up.
@mutant("partitions_not_merged", [PARTITIONS_DO, COUNTING_FASTER])
def count_words(lines):
    return lines.mapPartitions(lambda part: Counter(word for line in part for word in words(line)).items())


# The pipeline of the slides: right, and no faster than itself.
@mutant("slides_pipeline", COUNTING_FASTER)
def count_words(lines):
    return lines.flatMap(words).map(lambda word: (word, 1)).reduceByKey(add)


# Splits lines by itself, so there are two definitions of a word.
@mutant("splits_by_itself", "what_a_word_is_stays_with_words")
def count_words(lines):
    def count(part):
        return Counter(word for line in part for word in line.lower().split()).items()

    return lines.mapPartitions(count).reduceByKey(add)
