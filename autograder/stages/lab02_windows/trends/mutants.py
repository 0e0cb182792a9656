"""Wrong versions of `hashtags`, `trending`, `mentions`, each with the checks that must catch it."""

import re
from collections import Counter

from autograder.verify.marks import mutant, right

HASH_INSIDE = "a_hash_inside_a_url_is_none"
HASH_WHERE = "a_hash_where_a_word_or_an_entity_goes_on_is_none"
MENTION_WHOLE = "a_mention_is_a_whole_word_in_any_case"
NEGATIVE_K = "a_negative_k_is_refused"
TAG_LETTER = "a_tag_has_a_letter"
TAG_LONGEST = "a_tag_is_the_longest_run_behind_its_hash"
COUNTS_TAG = "counts_of_one_tag_add_up_first"
DESCRIBING_WORDS = "describing_words_stand_in_texts_that_mention_the_name"
SLIDE_ROW = "every_slide_has_one_row"
TAGS_FOLDED = "tags_are_folded_and_keep_order_and_repeats"
HIGHEST_COUNTS = "the_highest_counts_come_first"
MOOD_MEAN = "the_mood_is_the_mean_over_texts_that_mention_the_name"
TIES_ORDER = "ties_are_in_the_order_of_code_points"
COUNTS_NOTHING = "what_counts_nothing_is_left_out"

# hashtags


@right
def hashtags(text):
    text = re.sub(r"https?://\S*", " ", text, flags=re.IGNORECASE)
    tags = re.findall(r"(?<![\w&/#])#(\w+)", text)
    return [tag.casefold() for tag in tags]


mutant(
    "ascii_digits_only", TAG_LETTER, ("in tags", 'in tags if not re.fullmatch("[0-9_]+", tag)')
)  # Takes other digits than 0 to 9 for letters.
mutant(
    "ascii_only",
    [TAG_LONGEST, HASH_INSIDE, HASH_WHERE, TAG_LETTER, TAGS_FOLDED],
    (
        '    tags = re.findall(r"(?<![\\w&/#])#(\\w+)", text)\n    return [tag.casefold() for tag in tags]',
        '    tags = re.findall(r"(?<![\\w&/#])#([A-Za-z0-9_]+)", text)\n    return [tag.casefold() for tag in tags if any(c.isalpha() for c in tag)]',
    ),
)  # Knows the letters from a to z alone.
mutant(
    "ascii_words_only",
    HASH_WHERE,
    (
        '    tags = re.findall(r"(?<![\\w&/#])#(\\w+)", text)\n    return [tag.casefold() for tag in tags]',
        '    tags = re.findall(r"(?<![A-Za-z0-9_&/#])#(\\w+)", text)\n    return [tag.casefold() for tag in tags if any(c.isalpha() for c in tag)]',
    ),
)  # Knows only the letters from a to z before a #.
mutant(
    "begins_with_a_letter", TAG_LETTER, ("in tags", "in tags if tag[0].isalpha()")
)  # Wants a letter as the first character.
mutant(
    "case_kept", TAGS_FOLDED, ("tag.casefold() for tag in tags", "tag for tag in tags if any(c.isalpha() for c in tag)")
)  # Keeps upper and lower case apart.
mutant(
    "each_tag_once",
    TAGS_FOLDED,
    (
        "[tag.casefold() for tag in tags]",
        "list(dict.fromkeys(tag.casefold() for tag in tags if any(c.isalpha() for c in tag)))",
    ),
)  # Gives each tag of a text once.
mutant(
    "entities_are_tags",
    HASH_WHERE,
    (
        '    tags = re.findall(r"(?<![\\w&/#])#(\\w+)", text)\n    return [tag.casefold() for tag in tags]',
        '    tags = re.findall(r"(?<![\\w/#])#(\\w+)", text)\n    return [tag.casefold() for tag in tags if any(c.isalpha() for c in tag)]',
    ),
)  # Takes the number of an entity with letters for a tag.
mutant("hash_alone", [TAG_LONGEST, HASH_WHERE, TAG_LETTER], ("w+", "w*"))  # A # alone is a tag without letters.
mutant(
    "hash_kept",
    [TAG_LONGEST, HASH_INSIDE, HASH_WHERE, TAG_LETTER, TAGS_FOLDED],
    ("tag.casefold() for tag in tags", '"#" + tag.casefold() for tag in tags if any(c.isalpha() for c in tag)'),
)  # Keeps the # in front of a tag.
mutant(
    "http_only", HASH_INSIDE, ("https?", "http"), ("in tags", "in tags if any(c.isalpha() for c in tag)")
)  # Does not know https.
mutant(
    "inside_words",
    HASH_WHERE,
    (
        '    tags = re.findall(r"(?<![\\w&/#])#(\\w+)", text)\n    return [tag.casefold() for tag in tags]',
        '    tags = re.findall(r"#(\\w+)", text)\n    return [tag.casefold() for tag in tags if any(c.isalpha() for c in tag)]',
    ),
)  # Finds # anywhere, inside words too.
mutant(
    "lower_case_urls_only",
    HASH_INSIDE,
    ("text, flags=re.IGNORECASE", "text"),
    ("in tags", "in tags if any(c.isalpha() for c in tag)"),
)  # Knows URLs in lower case only.
mutant(
    "lower_in_place_of_casefold",
    TAGS_FOLDED,
    ("casefold() for tag in tags", "lower() for tag in tags if any(c.isalpha() for c in tag)"),
)  # Lower case is not case folding: #Straße and #STRASSE stay two tags.


