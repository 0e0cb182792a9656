"""Judging `words` and `count_words`."""
