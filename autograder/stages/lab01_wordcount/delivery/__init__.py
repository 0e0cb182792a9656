"""Judging `deliver`."""
