"""Draws the map of the system for a package: its tasks have full circles, and their parts are highlighted."""

from collections.abc import Collection

from autograder.course import Course
from streamlab.lab09_system.parts import TASKS
from streamlab.views.system_map import NOT_YET, STYLE, WIDE, YOURS, in_words, system_map

HERE_STYLE = """
.system-map .ground { fill: var(--paper) }
.system-map .here > rect { stroke: var(--own); stroke-width: 3.5 }
.system-map > .reference { display: none } /* in the legend */
.system-map > .not-yet { transform: translateY(-20px) }
"""


def map_picture(course: Course, own: Collection[str]) -> tuple[str, str]:
    """Return the map as an SVG file, and as text."""
    parts = course.tasks_of_parts()
    shown = {part: [task for task in tasks if task in TASKS] for part, tasks in parts.items()}
    owners = {task: YOURS if task in own else NOT_YET for task in TASKS}
    svg = system_map(shown, owners, WIDE, TASKS, "")
    size = f'width="{WIDE.width}" height="{WIDE.height}"'
    head = f'<style>{STYLE}{HERE_STYLE}</style><rect class="ground" {size} rx="8"/>'
    svg = svg.replace(">", f" {size}>{head}", 1)
    for part in (part for part, tasks in parts.items() if any(task in own for task in tasks)):
        svg = svg.replace(f'" data-box="{part}"', f' here" data-box="{part}"')
    return svg + "\n", in_words(shown, owners)
