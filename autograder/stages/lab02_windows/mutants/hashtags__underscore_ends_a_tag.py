"""Ends a tag at an underscore."""

import re

KILLED_BY = [
    "a_tag_is_the_longest_run_behind_its_hash",
    "a_hash_inside_a_url_is_none",
    "a_hash_where_a_word_or_an_entity_goes_on_is_none",
    "a_tag_has_a_letter",
    "tags_are_folded_and_keep_order_and_repeats",
]


def hashtags(text):
    text = re.sub(r"https?://\S*", " ", text, flags=re.IGNORECASE)
    tags = re.findall(r"(?<![\w&/#])#([^\W_]+)", text)
    return [tag.casefold() for tag in tags if any(c.isalpha() for c in tag)]
