# wrong: a range of one core "3-3" is rejected; breaks "first <= last"
# caught by: ranges_include_both_ends
def cpus(text: str) -> list[int]:
    text = text.strip()
    if not text:
        return []
    found = set()
    for item in text.split(","):
        first, dash, last = item.partition("-")
        ends = [first, last] if dash else [first]
        if not all(each.isascii() and each.isdecimal() for each in ends):
            raise ValueError(f"not a number or a range: {item!r}")
        if dash and int(ends[0]) >= int(ends[-1]):
            raise ValueError(f"range falls: {item!r}")
        found.update(range(int(ends[0]), int(ends[-1]) + 1))
    return sorted(found)