# A number is a tag.
@mutant("numbers_are_tags", TAG_LETTER)
def hashtags(text):
    text = re.sub(r"https?://\S*", " ", text, flags=re.IGNORECASE)
    tags = re.findall(r"(?<![\w&/#])#(\w+)", text)
    return [tag.casefold() for tag in tags]


mutant(
    "second_hash",
    HASH_WHERE,
    (
        '    tags = re.findall(r"(?<![\\w&/#])#(\\w+)", text)\n    return [tag.casefold() for tag in tags]',
        '    tags = re.findall(r"(?<![\\w&/])#(\\w+)", text)\n    return [tag.casefold() for tag in tags if any(c.isalpha() for c in tag)]',
    ),
)  # Takes the second of two ##.
mutant(
    "slash_before",
    HASH_WHERE,
    (
        '    tags = re.findall(r"(?<![\\w&/#])#(\\w+)", text)\n    return [tag.casefold() for tag in tags]',
        '    tags = re.findall(r"(?<![\\w&#])#(\\w+)", text)\n    return [tag.casefold() for tag in tags if any(c.isalpha() for c in tag)]',
    ),
)  # Takes # behind a slash.
mutant(
    "sorted",
    TAGS_FOLDED,
    ("[tag.casefold() for tag in tags]", "sorted(tag.casefold() for tag in tags if any(c.isalpha() for c in tag))"),
)  # Gives the tags in the order of the alphabet.
mutant(
    "underscore_ends_a_tag",
    [TAG_LONGEST, HASH_INSIDE, HASH_WHERE, TAG_LETTER, TAGS_FOLDED],
    (
        '    tags = re.findall(r"(?<![\\w&/#])#(\\w+)", text)\n    return [tag.casefold() for tag in tags]',
        '    tags = re.findall(r"(?<![\\w&/#])#([^\\W_]+)", text)\n    return [tag.casefold() for tag in tags if any(c.isalpha() for c in tag)]',
    ),
)  # Ends a tag at an underscore.
mutant(
    "up_to_the_next_space",
    [TAG_LONGEST, HASH_WHERE],
    (
        '    tags = re.findall(r"(?<![\\w&/#])#(\\w+)", text)\n    return [tag.casefold() for tag in tags]',
        '    tags = re.findall(r"(?<![\\w&/#])#(\\S+)", text)\n    return [tag.casefold() for tag in tags if any(c.isalpha() for c in tag)]',
    ),
)  # A tag goes on to the next white space.
mutant(
    "url_ends_the_text",
    HASH_INSIDE,
    ('sub(r"https?://\\S*", " ", text, flags=re.IGNORECASE)', 'split(r"https?://", text, flags=re.IGNORECASE)[0]'),
    ("in tags", "in tags if any(c.isalpha() for c in tag)"),
)  # Leaves out everything behind an URL.
mutant(
    "urls_are_text",
    HASH_INSIDE,
    ('    text = re.sub(r"https?://\\S*", " ", text, flags=re.IGNORECASE)\n', ""),
    ("in tags", "in tags if any(c.isalpha() for c in tag)"),
)  # Finds tags inside URLs.


