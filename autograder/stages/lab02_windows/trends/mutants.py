"""Wrong versions of `hashtags`, `trending` and `mentions`, each with the checks that must catch it."""

import re
from collections import Counter

from autograder.checks.mutant_markers import mutant, right, survivor

RUN = "a_tag_is_the_longest_run_after_its_hash"
URL = "a_hash_in_a_link_starts_no_tag"
BEFORE = "a_hash_inside_a_word_or_entity_starts_no_tag"
LETTER = "a_tag_contains_a_letter"
FOLDED = "tags_are_case_folded_and_keep_order_and_repeats"
HIGHEST = "the_highest_counts_come_first"
TIES = "ties_are_ordered_by_code_point"
ADDED = "counts_of_the_same_tag_are_added_first"
NOTHING = "tags_without_a_positive_count_are_left_out"
NUMBER = "a_mention_is_a_whole_word_in_any_case"
WORDS = "describing_words_come_from_texts_that_mention_the_name"
MOOD = "the_mood_is_the_mean_of_texts_that_mention_the_name"
SLIDE = "every_slide_has_one_row"

# hashtags


@right
def hashtags(text):
    text = re.sub(r"https?://\S*", " ", text, flags=re.IGNORECASE)
    tags = re.findall(r"(?<![\w&/#])#(\w+)", text)
    return [tag.casefold() for tag in tags if any(map(str.isalpha, tag))]


HAS_LETTER = "any(map(str.isalpha, tag))"

mutant("ascii_only", [RUN, URL, BEFORE, LETTER, FOLDED], (r"(\w+)", "([A-Za-z0-9_]+)"))
mutant("up_to_the_next_space", [RUN, BEFORE], (r"(\w+)", r"(\S+)"))
mutant("lower_case_urls_only", URL, (", flags=re.IGNORECASE", ""))
mutant("words_with_a_link_are_left_out", URL, ('r"https?', 'r"\\S*https?'))
mutant("www_begins_a_link", URL, ("https?://", r"(?:https?://|www\.)"))
mutant("entities_first", BEFORE, ('" ", text,', '" ", text.replace("&#35;", "#").replace("&amp;", "&"),'))
mutant("ascii_words_only", BEFORE, (r"<![\w", "<![A-Za-z0-9_"))
mutant("second_hash", BEFORE, ("&/#", "&/"))
mutant("ascii_digits_only", LETTER, (HAS_LETTER, 'not re.fullmatch("[0-9_]+", tag)'))
mutant("folds_the_text_first", FOLDED, ('" ", text,', '" ", text.casefold(),'))
mutant("numerals_are_no_letters", LETTER, (HAS_LETTER, 'not all(each.isnumeric() or each == "_" for each in tag)'))
# #Straße and #STRASSE stay two tags.
mutant("lower_in_place_of_casefold", FOLDED, ("casefold", "lower"))

# trending


@right
def trending(counts, k):
    totals = Counter()
    for tag, count in counts:
        totals[tag] += count
    shown = [(tag, count) for tag, count in totals.items() if count > 0]
    return sorted(shown, key=lambda pair: (-pair[1], pair[0]))[:k]


RANKED = "sorted(shown, key=lambda pair: (-pair[1], pair[0]))[:k]"

mutant(
    "counts_are_texts",
    [HIGHEST, ADDED],
    (RANKED, "sorted(sorted(shown), key=lambda pair: str(pair[1]), reverse=True)[:k]"),
)
mutant("ties_cut_first", TIES, ("sorted(shown", "sorted((+totals).most_common(k)"))
# In UTF-16, an emoji comes before some letters.
mutant("ties_by_utf16", TIES, ("pair[0]))", 'pair[0].encode("utf-16-be")))'))
mutant("last_pair_wins", [ADDED, NOTHING], ("+= count", "= count"))

survivor(
    "trending",
    "return sorted(positive, key=lambda pair: (-pair[1], pair[0]))[:k]",
    "return sorted(positive, key=lambda pair: (~pair[1], pair[0]))[:k]",
    reason="equivalent: ~n is -n - 1, which falls as -n does",
)

# mentions


@right
def mentions(texts, name, window_s, slide_s):
    wanted, known = name.casefold(), frozenset(word for word in lexicon() if word.isalpha())

    def words_of(text):
        return re.findall(r"[^\W_]+", text.casefold())

    def row(part):
        part = list(part)
        about = [text for text in part if wanted in words_of(text)]
        found = [word for text in about for word in words_of(text) if word in known and word != wanted]
        ordered = sorted(Counter(found).items(), key=lambda pair: (-pair[1], pair[0]))
        mean = sum(map(mood, about)) / len(about) if about else 0.0
        return [(len(about), ordered, mean)]

    return texts.window(window_s, slide_s).repartition(1).mapPartitions(row)


mutant("counts_every_mention", NUMBER, ("[(len(about)", "[(sum(words_of(text).count(wanted) for text in about)"))
mutant("part_of_a_word", [NUMBER, WORDS, MOOD], ("in words_of(text)]", "in text.casefold()]"))
mutant("no_row_for_nothing", [NUMBER, WORDS, MOOD, SLIDE], ("mean)]", "mean)] if about else []"))
