"""A class: its folder, its students' marks, and results that are cached with what they were made from."""
