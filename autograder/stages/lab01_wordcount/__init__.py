"""The judging of Lab 1: one folder for each group of tasks."""
