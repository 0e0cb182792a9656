"""Other right solutions of `service_levels` and `post_mortem`; each must get full marks."""

from itertools import groupby, pairwise

import numpy as np

from autograder.checks.mutant_markers import alternative


# Arrays; a lost alert comes at infinity; returns a plain tuple.
@alternative("with_numpy")
def service_levels(expected, seen, now_ms, objective):
    if not expected or objective.percent <= 0 or objective.percent >= 100:
        raise ValueError("no")
    events = np.array(list(expected.values()))
    times = [[at for alert, at in seen if alert == each] for each in expected]
    came = np.array([min(each, default=np.inf) for each in times])
    ages = np.where(np.isinf(came), now_ms, came) - events
    due = events + objective.limit_ms
    bad = (came > due) & ((came <= now_ms) | (due <= now_ms))

    def burn(seconds):
        window = (due > now_ms - 1000 * seconds) & (due <= now_ms)
        return bad[window].mean() * 100 / (100 - objective.percent) if window.any() else 0

    return (
        int(np.isinf(came).sum()),
        sum(max(0, len(each) - 1) for each in times),
        len({alert for alert, _ in seen} - set(expected)),
        np.percentile(ages, 50, method="inverted_cdf"),
        np.percentile(ages, 99, method="inverted_cdf"),
        bad.sum(),
        1 - bad.mean() * 100 / (100 - objective.percent),
        [burn(long_s) > factor and burn(short_s) > factor for long_s, short_s, factor in objective.windows],
    )


# One kind after the other: the seconds that show it, then its runs, then runs that a short pause divides.
@alternative("by_runs")
def post_mortem(samples, pause_s=6):
    n = len(samples)
    if n == 0:
        return []

    def lower_quartile(values):
        return sorted(values)[(n - 1) // 4]

    offered, lag = [sum(each.offered) for each in samples], [sum(each.lag) for each in samples]
    many, slow = 3 * lower_quartile(offered), 10 * lower_quartile(each.store_ms for each in samples)
    calm = 2 * lower_quartile(lag)
    skew = [any(each.offered) and max(each.offered) >= 2 * sum(each.offered) / len(each.offered) for each in samples]
    terms = [False] + [after.term > before.term for before, after in pairwise(samples)]
    epochs = [False] + [after.epoch > before.epoch for before, after in pairwise(samples)]
    shown = {
        "burst": [total >= many and not uneven for total, uneven in zip(offered, skew, strict=True)],
        "skew": skew,
        "log": [each.log_errors for each in samples],
        "store": [each.store_errors for each in samples],
        "slow store": [not each.store_errors and each.store_ms >= slow for each in samples],
        "job": [epoch and not term for epoch, term in zip(epochs, terms, strict=True)],
        "leader": terms,
        "worker": [each.retries for each in samples],
        "poison": [each.unreadable for each in samples],
        "clock": [each.ahead for each in samples],
    }
    found = []
    for place, (kind, flags) in enumerate(shown.items()):
        runs = []
        for is_shown, run in groupby(range(n), key=lambda at: bool(flags[at])):
            run = list(run)
            if is_shown and runs and run[0] - runs[-1][1] <= pause_s:
                runs[-1][1] = run[-1] + 1
            elif is_shown:
                runs.append([run[0], run[-1] + 1])
        for begin, end in runs:
            back = [at for at in range(end, n) if lag[at] <= calm]
            first_s = samples[0].at_s
            found.append((first_s + begin, place, kind, first_s + end, first_s + back[0] if back else None))
    return [Incident(kind, begin, end, back) for begin, _, kind, end, back in sorted(found, key=lambda row: row[:2])]
