"""Other right solutions of `Replica` and `ask`; each must get full marks."""

from autograder.checks.mutant_markers import alternative
from streamlab.lab08_geofencing.geo import Answer, NotCaughtUp, Unavailable


# The goal is dropped once it is reached, so later questions compare nothing.
@alternative("drops_its_goal")
class Replica:
    def __init__(self, feed, index):
        self.feed, self.index, self.goal, self.at = feed, index, dict(feed.ends()), {}
        self._look()

    def _look(self):
        self.goal = {part: end for part, end in self.goal.items() if self.at.get(part, 0) < end}

    def poll(self, most=1000):
        came, self.at = self.feed.read(self.at, most)
        for each in came:
            self.index.put(each)
        self._look()
        return len(came)

    def within(self, polygons, since_ms=None, at_least=None):
        late = [part for part, end in (at_least or {}).items() if self.at.get(part, 0) < end]
        if self.goal or late:
            raise NotCaughtUp(f"partitions {late or sorted(self.goal)} are behind")
        offsets = {part: 0 for part in self.feed.ends()} | self.at
        return Answer(self.index.within(polygons, since_ms), offsets)


@alternative("one_loop_over_all_attempts")
def ask(replicas, polygons, since_ms=None, at_least=None, first=0, rounds=3, pause=lambda: None):
    if len(replicas) == 0 or rounds <= 0:
        raise ValueError("nobody to ask, or no round")
    failed = []
    for attempt in range(rounds * len(replicas)):
        if attempt and attempt % len(replicas) == 0:
            pause()
        try:
            return replicas[(first + attempt) % len(replicas)].within(polygons, since_ms=since_ms, at_least=at_least)
        except OSError as dead:
            failed.append(f"dead: {dead}")
        except NotCaughtUp as lag:
            failed.append(f"behind: {lag}")
    raise Unavailable(", ".join(failed))
