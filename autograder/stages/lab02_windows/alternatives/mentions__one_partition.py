"""All texts of a window in one partition, and one pass over it."""

from collections import Counter


def mentions(texts, name, window_s, slide_s):
    wanted, known = name.casefold(), frozenset(word for word in lexicon() if word.isalpha())

    def words_of(text):
        return "".join(c if c.isalnum() else " " for c in text.casefold()).split()

    def row(part):
        references, found, moods = 0, Counter(), []
        for text in part:
            words = words_of(text)
            if wanted in words:
                references += 1
                found.update(word for word in words if word in known and word != wanted)
                moods.append(mood(text))
        ordered = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
        return [(references, ordered, sum(moods) / references if references else 0.0)]

    return texts.window(window_s, slide_s).repartition(1).mapPartitions(row)
