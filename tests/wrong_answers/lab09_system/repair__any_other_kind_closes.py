# wrong: AWAY with the same subject closes a window; breaks "UNDECIDED for it, … and nowhere SPENT or CLEARED"
# caught by: each_is_decided_once
def repair(rows: Sequence[Alert], store: Any, most: int) -> list[Alert]:
    """Return the decisions on the `most` oldest open windows, oldest first."""
    if most < 1:
        raise ValueError("most must be at least 1")
    first: dict[tuple[str, str], Alert] = {}
    decided: set[tuple[str, str]] = set()
    for row in rows:
        window = row.account, row.subject
        if row.kind == "UNDECIDED":
            first.setdefault(window, row)
        else:
            decided.add(window)
    oldest = [row for window, row in first.items() if window not in decided][:most]
    if not oldest:
        return []
    answers = store.get_many(list(dict.fromkeys(row.account for row in oldest)))
    decisions = []
    for row in oldest:
        answer = answers[row.account]
        if answer is NO_ANSWER:
            continue
        kind = "SPENT" if row.cents > limit_of(answer) else "CLEARED"
        decisions.append(row._replace(kind=kind))
    return decisions
