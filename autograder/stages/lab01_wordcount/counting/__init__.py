"""The judging of `words` and `count_words`."""
