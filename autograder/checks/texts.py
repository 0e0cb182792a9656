"""Right answers about texts that checks of a later lab need, too: the words of Lab 1 and the hashtags of Lab 2.

Plain Python without regular expressions and without a line of the references: a mistake made twice would not be found.
"""

APOSTROPHE = "'"
URLS = ("http://", "https://")
GOES_ON = "_&/#"


def words(line: str) -> list[str]:
    """Runs of letters and digits, with the apostrophes inside them, case-folded.

    Example: words("rock 'n' roll_call") -> ["rock", "n", "roll", "call"]
    """
    found: list[str] = []
    inside = False
    for at in range(len(line)):
        belongs = _belongs_to_a_word(line, at)
        if belongs and not inside:
            found.append("")
        if belongs:
            found[-1] += line[at]
        inside = belongs
    return [word.casefold() for word in found]


def _belongs_to_a_word(line: str, at: int) -> bool:
    if line[at] != APOSTROPHE:
        return line[at].isalnum()
    return 0 < at < len(line) - 1 and line[at - 1].isalnum() and line[at + 1].isalnum()


def hashtags(text: str) -> list[str]:
    """The tags of a text, case-folded, in order, with repeats.

    Example: hashtags("#Boston a#b http://x.y/#c (#2026 #GoSox)") -> ["boston", "gosox"]
    """
    shown = _without_urls(text)
    tags = [_run(shown, at + 1) for at, each in enumerate(shown) if each == "#" and not _goes_on(shown, at)]
    return [tag.casefold() for tag in tags if any(each.isalpha() for each in tag)]


def _without_urls(text: str) -> str:
    """The text with a space for each character of a URL."""
    shown, inside = "", False
    for at, each in enumerate(text):
        inside = not each.isspace() and (inside or any(_stands_at(text, at, scheme) for scheme in URLS))
        shown += " " if inside else each
    return shown


def _stands_at(text: str, at: int, scheme: str) -> bool:
    return text[at : at + len(scheme)].casefold() == scheme


def _goes_on(text: str, at: int) -> bool:
    """Whether something that is not a tag reaches up to the # at `at`."""
    return at > 0 and (text[at - 1].isalnum() or text[at - 1] in GOES_ON)


def _run(text: str, start: int) -> str:
    end = start
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return text[start:end]
