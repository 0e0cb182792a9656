"""Accepts no worker at all."""

KILLED_BY = ["impossible_numbers_of_threads_are_refused"]


def local_master(receivers, workers):
    if receivers < 0 or workers < 0:
        raise ValueError(f"expected receivers >= 0 and workers >= 1, got {receivers} and {workers}")
    return f"local[{receivers + workers}]"
