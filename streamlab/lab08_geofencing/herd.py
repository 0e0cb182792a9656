"""A seeded herd on a pasture: the true position of each animal, and the fixes that its collar sends.

A collar sends a fix every `step_s`, with noise of the Global Positioning System (GPS), outliers, batteries that run low
(fewer fixes) and die, gaps in coverage (stored fixes arrive later, all at once), and duplicates. All times are computed
from the arguments.
"""

import json
import math
import random
from collections.abc import Iterator
from typing import NamedTuple

METRES_PER_DEGREE = 111_195.08  # on a sphere of 6,371,008.8 m
# The schema of `Fix.value`. hdop is the horizontal dilution of precision: above 5, a fix is useless. battery_v is in
# volts, and seq numbers the fixes of a collar, so that duplicates can be recognised.
FIX_SCHEMA = "mover string, lon double, lat double, hdop double, battery_v double, seq long"
LOW_V, DEAD_V = 3.5, 3.35

Truth = dict[tuple[int, int], tuple[float, float]]  # (step, animal) -> metres east and north of the pasture's middle


class Fix(NamedTuple):
    """A fix that a collar took at `time_ms` and that arrives at `arrival_ms`; `value` is a JSON object (FIX_SCHEMA)."""

    arrival_ms: int
    mover: str
    time_ms: int
    value: str


class Pasture(NamedTuple):
    """The place and time of the herd: the middle of the pasture, the start, and the seconds between two fixes."""

    lon: float = 17.60
    lat: float = 59.80
    start_ms: int = 1_700_000_040_000
    step_s: int = 20

    def place(self, east_m: float, north_m: float) -> tuple[float, float]:
        """Return (longitude, latitude) of a point in metres from the middle."""
        per_degree_east = METRES_PER_DEGREE * math.cos(math.radians(self.lat))
        return round(self.lon + east_m / per_degree_east, 7), round(self.lat + north_m / METRES_PER_DEGREE, 7)

    def time_ms(self, step: int) -> int:
        """Return the time of a step in ms since 1970."""
        return self.start_ms + 1000 * step * self.step_s


class Herd(NamedTuple):
    """The true places of all animals at each step, the fixes of their collars in order of arrival, and the pasture."""

    truth: Truth
    fixes: list[Fix]
    pasture: Pasture


def herd(
    seed: str,
    animals: int = 20,
    minutes: int = 60,
    noise_m: float = 2.5,
    pasture: Pasture = Pasture(),  # noqa: B008
) -> Herd:
    """Return the herd of a seed; the animals are cow-00, cow-01, …

    noise_m: standard deviation of a fix to the east and to the north.
    Raises ValueError unless animals and minutes are positive and noise_m is not negative.

    Example: len(herd("pasture").fixes) -> 2659
    """
    if animals < 1 or minutes < 1 or not 0 <= noise_m < math.inf:
        raise ValueError(f"expected animals >= 1, minutes >= 1 and noise_m >= 0, got {animals}, {minutes}, {noise_m}")
    rng = random.Random(f"herd/{seed}")
    steps = minutes * 60 // pasture.step_s
    truth = _walks(rng, animals, steps, pasture.step_s)
    collars = [_Collar(rng, animal, noise_m, pasture) for animal in range(animals)]
    fixes = [fix for collar in collars for fix in collar.fixes(steps, truth)]
    return Herd(truth, sorted(fixes, key=lambda fix: (fix.arrival_ms, fix.mover, fix.time_ms)), pasture)


def _walks(rng: random.Random, animals: int, steps: int, step_s: int) -> Truth:
    """Let each animal walk towards its spot in its group, and sometimes change its spot or group."""
    groups = max(1, animals // 5)
    centres = [[rng.uniform(-150, 150), rng.uniform(-150, 150)] for _ in range(groups)]
    group = [rng.randrange(groups) for _ in range(animals)]
    spot = [_spot(rng) for _ in range(animals)]
    at = [[centres[g][0] + s[0], centres[g][1] + s[1]] for g, s in zip(group, spot, strict=True)]
    truth: Truth = {}
    for step in range(steps):
        for centre in centres:
            centre[0] += rng.gauss(0, 0.12) * step_s
            centre[1] += rng.gauss(0, 0.12) * step_s
        for animal in range(animals):
            if rng.random() < 0.004:
                group[animal] = rng.randrange(groups)
            if rng.random() < 0.02:
                spot[animal] = _spot(rng)
            _walk(rng, at[animal], centres[group[animal]], spot[animal], most_m=0.6 * step_s)
            truth[step, animal] = at[animal][0], at[animal][1]
    return truth


def _spot(rng: random.Random) -> tuple[float, float]:
    return rng.gauss(0, 6), rng.gauss(0, 6)


def _walk(rng: random.Random, at: list[float], centre: list[float], spot: tuple[float, float], most_m: float) -> None:
    """Move `at` half of the way to the spot, but at most `most_m` along each axis."""
    for axis in (0, 1):
        away = centre[axis] + spot[axis] - at[axis]
        at[axis] += max(-most_m, min(most_m, 0.5 * away)) + rng.gauss(0, 0.1)


class _Collar:
    """The collar of one animal; the voltage of its battery decides how often it sends, and whether it still does."""

    def __init__(self, rng: random.Random, animal: int, noise_m: float, pasture: Pasture) -> None:
        self._rng, self._animal, self._noise_m, self._pasture = rng, animal, noise_m, pasture
        self._name = f"cow-{animal:02}"

    def fixes(self, steps: int, truth: Truth) -> Iterator[Fix]:
        """Yield all fixes in the order in which the collar takes them."""
        rng, seq = self._rng, 0
        battery_v = rng.uniform(3.45, 4.1)
        gone_from = rng.randrange(steps * 2)  # half of the collars have a time without coverage
        gone_to = gone_from + rng.randrange(3, 12)
        for step in range(steps):
            every = 1 if battery_v > LOW_V else 3
            if battery_v < DEAD_V or step % every:
                continue
            battery_v -= rng.uniform(0.0005, 0.003)
            measured = self._measured(*truth[step, self._animal]) | {"battery_v": round(battery_v, 3), "seq": seq}
            sent_step = gone_to if gone_from <= step < gone_to else step
            arrival_ms = self._pasture.time_ms(sent_step) + rng.randrange(200, 3000)
            value = json.dumps({"mover": self._name} | measured)
            fix = Fix(arrival_ms, self._name, self._pasture.time_ms(step), value)
            seq += 1
            yield fix
            if rng.random() < 0.01:
                yield fix._replace(arrival_ms=arrival_ms + rng.randrange(100, 30_000))

    def _measured(self, east: float, north: float) -> dict[str, float]:
        """Return the receiver's measurement of a true place: noise, outliers, and 0, 0 after it was switched on."""
        rng = self._rng
        hdop = rng.uniform(0.7, 2.0)
        if rng.random() < 0.01:
            hdop, east, north = rng.uniform(8, 25), east + rng.gauss(0, 400), north + rng.gauss(0, 400)
        east, north = east + rng.gauss(0, self._noise_m), north + rng.gauss(0, self._noise_m)
        lon, lat = self._pasture.place(east, north)
        if rng.random() < 0.003:
            lon, lat, hdop = 0.0, 0.0, 99.9
        return {"lon": lon, "lat": lat, "hdop": round(hdop, 1)}
