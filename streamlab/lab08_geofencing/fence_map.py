"""A map of fences, tracks and events, with numbered marks and a scale in metres, and a table of the events.

Places are drawn in degrees, stretched so that a metre to the east is as long as a metre to the north in the middle of
the map. Lines differ by marker and dashes, not just by colour.
"""

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from streamlab.views.plots import COLOURS, LINE_STYLES, MARKERS, Picture, figure, picture, printable, table

METRES_PER_DEGREE = 111_195.08
MARGIN, WIDTH_INCH, TALLEST_INCH = 0.08, 6.4, 6.4
SMALLEST_DEGREES = 1e-4  # the smallest extent of a map, about 11 m
ENTER_MARKER, EXIT_MARKER, OTHER_MARKER = "o", "X", "D"
FENCE_COLOUR, LEADER_COLOUR, NUMBER_SIZE = "#333333", "#888888", 9
NUMBER_ROOM, MAX_RINGS = 14.0, 12  # NUMBER_ROOM is in points of 1/72 inch
MAX_NAMES = 8  # names of more fences would cover each other

Fences = Mapping[str, Sequence[Sequence[Sequence[tuple[float, float]]]]]
Tracks = Mapping[
    str, Sequence[tuple[int, float, float]]
]  # mover -> (time in ms, longitude, latitude), in order of time


class Mark(NamedTuple):
    """An event with its number on the map and its place."""

    number: int
    kind: str
    mover: str
    fence: str
    time_ms: int
    lon: float
    lat: float


def fence_map(fences: Fences, tracks: Tracks, events: Iterable[tuple[str, str, str, int]], title: str) -> None:
    """Show a map and print a table of its numbered events.

    events: (kind, mover, fence, time in ms). INSIDE events are not drawn, since they do not change anything.
    Raises ValueError if both fences and tracks are empty.
    """
    marks = marks_of(events, tracks)
    print(event_table(marks))
    draw_fence_map(fences, tracks, marks, title).show()


def marks_of(events: Iterable[tuple[str, str, str, int]], tracks: Tracks) -> list[Mark]:
    """Number events by time, without INSIDE, and return their marks at the mover's last place at that time.

    An event of a mover without such a place gets no mark.
    """
    marks: list[Mark] = []
    for kind, mover, fence, time_ms in sorted(events, key=lambda event: (event[3], event[1], event[2], event[0])):
        track = tracks.get(mover, ())
        before = bisect_right([at_ms for at_ms, _, _ in track], time_ms)
        if kind != "INSIDE" and before:
            marks.append(Mark(len(marks) + 1, kind, mover, fence, time_ms, *track[before - 1][1:]))
    return marks


def event_table(marks: Sequence[Mark]) -> str:
    """Return a table of events with the seconds since the first one."""
    began_ms = marks[0].time_ms if marks else 0
    rows = [(each.number, (each.time_ms - began_ms) / 1000, each.kind, each.mover, each.fence) for each in marks]
    return table(rows, ["number", "time (s)", "event", "mover", "fence"])


def draw_fence_map(fences: Fences, tracks: Tracks, marks: Sequence[Mark], title: str) -> Picture:
    """Return the picture of `fence_map`."""
    west, south, east, north = _extent(fences, tracks)
    stretch = 1 / max(0.05, math.cos(math.radians((south + north) / 2)))
    tall = min(TALLEST_INCH, WIDTH_INCH * (north - south) * stretch / (east - west))
    points = 72 * tall / (north - south)
    with figure(WIDTH_INCH, tall + 1.2) as drawn:
        axes = drawn.add_subplot()
        axes.set_aspect(stretch)
        axes.set(xlim=(west, east), ylim=(south, north), title=printable(title))
        axes.set(xlabel="longitude (°)", ylabel="latitude (°)")
        axes.locator_params(nbins=5)
        axes.ticklabel_format(style="plain")
        _add_fences(axes, fences)
        _add_tracks(axes, tracks)
        _add_marks(axes, marks, (points / stretch, points))
        scale_m = _add_scale(axes, west, south, east, north)
        if tracks:
            drawn.legend(loc="outside lower center", ncols=4, frameon=False)
        return picture(drawn, in_words(fences, tracks, marks, scale_m, title))


def in_words(fences: Fences, tracks: Tracks, marks: Sequence[Mark], scale_m: float, title: str) -> str:
    """Return a description of the map; its scale bar is `scale_m` metres long."""
    head = f"{title}. A map with fences {_list(fences)} and tracks of {_list(tracks)}; scale bar {_length(scale_m)}."
    events = [f"{each.number}: {each.mover} {each.kind} {each.fence}" for each in marks]
    return f"{head} Events: {'; '.join(events) or 'none'}."


def round_length(most_m: float) -> float:
    """Return the longest of 1, 2, 5, 10, 20, 50, … metres that is at most `most_m`.

    Example: round_length(70) -> 50.0
    """
    power = 10.0 ** math.floor(math.log10(most_m))
    return max(factor * power for factor in (1, 2, 5) if factor * power <= most_m)


