"""A class of students: its folder, its marks, and cached results with their provenance."""
