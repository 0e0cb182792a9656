"""Keeps its state in a table of the process and gives its number as the state, which a new process cannot resume."""

LAB = "lab08_geofencing"
NAMED = "Watch stopped at"
TASKS = ["Watch", "in_order"]
WITHOUT = """
Right = Watch

class Watch:
    def __init__(self, state=None):
        self.right, self.state = Right(), None

    def move(self, position):
        return self.right.move(position)

    def change(self, change):
        return self.right.change(change)
"""

TABLE = []


class Watch:
    def __init__(self, state=None):
        if state is None:
            TABLE.append(Right())
        self.state = len(TABLE) - 1 if state is None else state

    def move(self, position):
        return TABLE[self.state].move(position)

    def change(self, change):
        return TABLE[self.state].change(change)
