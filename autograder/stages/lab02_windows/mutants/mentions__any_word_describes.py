"""Takes every word for one that describes."""

import re
from collections import Counter

KILLED_BY = ["describing_words_stand_in_texts_that_mention_the_name"]


def mentions(texts, name, window_s, slide_s):
    wanted, known = name.casefold(), frozenset(word for word in lexicon() if word.isalpha())

    def words_of(text):
        return re.findall(r"[^\W_]+", text.casefold())

    def row(part):
        part = list(part)
        about = [text for text in part if wanted in words_of(text)]
        found = [word for text in about for word in words_of(text) if word in known or word != wanted]
        ordered = sorted(Counter(found).items(), key=lambda pair: (-pair[1], pair[0]))
        mean = sum(map(mood, about)) / len(about) if about else 0.0
        references = len(about)
        return [(references, ordered, mean)]

    return texts.window(window_s, slide_s).repartition(1).mapPartitions(row)
