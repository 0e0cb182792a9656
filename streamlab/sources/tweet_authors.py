"""Who tweets: made-up people with names by faker, a few of whom write much more than the others.

Keeps out: what they write.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import Any

AUTHORS = 400
FILLERS = 300


class Authors:
    """A crowd of people; the one of rank r writes with weight r ** -0.7."""

    def __init__(self, people: Sequence[dict[str, Any]]) -> None:
        self._people = people
        self._summed = list(accumulate(rank**-0.7 for rank in range(1, len(people) + 1)))

    def pick(self, rng: Random) -> dict[str, Any]:
        """Someone, as the API's `user`. Shared by all tweets of this author: not to be changed."""
        return self._people[bisect_right(self._summed, rng.random() * self._summed[-1])]


def invented(seed: str) -> tuple[Authors, Authors, list[str]]:
    """People of Boston, people from elsewhere, and sentences that fill long tweets, all by faker from the seed."""
    from faker import Faker

    fake = Faker("en_US")
    fake.seed_instance(f"{seed}/tweets/people")
    rng = Random(f"{seed}/tweets/authors")
    boston = [_user(rng, fake, "Boston, MA") for _ in range(AUTHORS)]
    elsewhere = [_user(rng, fake, fake.city()) for _ in range(AUTHORS)]
    return Authors(boston), Authors(elsewhere), [fake.sentence() for _ in range(FILLERS)]


def _user(rng: Random, fake: Any, location: str) -> dict[str, Any]:
    number = rng.randrange(10_000_000, 1_000_000_000)
    return {
        "id": number,
        "id_str": str(number),
        "name": fake.name(),
        "screen_name": f"{fake.user_name()[:11]}_{rng.randrange(1000):03}",
        "location": location if rng.random() < 0.7 else None,
        "verified": rng.random() < 0.02,
        "followers_count": int(10 / (1 - rng.random()) ** 0.8),
        "friends_count": rng.randrange(2000),
        "statuses_count": rng.randrange(1, 50_000),
        "created_at": f"Mon Mar {rng.choice((1, 8, 15, 22)):02} 12:00:{rng.randrange(60):02} +0000 2010",
        "lang": None,
    }
