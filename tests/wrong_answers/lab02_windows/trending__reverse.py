# wrong: reverse=True orders ties from high to low; breaks "ties by code points, lowest first"
# caught by: ties_are_ordered_by_code_point
def trending(counts: Iterable[tuple[str, int]], k: int) -> list[tuple[str, int]]:
    totals = Counter()
    for tag, count in counts:
        totals[tag] += count
    return sorted((p for p in totals.items() if p[1] > 0), key=lambda p: (p[1], p[0]), reverse=True)[:k]
