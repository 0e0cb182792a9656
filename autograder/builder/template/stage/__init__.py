"""Judging Lab 0: a folder for each group of tasks."""
