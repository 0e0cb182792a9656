"""Wrong answers to lab02_windows that people wrote from its text, each with the checks that catch it."""

from autograder.checks.mutant_markers import mutant, reference


# The monotone deque keeps values only and expires by value, dropping equal ones; breaks "one expire removes one of
# them"
@mutant("equal_values", "equal_values_expire_one_at_a_time")
class SlidingMax:
    def __init__(self) -> None:
        self._best, self._values = deque(), deque()

    def add(self, value):
        while self._best and self._best[-1] <= value:
            self._best.pop()
        self._best.append(value)
        self._values.append(value)

    def expire(self):
        if not self._values:
            raise ValueError("empty")
        if self._values.popleft() == self._best[0]:
            self._best.popleft()

    def result(self):
        if not self._values:
            raise ValueError("empty")
        return self._best[0]


# After the older stack is empty, the newer maximum is kept although the values have moved; breaks "the newer one has
# one maximum" (of its own values)
@mutant(
    "moves_reversed",
    [
        "three_comparisons_per_value_are_enough",
        "result_is_the_maximum_of_the_window",
        "equal_values_expire_one_at_a_time",
        "an_empty_window_rejects_result_and_expire",
    ],
)
class SlidingMax:
    def __init__(self) -> None:
        self._older, self._newer, self._top = [], [], None

    def add(self, value):
        self._top = value if self._top is None or self._top < value else self._top
        self._newer.append(value)

    def expire(self):
        if not self._older:
            if not self._newer:
                raise ValueError("empty")
            while self._newer:
                value = self._newer.pop()
                self._older.append(value if not self._older or self._older[-1] < value else self._older[-1])
        self._older.pop()

    def result(self):
        if not self._older and not self._newer:
            raise ValueError("empty")
        if not self._older:
            return self._top
        if not self._newer:
            return self._older[-1]
        return self._top if self._older[-1] < self._top else self._older[-1]


# The deque is shared by all windows (class attribute); breaks "Keep the values in a window", each window is its own
@mutant(
    "class_state",
    [
        "float_sums_stay_within_the_rounding_error",
        "result_is_the_sum_of_the_window",
        "an_empty_window_has_sum_zero_and_rejects_expire",
    ],
)
class SlidingSum:
    _values = deque()

    def __init__(self) -> None:
        self._sum = 0

    def add(self, value):
        self._sum = self._sum + value
        self._values.append(value)

    def expire(self):
        if not self._values:
            raise ValueError("the window is empty")
        self._sum = self._sum - self._values.popleft()

    def result(self):
        return self._sum


# Rounds the result to ten digits; breaks "Sums are not rounded"
@mutant("rounds", "float_sums_stay_within_the_rounding_error")
class SlidingSum:
    def __init__(self) -> None:
        self._values, self._sum = deque(), 0

    def add(self, value):
        self._sum = self._sum + value
        self._values.append(value)

    def expire(self):
        if not self._values:
            raise ValueError("the window is empty")
        self._sum = self._sum - self._values.popleft()

    def result(self):
        return round(self._sum, 10) if isinstance(self._sum, float) else self._sum


# A letter is a-z only, so #東京 is no tag; breaks "At least one character of it is a letter (str.isalpha())"
@mutant(
    "ascii_letter",
    [
        "a_tag_is_the_longest_run_after_its_hash",
        "a_hash_in_a_link_starts_no_tag",
        "a_hash_inside_a_word_or_entity_starts_no_tag",
        "a_tag_contains_a_letter",
        "tags_are_case_folded_and_keep_order_and_repeats",
    ],
)
def hashtags(text: str) -> list[str]:
    text = re.sub(r"https?://\S*", " ", text, flags=re.IGNORECASE)
    return [t.casefold() for t in re.findall(r"(?<![\w&/#])#(\w+)", text) if re.search(r"[A-Za-z]", t)]


# A link must start at a word boundary; breaks "and also inside a word (see:http://…)", `#ahttp://x` gives `a`
@mutant("word_links", "a_hash_in_a_link_starts_no_tag")
def hashtags(text: str) -> list[str]:
    text = re.sub(r"\bhttps?://\S*", " ", text, flags=re.IGNORECASE)
    return [t.casefold() for t in re.findall(r"(?<![\w&/#])#(\w+)", text) if any(map(str.isalpha, t))]


# Leaves out pairs of 0 or less before it adds; breaks "First add them up; then leave out"
@mutant("drop_first", "tags_without_a_positive_count_are_left_out")
def trending(counts: Iterable[tuple[str, int]], k: int) -> list[tuple[str, int]]:
    totals = Counter()
    for tag, count in counts:
        if count > 0:
            totals[tag] += count
    return sorted(totals.items(), key=lambda p: (-p[1], p[0]))[:k]


# Reverse=True orders ties from high to low; breaks "ties by code points, lowest first"
@mutant("reverse", "ties_are_ordered_by_code_point")
def trending(counts: Iterable[tuple[str, int]], k: int) -> list[tuple[str, int]]:
    totals = Counter()
    for tag, count in counts:
        totals[tag] += count
    return sorted((p for p in totals.items() if p[1] > 0), key=lambda p: (p[1], p[0]), reverse=True)[:k]
