"""Judges `size` and `admit`, which decide before a record enters: how much to buy, and who waits."""
