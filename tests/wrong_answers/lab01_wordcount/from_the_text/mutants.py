"""Wrong answers to lab01_wordcount that people wrote from its text, each with the checks that catch it."""

import unicodedata

from autograder.checks.mutant_markers import mutant, reference


# Without messages returns before it validates; breaks "Invalid arguments raise a ValueError"
@mutant("empty_first", "invalid_arguments_raise_value_error")
def deliver(arrivals_ms: list[int], service_ms: int, buffer_size: int, policy: str) -> Delivery:
    if not arrivals_ms:
        return Delivery([], [], [], 0, 0)
    reject_invalid_arguments(arrivals_ms, service_ms, buffer_size, policy)
    kept, starts, dropped, blocked, longest = [], [], [], 0, 0
    offer = None
    for i, arrival in enumerate(arrivals_ms):
        offer = arrival if offer is None else max(arrival, offer)
        idle = not starts or starts[-1] + service_ms <= offer
        waiting = len(starts) - bisect_right(starts, offer)
        if not idle and waiting >= buffer_size:
            if policy == "drop":
                dropped.append(i)
                continue
            hand_over = starts[-buffer_size] if buffer_size else starts[-1] + service_ms
            blocked += hand_over - offer
            offer = hand_over
        kept.append(i)
        starts.append(max(offer, starts[-1] + service_ms) if starts else offer)
        longest = max(longest, len(starts) - bisect_right(starts, offer))
    done = bisect_right(starts, offer - service_ms) if starts else 0
    return Delivery(kept[:done], dropped, kept[done:], blocked, longest)


# The observation ends with the last arrival, not with the last hand-over; breaks rule 5
@mutant("last_arrival", "messages_served_by_the_last_hand_over_are_delivered")
def deliver(arrivals_ms: list[int], service_ms: int, buffer_size: int, policy: str) -> Delivery:
    reject_invalid_arguments(arrivals_ms, service_ms, buffer_size, policy)
    kept, starts, dropped, blocked, longest = [], [], [], 0, 0
    offer = None
    for i, arrival in enumerate(arrivals_ms):
        offer = arrival if offer is None else max(arrival, offer)
        idle = not starts or starts[-1] + service_ms <= offer
        waiting = len(starts) - bisect_right(starts, offer)
        if not idle and waiting >= buffer_size:
            if policy == "drop":
                dropped.append(i)
                continue
            hand_over = starts[-buffer_size] if buffer_size else starts[-1] + service_ms
            blocked += hand_over - offer
            offer = hand_over
        kept.append(i)
        starts.append(max(offer, starts[-1] + service_ms) if starts else offer)
        longest = max(longest, len(starts) - bisect_right(starts, offer))
    done = bisect_right(starts, arrivals_ms[-1] - service_ms) if starts else 0
    return Delivery(kept[:done], dropped, kept[done:], blocked, longest)


# Accepts 0 workers; breaks "A number below 1 raises a ValueError"
@mutant("no_worker", "invalid_numbers_of_threads_raise_value_error")
def local_master(receivers: int, workers: int) -> str:
    if receivers < 0 or workers < 0 or receivers + workers < 1:
        raise ValueError("too few")
    return f"local[{receivers + workers}]"


# Lower() instead of casefold(); breaks "case-fold each word"
@mutant("lower", "upper_and_lower_case_give_the_same_word")
def words(line: str) -> list[str]:
    return [w.lower() for w in re.findall(r"[^\W_]+(?:'[^\W_]+)*", line)]


# Composes combining accents first; breaks "A combining accent, written as a character of its own, separates words"
@mutant("nfc", "words_are_runs_of_letters_and_digits")
def words(line: str) -> list[str]:
    line = unicodedata.normalize("NFC", line)
    return [w.casefold() for w in re.findall(r"[^\W_]+(?:'[^\W_]+)*", line)]
