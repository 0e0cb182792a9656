# wrong: the scale is that of the height, so a fence of 358° × 0.001° lies in 358,000 cells; breaks "added … within milliseconds"
# caught by: fences_of_all_sizes_fit_into_one_index
class FenceIndex:
    def __init__(self, exact=contains) -> None:
        self.exact, self.fences, self.cells, self.scales = exact, {}, {}, {}

    def _cells(self, box):
        size = box.north - box.south
        k = -frexp(size)[1]
        per = 2.0**k
        columns = range(floor(box.west * per), floor(box.east * per) + 1)
        rows = range(floor(box.south * per), floor(box.north * per) + 1)
        return k, [(k, *each) for each in product(columns, rows)]

    def put(self, fence, polygons):
        self.remove(fence)
        box = bounds(polygons)
        k, cells = self._cells(box)
        self.fences[fence] = box, polygons, k, cells
        self.scales[k] = self.scales.get(k, 0) + 1
        for cell in cells:
            self.cells.setdefault(cell, set()).add(fence)

    def remove(self, fence):
        if fence not in self.fences:
            return
        _, _, k, cells = self.fences.pop(fence)
        self.scales[k] -= 1
        if not self.scales[k]:
            del self.scales[k]
        for cell in cells:
            self.cells[cell].discard(fence)
            if not self.cells[cell]:
                del self.cells[cell]

    def at(self, lon, lat):
        found = []
        for k in self.scales:
            for fence in self.cells.get((k, floor(lon * 2.0**k), floor(lat * 2.0**k)), ()):
                box, polygons, _, _ = self.fences[fence]
                if box.west <= lon <= box.east and box.south <= lat <= box.north and self.exact(polygons, lon, lat):
                    found.append(fence)
        return sorted(found)
