# %% [markdown]
# A list of boxes that are compared one by one before `exact` decides.

# %% role="given"
from streamlab.lab08_geofencing.geo import bounds


# %% task="FenceIndex"
class FenceIndex:
    def __init__(self, exact):
        self.exact, self.fences = exact, {}

    def put(self, fence, polygons):
        self.fences[fence] = bounds(polygons), polygons

    def at(self, lon, lat):
        found = []
        for fence, ((west, south, east, north), polygons) in self.fences.items():
            if west <= lon <= east and south <= lat <= north and self.exact(polygons, lon, lat):
                found.append(fence)
        return sorted(found)
