"""The judging of Lab 2: one folder for each group of tasks."""
