"""Splits at white space and takes the words that begin with #."""

KILLED_BY = [
    "a_tag_is_the_longest_run_behind_its_hash",
    "a_hash_inside_a_url_is_none",
    "a_hash_where_a_word_or_an_entity_goes_on_is_none",
]


def hashtags(text):
    return [w[1:].casefold() for w in text.split() if w.startswith("#") and any(c.isalpha() for c in w)]