def _extent(fences: Fences, tracks: Tracks) -> tuple[float, float, float, float]:
    places = [place for polygons in fences.values() for polygon in polygons for ring in polygon for place in ring]
    places += [(lon, lat) for track in tracks.values() for _, lon, lat in track]
    if not places:
        raise ValueError("a map needs a fence or a track, got neither")
    lons, lats = [lon for lon, _ in places], [lat for _, lat in places]
    wide = max(max(lons) - min(lons), SMALLEST_DEGREES)
    high = max(max(lats) - min(lats), SMALLEST_DEGREES)
    middle_lon, middle_lat = (max(lons) + min(lons)) / 2, (max(lats) + min(lats)) / 2
    half_lon, half_lat = wide * (0.5 + MARGIN), high * (0.5 + 2 * MARGIN)  # the scale bar is below the places
    return middle_lon - half_lon, middle_lat - half_lat, middle_lon + half_lon, middle_lat + half_lat


def _add_fences(axes: Any, fences: Fences) -> None:
    for at, (name, polygons) in enumerate(fences.items()):
        style = LINE_STYLES[at % len(LINE_STYLES)]
        for ring in (ring for polygon in polygons for ring in polygon):
            axes.plot(*zip(*ring, strict=True), color=FENCE_COLOUR, linestyle=style, linewidth=1.4)
        if polygons and len(fences) <= MAX_NAMES:
            lons, lats = zip(*polygons[0][0], strict=True)
            text = {"fontsize": NUMBER_SIZE, "textcoords": "offset points", "annotation_clip": True}
            axes.annotate(printable(name), (min(lons), max(lats)), xytext=(1, 3), **text)


def _add_tracks(axes: Any, tracks: Tracks) -> None:
    for at, (mover, track) in enumerate(tracks.items()):
        colour, marker = COLOURS[at % len(COLOURS)], MARKERS[at % len(MARKERS)]
        lons, lats = [lon for _, lon, _ in track], [lat for _, _, lat in track]
        style = LINE_STYLES[at % len(LINE_STYLES)]
        axes.plot(lons, lats, label=printable(mover), color=colour, linestyle=style, linewidth=0.8)
        axes.plot(lons[-1:], lats[-1:], marker, color=colour, markersize=6)  # its last place


def _add_marks(axes: Any, marks: Sequence[Mark], points_per_degree: tuple[float, float]) -> None:
    """Draw each mark, its number at a free place, and a thin line from one to the other."""
    taken = [(each.lon * points_per_degree[0], each.lat * points_per_degree[1]) for each in marks]
    for each, place in zip(marks, list(taken), strict=True):
        marker = {"ENTER": ENTER_MARKER, "EXIT": EXIT_MARKER}.get(each.kind, OTHER_MARKER)
        axes.plot([each.lon], [each.lat], marker, color="black", markerfacecolor="white", markersize=7)
        away = _free_offset(place, taken)
        taken.append((place[0] + away[0], place[1] + away[1]))
        line = {"arrowstyle": "-", "color": LEADER_COLOUR, "linewidth": 0.7}
        text = {"fontsize": NUMBER_SIZE, "ha": "center", "va": "center", "textcoords": "offset points"}
        axes.annotate(str(each.number), (each.lon, each.lat), xytext=away, arrowprops=line, zorder=5, **text)


def _free_offset(place: tuple[float, float], taken: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the nearest offset in points at which a number is about NUMBER_ROOM away from all `taken` places."""
    for ring in range(1, MAX_RINGS):
        for step in range(8 * ring):
            angle, away = 2 * math.pi * step / (8 * ring), NUMBER_ROOM * ring
            offset = away * math.cos(angle), away * math.sin(angle)
            here = place[0] + offset[0], place[1] + offset[1]
            if all(math.dist(here, other) >= NUMBER_ROOM * 0.95 for other in taken):
                return offset
    return NUMBER_ROOM, NUMBER_ROOM


def _add_scale(axes: Any, west: float, south: float, east: float, north: float) -> float:
    """Draw a scale bar at the lower left and return its length in metres, which is exact at its latitude."""
    lat = south + 0.04 * (north - south)
    per_degree = METRES_PER_DEGREE * max(0.01, math.cos(math.radians(lat)))
    length_m = round_length(0.3 * (east - west) * per_degree)
    begin = west + 0.04 * (east - west)
    axes.plot([begin, begin + length_m / per_degree], [lat, lat], color="black", linewidth=3, solid_capstyle="butt")
    text = {"textcoords": "offset points", "xytext": (0, 4), "fontsize": NUMBER_SIZE}
    axes.annotate(_length(length_m), (begin, lat), **text)
    return length_m


def _length(length_m: float) -> str:
    return f"{length_m / 1000:g} km" if length_m >= 1000 else f"{length_m:g} m"


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
