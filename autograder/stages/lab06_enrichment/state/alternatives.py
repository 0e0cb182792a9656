"""Other right solutions of `enrich_from_state`; each must get full marks."""

from bisect import bisect_right

from autograder.checks.mutant_markers import alternative


# Uses sorted histories and binary search.
@alternative("bisect")
def enrich_from_state(state, arrived, watermark_ms):
    arrived = list(arrived)
    payments = {}
    for each in [*state.waiting, *(each for each in arrived if isinstance(each, Transaction))]:
        payments.setdefault(each.id, each)
    histories = {key: set(kept) for key, kept in state.versions.items()}
    for each in arrived:
        if isinstance(each, Change):
            histories.setdefault(each.key, set()).add(each.version)
    histories = {key: sorted(kept, key=lambda each: each[:2]) for key, kept in histories.items()}

    def at(key, when):
        history = histories.get(key, [])
        place = bisect_right([each.at_ms for each in history], when)
        return history[place - 1].row if place else None

    due = [
        each for each in sorted(payments.values(), key=lambda each: (each.at_ms, each.id)) if each.at_ms <= watermark_ms
    ]
    kept = {}
    for key, history in histories.items():
        place = bisect_right([each.at_ms for each in history], watermark_ms)
        rest = history[max(0, place - 1) :]
        if place and rest[0].row is None:
            rest = rest[1:]
        if rest:
            kept[key] = rest
    waiting = [each for each in payments.values() if each.at_ms > watermark_ms]
    return AccountState(kept, waiting), [enriched(each, [at(key, each.at_ms) for key in each.keys]) for each in due]
