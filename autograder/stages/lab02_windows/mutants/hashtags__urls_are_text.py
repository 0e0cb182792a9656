"""Finds tags inside URLs."""

import re

KILLED_BY = ["a_hash_inside_a_url_is_none"]


def hashtags(text):
    tags = re.findall(r"(?<![\w&/#])#(\w+)", text)
    return [tag.casefold() for tag in tags if any(c.isalpha() for c in tag)]
