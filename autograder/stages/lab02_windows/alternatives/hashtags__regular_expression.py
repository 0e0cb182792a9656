"""One expression for URLs, one for tags: \\w is a letter, a digit or an underscore."""

import re


def hashtags(text):
    without_urls = re.sub(r"https?://\S*", " ", text, flags=re.IGNORECASE)
    tags = re.findall(r"(?<![\w&/#])#(\w+)", without_urls)
    return [tag.casefold() for tag in tags if any(c.isalpha() for c in tag)]
