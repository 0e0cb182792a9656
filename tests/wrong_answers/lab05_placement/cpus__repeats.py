# wrong: items that overlap are returned twice; breaks "each once"
# caught by: ranges_include_both_ends
def cpus(text: str) -> list[int]:
    text = text.strip()
    if not text:
        return []
    found = []
    for item in text.split(","):
        first, dash, last = item.partition("-")
        ends = [first, last] if dash else [first]
        if not all(each.isascii() and each.isdecimal() for each in ends):
            raise ValueError(f"not a number or a range: {item!r}")
        if int(ends[0]) > int(ends[-1]):
            raise ValueError(f"range falls: {item!r}")
        found.extend(range(int(ends[0]), int(ends[-1]) + 1))
    return sorted(found)
