"""A tag goes on to the next white space."""

import re

KILLED_BY = ["a_tag_is_the_longest_run_behind_its_hash", "a_hash_where_a_word_or_an_entity_goes_on_is_none"]


def hashtags(text):
    text = re.sub(r"https?://\S*", " ", text, flags=re.IGNORECASE)
    tags = re.findall(r"(?<![\w&/#])#(\S+)", text)
    return [tag.casefold() for tag in tags if any(c.isalpha() for c in tag)]
