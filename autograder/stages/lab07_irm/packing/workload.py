"""The input of the throughput check of `FirstFit`: 8,000 placements, and a removal after every five."""

from autograder.checks.seeds import random_for

PLACEMENTS, EACH = 8000, 5


def workload(seed: str) -> tuple[bytes, int]:
    """Return the calls, one per line ("e17 402" to place, "e3" to remove), and how many there are."""
    rng, lines, present = random_for(seed, "throughput"), list[str](), list[str]()
    for number in range(PLACEMENTS):
        lines.append(f"e{number} {rng.randint(250, 750)}")
        present.append(f"e{number}")
        if number % EACH == EACH - 1:
            at = rng.randrange(len(present))
            present[at], present[-1] = present[-1], present[at]
            lines.append(present.pop())
    return "\n".join(lines).encode("ascii"), len(lines)
