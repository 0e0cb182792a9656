"""Asks first whether the numbers can be meant."""


def local_master(receivers, workers):
    if receivers >= 0 and workers >= 1:
        return "local[" + str(workers + receivers) + "]"
    raise ValueError("a receiver fewer than none, or nobody to work")
