"""Gives each tag of a text once."""

import re

KILLED_BY = ["tags_are_folded_and_keep_order_and_repeats"]


def hashtags(text):
    text = re.sub(r"https?://\S*", " ", text, flags=re.IGNORECASE)
    tags = re.findall(r"(?<![\w&/#])#(\w+)", text)
    return list(dict.fromkeys(tag.casefold() for tag in tags if any(c.isalpha() for c in tag)))
