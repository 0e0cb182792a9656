"""countByValue of the words."""


def word_counts(lines):
    return lines.flatMap(words).countByValue()
