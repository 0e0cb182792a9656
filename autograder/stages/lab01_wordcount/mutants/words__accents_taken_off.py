"""Takes the accents off: café becomes cafe."""

import re
import unicodedata

KILLED_BY = ["letters_of_every_language_belong_to_words"]


def words(line):
    bare = "".join(c for c in unicodedata.normalize("NFD", line) if not unicodedata.combining(c))
    return [word.casefold() for word in re.findall(r"[^\W_]+(?:'[^\W_]+)*", unicodedata.normalize("NFC", bare))]