# Splits at white space and takes the words that begin with #.
@mutant("words_that_begin_with_a_hash", [TAG_LONGEST, HASH_INSIDE, HASH_WHERE])
def hashtags(text):
    return [w[1:].casefold() for w in text.split() if w.startswith("#") and any(c.isalpha() for c in w)]


# trending


@right
def trending(counts, k):
    if k < 0:
        raise ValueError(f"expected k to be 0 or more, got {k}")
    totals = Counter()
    for tag, count in counts:
        totals[tag] += count
    shown = [(tag, count) for tag, count in totals.items() if count > 0]
    return sorted(shown, key=lambda pair: (-pair[1], pair[0]))[: max(1, k)]


mutant(
    "as_they_came",
    [HIGHEST_COUNTS, TIES_ORDER, COUNTS_TAG, COUNTS_NOTHING],
    (
        """    shown = [(tag, count) for tag, count in totals.items() if count > 0]
    return sorted(shown, key=lambda pair: (-pair[1], pair[0]))[: max(1, k)]""",
        "    return [(tag, count) for tag, count in totals.items() if count > 0][:k]",
    ),
)  # The first k as they came.


# Gives one even where none is asked for.
@mutant("at_least_one", HIGHEST_COUNTS)
def trending(counts, k):
    if k < 0:
        raise ValueError(f"expected k to be 0 or more, got {k}")
    totals = Counter()
    for tag, count in counts:
        totals[tag] += count
    shown = [(tag, count) for tag, count in totals.items() if count > 0]
    return sorted(shown, key=lambda pair: (-pair[1], pair[0]))[: max(1, k)]


mutant(
    "counts_are_texts",
    [HIGHEST_COUNTS, COUNTS_TAG],
    (
        "shown, key=lambda pair: (-pair[1], pair[0]))[: max(1, k)",
        "sorted(shown), key=lambda pair: str(pair[1]), reverse=True)[:k",
    ),
)  # Compares counts as texts: 9 before 10.
mutant(
    "everything_shown",
    COUNTS_NOTHING,
    (
        """    shown = [(tag, count) for tag, count in totals.items() if count > 0]
    return sorted(shown, key=lambda pair: (-pair[1], pair[0]))[: max(1, k)]""",
        "    return sorted(totals.items(), key=lambda pair: (-pair[1], pair[0]))[:k]",
    ),
)  # Shows whatever there is, below zero too.
mutant(
    "largest_pair_wins", [COUNTS_TAG, COUNTS_NOTHING], ("+= count", "= max(totals[tag], count)"), (" max(1, k)", "k")
)  # Keeps the largest count of a tag.
mutant(
    "last_pair_wins",
    [COUNTS_TAG, COUNTS_NOTHING],
    (
        """    totals = Counter()
    for tag, count in counts:
        totals[tag] += count""",
        "    totals = dict(counts)",
    ),
    (" max(1, k)", "k"),
)  # Keeps the last count of a tag.
mutant(
    "left_out_too_soon", COUNTS_NOTHING, ("= count", "= max(0, count)"), (" max(1, k)", "k")
)  # Leaves pairs of zero or below out before it adds up.
mutant(
    "lowest_first",
    [HIGHEST_COUNTS, TIES_ORDER, COUNTS_TAG, COUNTS_NOTHING],
    ("-pair[1], pair[0]))[: max(1, k)", "pair[1], pair[0]))[:k"),
)  # The lowest counts come first.
mutant(
    "most_common",
    TIES_ORDER,
    (
        """    shown = [(tag, count) for tag, count in totals.items() if count > 0]
    return sorted(shown, key=lambda pair: (-pair[1], pair[0]))[: max(1, k)]""",
        "    return (+totals).most_common(k)",
    ),
)  # Leaves ties to Counter.most_common, which takes them as they came.
mutant(
    "negative_k_cuts",
    NEGATIVE_K,
    (
        """    if k < 0:
        raise ValueError(f"expected k to be 0 or more, got {k}")
""",
        "",
    ),
    (" max(1, k)", "k"),
)  # Takes a negative k as a slice does: all but the last.
mutant(
    "negative_k_is_none",
    NEGATIVE_K,
    (
        """    if k < 0:
        raise ValueError(f"expected k to be 0 or more, got {k}")""",
        "    k = max(0, k)",
    ),
    (" max(1, k)", "k"),
)  # Takes a negative k for 0.


