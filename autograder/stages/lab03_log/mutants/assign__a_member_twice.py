"""Takes a member that is named twice for one."""

KILLED_BY = ["a_group_that_cannot_be_is_refused"]


assign_once = assign


def assign(partitions, members, previous):
    return assign_once(partitions, list(dict.fromkeys(members)), previous)
