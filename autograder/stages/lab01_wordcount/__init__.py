"""Judging Lab 1: how it is driven, what is right, what is checked."""
