"""Leaves out everything behind an URL."""

import re

KILLED_BY = ["a_hash_inside_a_url_is_none"]


def hashtags(text):
    text = re.split(r"https?://", text, flags=re.IGNORECASE)[0]
    tags = re.findall(r"(?<![\w&/#])#(\w+)", text)
    return [tag.casefold() for tag in tags if any(c.isalpha() for c in tag)]
