"""The judging of `word_counts`, `local_master`, `on_word` and `standing_counts`."""
