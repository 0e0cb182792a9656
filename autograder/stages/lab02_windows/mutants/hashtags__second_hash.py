"""Takes the second of two ##."""

import re

KILLED_BY = ["a_hash_where_a_word_or_an_entity_goes_on_is_none"]


def hashtags(text):
    text = re.sub(r"https?://\S*", " ", text, flags=re.IGNORECASE)
    tags = re.findall(r"(?<![\w&/])#(\w+)", text)
    return [tag.casefold() for tag in tags if any(c.isalpha() for c in tag)]