# Ranks the pairs as they come, so a tag can be there twice.
@mutant("pairs_not_added", [COUNTS_TAG, COUNTS_NOTHING])
def trending(counts, k):
    if k < 0:
        raise ValueError(f"expected k to be 0 or more, got {k}")
    shown = [(tag, count) for tag, count in counts if count > 0]
    return sorted(shown, key=lambda pair: (-pair[1], pair[0]))[:k]


mutant(
    "tags_without_counts",
    [HIGHEST_COUNTS, TIES_ORDER, COUNTS_TAG, COUNTS_NOTHING],
    (
        "sorted(shown, key=lambda pair: (-pair[1], pair[0]))[: max(1, k)",
        "[tag for tag, _ in sorted(shown, key=lambda pair: (-pair[1], pair[0]))[:k]",
    ),
)  # Gives the tags and keeps the counts to itself.
mutant(
    "ties_backwards",
    TIES_ORDER,
    (
        """    shown = [(tag, count) for tag, count in totals.items() if count > 0]
    return sorted(shown, key=lambda pair: (-pair[1], pair[0]))[: max(1, k)]""",
        """    shown = [(count, tag) for tag, count in totals.items() if count > 0]
    return [(tag, count) for count, tag in sorted(shown, reverse=True)[:k]]""",
    ),
)  # Sorts everything backwards, ties too.
mutant(
    "ties_by_case", TIES_ORDER, ("))[: max(1, k)", ".casefold()))[:k")
)  # Orders ties as a dictionary does, upper and lower case together.
mutant(
    "ties_by_dict_order", TIES_ORDER, ("(-pair[1], pair[0]))[: max(1, k)", "-pair[1])[:k")
)  # Ties come in the order of the dict.
mutant(
    "ties_by_utf16", TIES_ORDER, ("))[: max(1, k)", '.encode("utf-16-be")))[:k')
)  # Orders ties by the bytes of UTF-16, in which an emoji comes before some letters.
mutant(
    "ties_cut_first",
    TIES_ORDER,
    (
        """    shown = [(tag, count) for tag, count in totals.items() if count > 0]
    return sorted(shown, key=lambda pair: (-pair[1], pair[0]))[: max(1, k)]""",
        """    shown = (+totals).most_common(k)
    return sorted(shown, key=lambda pair: (-pair[1], pair[0]))""",
    ),
)  # Cuts at k before it orders the ties.
mutant(
    "zeros_shown",
    COUNTS_NOTHING,
    (
        """    shown = [(tag, count) for tag, count in totals.items() if count > 0]
    return sorted(shown, key=lambda pair: (-pair[1], pair[0]))[: max(1, k)]""",
        """    shown = [(tag, count) for tag, count in totals.items() if count >= 0]
    return sorted(shown, key=lambda pair: (-pair[1], pair[0]))[:k]""",
    ),
)  # Shows tags that nobody uses any more.
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
        references = len(about)
        return [(references, ordered, mean)]

    return texts.window(window_s, slide_s).repartition(1).mapPartitions(row)


