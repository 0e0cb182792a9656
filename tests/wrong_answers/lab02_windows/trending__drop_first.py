# wrong: leaves out pairs of 0 or less before it adds; breaks "First add them up; then leave out"
# caught by: tags_without_a_positive_count_are_left_out
def trending(counts: Iterable[tuple[str, int]], k: int) -> list[tuple[str, int]]:
    totals = Counter()
    for tag, count in counts:
        if count > 0:
            totals[tag] += count
    return sorted(totals.items(), key=lambda p: (-p[1], p[0]))[:k]
