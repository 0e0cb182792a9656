"""Judging Lab 9: a folder for each group of tasks."""
