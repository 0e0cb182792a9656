# wrong: a resumed Watch knows only movers that are inside; breaks "for the movers whose last positions it affects"
# caught by: a_watch_resumes_from_its_state
class Watch:
    def __init__(self, state=None) -> None:
        self.state = state or {"fences": {}, "last": {}, "inside": {}}
        self.fences, self.movers = FenceIndex(), MoverIndex()
        for fence, polygons in self.state["fences"].items():
            self.fences.put(fence, polygons)
        for position in self.state["last"].values():
            if any(position.mover in movers for movers in self.state["inside"].values()):
                self.movers.put(position)

    def move(self, position):
        if not self.movers.put(position):
            return []
        mover, inside = position.mover, self.state["inside"]
        self.state["last"][mover] = position
        now = set(self.fences.at(position.lon, position.lat))
        before = {fence for fence, movers in inside.items() if mover in movers}
        for fence in before - now:
            inside[fence].discard(mover)
        for fence in now - before:
            inside.setdefault(fence, set()).add(mover)
        kinds = ("EXIT", before - now), ("ENTER", now - before), ("INSIDE", now & before)
        return [Event(kind, mover, fence, position.time_ms) for kind, fences in kinds for fence in sorted(fences)]

    def change(self, change):
        fence, time_ms, polygons, _ = change
        before, now = self.state["inside"].pop(fence, set()), set()
        if polygons is None:
            self.fences.remove(fence)
            self.state["fences"].pop(fence, None)
        else:
            self.fences.put(fence, polygons)
            self.state["fences"][fence] = polygons
            now = set(self.movers.within(polygons))
            self.state["inside"][fence] = now
        kinds = ("EXIT", before - now), ("ENTER", now - before)
        return [Event(kind, mover, fence, time_ms) for kind, movers in kinds for mover in sorted(movers)]
