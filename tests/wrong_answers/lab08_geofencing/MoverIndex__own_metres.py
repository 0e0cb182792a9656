# wrong: distances are computed with the global function, not with the one that was given; breaks "MoverIndex(exact, metres)"
# caught by: near_measures_metres_all_around_the_earth
class MoverIndex:
    def __init__(self, exact=contains, metres=metres) -> None:
        self.exact, self.metres, self.last, self.cells = exact, metres, {}, {}

    def put(self, position):
        old = self.last.get(position.mover)
        if old is not None:
            if position.time_ms <= old.time_ms:
                return False
            self.cells[self._cell(old.lon, old.lat)].discard(old.mover)
        self.last[position.mover] = position
        self.cells.setdefault(self._cell(position.lon, position.lat), set()).add(position.mover)
        return True

    def within(self, polygons, since_ms=None):
        return self._find([bounds(polygons)], since_ms, lambda each: self.exact(polygons, each.lon, each.lat))

    def near(self, lon, lat, radius_m, since_ms=None):
        is_near = lambda each: globals()['metres'](lon, lat, each.lon, each.lat) <= radius_m
        return self._find(around(lon, lat, radius_m), since_ms, is_near)

    def _cell(self, lon, lat):
        return floor(lon * 32), floor(lat * 32)

    def _find(self, boxes, since_ms, test):
        found = set()
        for west, south, east, north in boxes:
            (x, y), (right, top) = self._cell(west, south), self._cell(east, north)
            if (right - x + 1) * (top - y + 1) > len(self.last):
                movers = self.last
            else:
                cells = product(range(x, right + 1), range(y, top + 1))
                movers = [mover for cell in cells for mover in self.cells.get(cell, ())]
            for mover in movers:
                each = self.last[mover]
                if west <= each.lon <= east and south <= each.lat <= north:
                    if (since_ms is None or each.time_ms >= since_ms) and test(each):
                        found.add(mover)
        return sorted(found)
