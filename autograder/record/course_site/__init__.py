"""Collects the archive of submissions that a course site (Canvas, Moodle) makes, and remembers which file was whose.

`archive` opens the archive safely, `entry_names` reads its names, `roster` finds the students, `choice` decides which
file counts, `delivery` writes it to submitted/, and `collected` keeps what the site needs to take feedback back.
"""
