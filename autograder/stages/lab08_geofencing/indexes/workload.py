"""The input of the throughput check of `FenceIndex`: 2,000 zones of a city, and 5,000 places."""

from autograder.checks.seeds import random_for
from autograder.stages.lab08_geofencing.geometry.cases import star

FENCES, CORNERS, PLACES = 2000, 16, 5_000
WEST, SOUTH, SIDE = 17.55, 59.6, 0.4  # degrees
RADII = 0.0016, 0.008


def workload(seed: str) -> tuple[bytes, int]:
    """Return a line for each fence ("f7 lon lat lon lat …") and each place ("at lon lat"), and the number of places."""
    rng, lines = random_for(seed, "throughput"), list[str]()
    for number in range(FENCES):
        lon, lat = WEST + SIDE * rng.random(), SOUTH + SIDE * rng.random()
        ring = star(rng, lon, lat, rng.uniform(*RADII), CORNERS)
        lines.append(" ".join([f"f{number}", *(f"{number:.7f}" for place in ring for number in place)]))
    for _ in range(PLACES):
        lines.append(f"at {WEST + SIDE * rng.random():.7f} {SOUTH + SIDE * rng.random():.7f}")
    return "\n".join(lines).encode("ascii"), PLACES
