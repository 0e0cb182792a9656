"""Judging Lab 2: how it is driven, what is right, what is checked."""