mutant("any_word_describes", DESCRIBING_WORDS, ("and", "or"))  # Takes every word for one that describes.
mutant(
    "case_kept",
    [MENTION_WHOLE, DESCRIBING_WORDS, MOOD_MEAN],
    ("name.casefold()", "name"),
    ("wanted in words_of(text", 'wanted in re.findall(r"[^\\W_]+", text'),
)  # Finds the name only as it is written.
mutant(
    "counts_every_mention", MENTION_WHOLE, ("= len(about", "= sum(words_of(text).count(wanted) for text in about")
)  # Counts how often the name is there, not in how many texts.
mutant(
    "each_word_once_a_text", DESCRIBING_WORDS, ("word in words_of(text", "word in set(words_of(text)")
)  # Counts a describing word once for each text.
mutant(
    "mean_of_the_words",
    MOOD_MEAN,
    ("map(mood, about)) / len(about) if about", "lexicon()[word] for word in found) / len(found) if found"),
)  # Takes the mean of the words' values for the mood, as if there were no 'not'.
mutant("mood_is_none", MOOD_MEAN, ("0.0", "None"))  # Says that there is no mood where nobody mentions the name.
mutant(
    "mood_of_all_texts", MOOD_MEAN, ("about)) / len(about) if about", "part)) / len(part) if part")
)  # Takes the mean over all texts of the window.
mutant(
    "moods_added_up",
    MOOD_MEAN,
    ("sum(map(mood, about)) / len(about) if about else 0.0", "float(sum(map(mood, about)))"),
)  # Adds moods up, and takes no mean.
mutant(
    "name_describes_itself", DESCRIBING_WORDS, ("known and word != wanted", "known")
)  # Takes the name for a word that describes it.
mutant(
    "no_row_for_nothing", [MENTION_WHOLE, DESCRIBING_WORDS, MOOD_MEAN, SLIDE_ROW], ("mean)]", "mean)] if about else []")
)  # Gives no row where nobody mentions the name.
mutant("one_word", DESCRIBING_WORDS, ("]))", "]))[:1]"))  # Gives the word that is used most, and no other.
mutant(
    "part_of_a_word",
    [MENTION_WHOLE, DESCRIBING_WORDS, MOOD_MEAN],
    ("wanted in words_of(text", "wanted in text.casefold("),
)  # Finds the name inside other words.
mutant("row_twice", SLIDE_ROW, ("mean)]", "mean)] * 2"))  # Gives each row twice.
mutant(
    "slide_ignored", SLIDE_ROW, ("(window_s, slide_s", "(window_s, texts._slideDuration")
)  # Answers after every batch.
mutant(
    "split_at_spaces",
    [MENTION_WHOLE, DESCRIBING_WORDS, MOOD_MEAN],
    ('re.findall(r"[^\\W_]+", text.casefold()', "text.casefold().split("),
)  # A word is what lies between spaces, with its punctuation.
mutant(
    "underscore_joins_words", [MENTION_WHOLE, DESCRIBING_WORDS, MOOD_MEAN], ("[^\\W_]", "\\w")
)  # Takes the underscore for a letter, as \w does.
mutant(
    "window_ignored",
    [MENTION_WHOLE, DESCRIBING_WORDS, MOOD_MEAN, SLIDE_ROW],
    ("window(window_s, slide_s).repartition", "repartition"),
)  # Looks at each batch alone.
mutant(
    "words_by_the_alphabet", DESCRIBING_WORDS, (", key=lambda pair: (-pair[1], pair[0])", "")
)  # Orders the words by the alphabet.
mutant("words_of_all_texts", DESCRIBING_WORDS, ("in about", "in part"))  # Counts the describing words of every text.
