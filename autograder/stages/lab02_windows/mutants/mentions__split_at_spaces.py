"""A word is what lies between spaces, with its punctuation."""

from collections import Counter

KILLED_BY = [
    "a_mention_is_a_whole_word_in_any_case",
    "describing_words_stand_in_texts_that_mention_the_name",
    "the_mood_is_the_mean_over_texts_that_mention_the_name",
]


def mentions(texts, name, window_s, slide_s):
    wanted, known = name.casefold(), frozenset(word for word in lexicon() if word.isalpha())

    def words_of(text):
        return text.casefold().split()

    def row(part):
        part = list(part)
        about = [text for text in part if wanted in words_of(text)]
        found = [word for text in about for word in words_of(text) if word in known and word != wanted]
        ordered = sorted(Counter(found).items(), key=lambda pair: (-pair[1], pair[0]))
        mean = sum(map(mood, about)) / len(about) if about else 0.0
        references = len(about)
        return [(references, ordered, mean)]

    return texts.window(window_s, slide_s).repartition(1).mapPartitions(row)
