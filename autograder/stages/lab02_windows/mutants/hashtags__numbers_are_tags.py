"""A number is a tag."""

import re

KILLED_BY = ["a_tag_has_a_letter"]


def hashtags(text):
    text = re.sub(r"https?://\S*", " ", text, flags=re.IGNORECASE)
    tags = re.findall(r"(?<![\w&/#])#(\w+)", text)
    return [tag.casefold() for tag in tags]
