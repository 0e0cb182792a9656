"""All cores of the machine, however many they are."""

KILLED_BY = ["every_receiver_and_every_worker_has_a_thread"]


def local_master(receivers, workers):
    if receivers < 0 or workers < 1:
        raise ValueError(f"expected receivers >= 0 and workers >= 1, got {receivers} and {workers}")
    return "local[*]"
