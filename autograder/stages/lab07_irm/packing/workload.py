"""The input of the throughput check of `FirstFit`: 8,000 placements, and a removal after each five."""

from autograder.checks.seeds import random_for

PLACEMENTS, EACH = 8000, 5


def workload(seed: str) -> tuple[bytes, int]:
    """The calls, one a line ("e17 402" to place, "e3" to remove), and how many there are."""
    chance, lines, there = random_for(seed, "throughput"), list[str](), list[str]()
    for number in range(PLACEMENTS):
        lines.append(f"e{number} {chance.randint(250, 750)}")
        there.append(f"e{number}")
        if number % EACH == EACH - 1:
            at = chance.randrange(len(there))
            there[at], there[-1] = there[-1], there[at]
            lines.append(there.pop())
    return "\n".join(lines).encode("ascii"), len(lines)
