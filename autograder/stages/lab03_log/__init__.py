"""The judging of Lab 3: one folder for each group of tasks."""
