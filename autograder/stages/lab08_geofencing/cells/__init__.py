"""Judges `cells_near`, the step of `contacts` that sends a fix to the cells around it."""
