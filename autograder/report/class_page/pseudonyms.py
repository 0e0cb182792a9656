"""Generates pseudonyms, an adjective and a noun for each student, from a secret: without it, nobody can match them.

The same secret and students give the same pseudonyms.
"""

import hashlib
import hmac
from collections.abc import Iterable

_ADJECTIVE_LIST = (
    "amber ancient azure bold brave bright brisk calm candid clever copper coral cosmic crisp curious dapper deft "
    "early eager earnest fabled fair fleet fond gentle gilded glad golden grand happy hardy hidden honest humble "
    "icy indigo ivory jolly keen kind lively loyal lucid lucky lunar mellow merry mighty misty nimble noble patient "
    "polar proud quick quiet rapid ready royal rustic sandy serene silent silver smooth snowy solar steady stellar "
    "sunny swift tidal tidy velvet vivid warm wild wise witty young"
)
_NOUN_LIST = (
    "albatross alder antelope aspen badger beacon beaver birch bison bobcat brook canyon cedar cheetah comet condor "
    "cormorant crane cricket cypress delta dolphin falcon fern finch firefly fjord fox gecko glacier goldfinch grove "
    "harbour hare hawk hazel heron ibex iris island jackdaw juniper kestrel kingfisher koala lagoon lantern larch "
    "lark lynx magpie maple marten meadow meteor moose nebula nightingale oak ocelot orca osprey otter owl panda "
    "pebble pelican penguin pine plover puffin quail quasar raven reef robin rowan salmon seal sparrow spruce stork "
    "summit swallow swan thistle tiger toucan walnut willow wren zebra"
)
_ADJECTIVES, _NOUNS = _ADJECTIVE_LIST.split(), _NOUN_LIST.split()


def pseudonyms_of(secret: bytes, students: Iterable[str]) -> dict[str, str]:
    """Return a unique pseudonym for each student.

    Example: pseudonyms_of(b"secret", ["ana", "ben"]) -> {"ana": "quiet heron", "ben": "swift otter"}
    """
    names: dict[str, str] = {}
    taken: set[str] = set()
    for student in sorted(set(students)):
        names[student] = _first_free(secret, student, taken)
        taken.add(names[student])
    return names


def _first_free(secret: bytes, student: str, taken: set[str]) -> str:
    """Return the student's first pseudonym that is not taken; with a number if all are taken."""
    most = len(_ADJECTIVES) * len(_NOUNS)
    for attempt in range(most):
        name = _name(secret, student, attempt)
        if name not in taken:
            return name
    return f"{_name(secret, student, 0)} {len(taken)}"


def _name(secret: bytes, student: str, attempt: int) -> str:
    text = f"pseudonym/{attempt}/{student}".encode(errors="surrogatepass")
    number = int.from_bytes(hmac.new(secret, text, hashlib.sha256).digest()[:8])
    return f"{_ADJECTIVES[number % len(_ADJECTIVES)]} {_NOUNS[number // len(_ADJECTIVES) % len(_NOUNS)]}"
