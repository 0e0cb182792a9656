"""Lower case is not case folding: #Straße and #STRASSE stay two tags."""

import re

KILLED_BY = ["tags_are_folded_and_keep_order_and_repeats"]


def hashtags(text):
    text = re.sub(r"https?://\S*", " ", text, flags=re.IGNORECASE)
    tags = re.findall(r"(?<![\w&/#])#(\w+)", text)
    return [tag.lower() for tag in tags if any(c.isalpha() for c in tag)]
