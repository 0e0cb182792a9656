"""A # alone is a tag without letters."""

import re

KILLED_BY = [
    "a_tag_is_the_longest_run_behind_its_hash",
    "a_hash_where_a_word_or_an_entity_goes_on_is_none",
    "a_tag_has_a_letter",
]


def hashtags(text):
    text = re.sub(r"https?://\S*", " ", text, flags=re.IGNORECASE)
    tags = re.findall(r"(?<![\w&/#])#(\w*)", text)
    return [tag.casefold() for tag in tags]
