"""Other right solutions of the indexes; each must get full marks."""

from bisect import bisect_left, bisect_right, insort
from math import floor

import shapely

from autograder.checks.mutant_markers import alternative
from streamlab.lab08_geofencing.geo import around, bounds, metres


# GEOS's tree of boxes, rebuilt at the first question after a change.
@alternative("tree_of_boxes")
class FenceIndex:
    def __init__(self, exact=contains):
        self.exact, self.fences, self.tree = exact, {}, None

    def put(self, fence, polygons):
        self.fences[fence], self.tree = polygons, None

    def remove(self, fence):
        self.fences.pop(fence, None)
        self.tree = None

    def at(self, lon, lat):
        if self.tree is None:
            self.names = list(self.fences)
            self.tree = shapely.STRtree([shapely.box(*bounds(polygons)) for polygons in self.fences.values()])
        near = [self.names[at] for at in self.tree.query(shapely.Point(lon, lat))]
        return sorted(fence for fence in near if self.exact(self.fences[fence], lon, lat))


# Cells have names like geohashes; each fence is stored in the smallest cells that are not smaller than the fence.
@alternative("cells_named_by_strings")
class FenceIndex:
    def __init__(self, exact=contains):
        self.exact, self.cells, self.noted = exact, {}, {}

    def names(self, box):
        size, level = 512.0, 0
        while size / 2 > max(box.east - box.west, box.north - box.south) and level < 40:
            size, level = size / 2, level + 1
        columns = range(floor(box.west / size), floor(box.east / size) + 1)
        rows = range(floor(box.south / size), floor(box.north / size) + 1)
        return level, [f"{level}:{column}:{row}" for column in columns for row in rows]

    def put(self, fence, polygons):
        self.remove(fence)
        box = bounds(polygons)
        level, names = self.names(box)
        self.noted[fence] = level, names
        for name in names:
            self.cells.setdefault(level, {}).setdefault(name, []).append((fence, box, polygons))

    def remove(self, fence):
        level, names = self.noted.pop(fence, (0, []))
        for name in names:
            self.cells[level][name] = [each for each in self.cells[level][name] if each[0] != fence]

    def at(self, lon, lat):
        found = []
        for level, cells in self.cells.items():
            size = 512.0 / 2**level
            for fence, box, polygons in cells.get(f"{level}:{floor(lon / size)}:{floor(lat / size)}", ()):
                if box.west <= lon <= box.east and box.south <= lat <= box.north and self.exact(polygons, lon, lat):
                    found.append(fence)
        return sorted(found)


# A sorted list of (latitude, mover); a question reads a band of it.
@alternative("sorted_by_latitude")
class MoverIndex:
    def __init__(self, exact=contains, metres=metres):
        self.exact, self.metres, self.last, self.band = exact, metres, {}, []

    def put(self, position):
        before = self.last.get(position.mover)
        if before and before.time_ms >= position.time_ms:
            return False
        if before:
            del self.band[bisect_left(self.band, (before.lat, before.mover))]
        insort(self.band, (position.lat, position.mover))
        self.last[position.mover] = position
        return True

    def known(self, box, since_ms):
        low, high = bisect_left(self.band, (box.south, "")), bisect_right(self.band, (box.north, chr(0x10FFFF)))
        for _, mover in self.band[low:high]:
            each = self.last[mover]
            if box.west <= each.lon <= box.east and not (since_ms is not None and each.time_ms < since_ms):
                yield each

    def within(self, polygons, since_ms=None):
        known = self.known(bounds(polygons), since_ms)
        return sorted(each.mover for each in known if self.exact(polygons, each.lon, each.lat))

    def near(self, lon, lat, radius_m, since_ms=None):
        boxes = around(lon, lat, radius_m)
        known = (each for box in boxes for each in self.known(box, since_ms))
        return sorted({each.mover for each in known if self.metres(lon, lat, each.lon, each.lat) <= radius_m})
