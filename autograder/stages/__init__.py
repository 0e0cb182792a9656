"""The part of the autograder that belongs to one lab: a folder for each lab, with a folder for each group of tasks."""
