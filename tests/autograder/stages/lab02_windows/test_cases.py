"""The cases of Lab 2: seeded, smallest first, each about one thing, and none on which right solutions differ."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from autograder.checks import load_stage
from autograder.stages.lab02_windows import (
    cases,
    cases_event_time,
    cases_sliding,
    cases_trends,
    cases_tweets,
    oracle,
    oracle_event_time,
    oracle_tweets,
    workload_slides,
)

Cases = Callable[[str], list[dict[str, Any]]]
STAGE = load_stage("lab02_windows")
ALL = list(dict.fromkeys(check.cases for check in STAGE.checks))
SEEDS = ["public", "another", "a third"]
MOST_BATCHES, MOST_RUNS = 8, 20


@pytest.mark.parametrize("make", ALL)
def test_cases_are_the_same_for_the_same_seed(make: Cases) -> None:
    assert make("public") == make("public")


@pytest.mark.parametrize("make", ALL)
def test_cases_differ_from_seed_to_seed(make: Cases) -> None:
    assert any(make("public") != make(seed) for seed in SEEDS)


@pytest.mark.parametrize("make", ALL)
def test_cases_are_what_json_can_hold(make: Cases) -> None:
    assert json.loads(json.dumps(make("public"))) == make("public")


@pytest.mark.parametrize("make", ALL)
def test_the_first_case_is_among_the_smallest(make: Cases) -> None:
    sizes = [len(json.dumps(case)) for case in make("public")]

    assert sizes[0] <= 3 * min(sizes)
    assert sizes[0] <= 400


# Spark: few and small


def test_streams_are_few_and_short() -> None:
    runs = [case for make in (cases.streams, cases.totals, cases_trends.conversations) for case in make("public")]

    assert len(runs) <= 9
    assert all(len(case["batches"]) <= MOST_BATCHES for case in runs)
    assert sum(len(case["batches"]) for case in runs) <= 45


def test_files_of_events_and_of_words_are_few() -> None:
    runs = [case for make in (cases_event_time.arrivals, cases.files, cases.killed) for case in make("public")]

    assert sum(len(case["files"]) for case in runs) <= MOST_RUNS + 4


@pytest.mark.parametrize("seed", SEEDS)
def test_one_stream_is_so_long_that_spark_uses_the_inverse_and_a_key_leaves_it(seed: str) -> None:
    case = cases.streams(seed)[-1]
    keys = [{key for key, _ in batch} for batch in case["batches"]]

    assert case["window_batches"] >= 5 * case["slide_batches"]
    assert len(case["batches"]) > case["window_batches"]
    assert keys[0] - set.union(*keys[1:])


def test_streams_have_empty_batches_an_empty_stream_and_a_window_that_is_its_slide() -> None:
    made = cases.streams("public")

    assert any(not any(case["batches"]) for case in made)
    assert any([] in case["batches"][1:-1] and any(case["batches"]) for case in made)
    assert any(case["window_batches"] == case["slide_batches"] and any(case["batches"]) for case in made)


def test_some_lengths_can_be_meant_and_more_cannot() -> None:
    fits = [oracle.fits_the_batches(**case) for case in cases.lengths("public")]

    assert fits.count(True) == 3
    assert fits.count(False) == 10


@pytest.mark.parametrize("seed", SEEDS)
def test_no_two_files_of_a_killed_run_have_the_same_words(seed: str) -> None:
    [case] = cases.killed(seed)
    words = [set(" ".join(lines).split()) for lines in case["files"]]

    assert 0 < case["kill_after_files"] < len(words)
    assert all(own - set.union(*words[:at], *words[at + 1 :]) for at, own in enumerate(words))


# Sliding


@pytest.mark.parametrize("make", [cases_sliding.whole_numbers, cases_sliding.equal_values, cases_sliding.long_windows])
@pytest.mark.parametrize("seed", SEEDS)
def test_only_some_cases_ask_an_empty_window(make: Cases, seed: str) -> None:
    for case in make(seed):
        assert all(oracle.windows_at_results(case["steps"]))


@pytest.mark.parametrize("make", [cases_sliding.whole_numbers, cases_sliding.long_windows])
@pytest.mark.parametrize("seed", SEEDS)
def test_no_window_has_a_value_twice(make: Cases, seed: str) -> None:
    for case in make(seed):
        for window in oracle.windows_at_results(case["steps"]):
            assert window is None or len(set(window)) == len(window)


@pytest.mark.parametrize("seed", SEEDS)
def test_long_windows_are_emptied_and_looked_at_no_oftener_than_they_are_filled(seed: str) -> None:
    for case in cases_sliding.long_windows(seed):
        verbs = [step[0] for step in case["steps"]]

        assert verbs.count("add") == verbs.count("expire") >= verbs.count("result")


# Tweets and texts


@pytest.mark.parametrize("seed", SEEDS)
def test_tweets_have_texts_and_what_is_none_has_not(seed: str) -> None:
    assert all(oracle_tweets.tweet_text(case["raw"]) for case in cases_tweets.tweets(seed))
    for make in (cases_tweets.no_tweets, cases_tweets.without_text):
        assert not any(oracle_tweets.tweet_text(case["raw"]) for case in make(seed))


@pytest.mark.parametrize("make", [cases_tweets.retweets, cases_tweets.points, cases_tweets.boxes])
@pytest.mark.parametrize("seed", SEEDS)
def test_some_cases_are_one_way_and_some_the_other(make: Cases, seed: str) -> None:
    def answer(case: dict[str, Any]) -> bool:
        return bool(oracle_tweets.tweet_text(case["raw"]) if "raw" in case else oracle_tweets.near(**case))

    assert {answer(case) for case in make(seed)} == {True, False}


@pytest.mark.parametrize(
    "make", [cases_trends.runs, cases_trends.urls, cases_trends.inside_words, cases_trends.numbers]
)
@pytest.mark.parametrize("seed", SEEDS)
def test_only_some_texts_have_tags_that_change_when_folded_or_come_again(make: Cases, seed: str) -> None:
    for case in make(seed):
        tags = oracle_tweets.hashtags(case["text"])
        assert len(set(tags)) == len(tags)
        assert all(f"#{tag}" in case["text"] for tag in tags)


@pytest.mark.parametrize("seed", SEEDS)
def test_only_ties_have_equal_counts(seed: str) -> None:
    for make in (cases_trends.ranked, cases_trends.in_pieces, cases_trends.nothing_to_show):
        for case in make(seed):
            shown = [count for _, count in oracle.trending(case["counts"], 99) or []]
            assert len(set(shown)) == len(shown), case


@pytest.mark.parametrize("seed", SEEDS)
def test_every_negative_k_is_refused_by_the_oracle(seed: str) -> None:
    assert all(oracle.trending(case["counts"], case["k"]) is None for case in cases_trends.negative_k(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_conversation_has_windows_with_and_without_mentions(seed: str) -> None:
    short, name_that_describes, _ = cases_trends.conversations(seed)
    rows = oracle_tweets.mentions(short["batches"], short["name"], 2, 1).values()

    assert [row[0] for row in rows] == [1, 1, 0, 0]
    assert name_that_describes["name"].casefold() in oracle_tweets.describing()


# Event time


@pytest.mark.parametrize("seed", SEEDS)
def test_no_event_is_between_right_solutions(seed: str) -> None:
    for case in cases_event_time.arrivals(seed):
        oracle_event_time.event_time_counts(**case)  # raises AmbiguousCase


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_events_come_in_three_orders(seed: str) -> None:
    _, *three = cases_event_time.arrivals(seed)
    on_time = [[event for file in case["files"][:3] for event in file] for case in three]

    assert len({json.dumps(sorted(events, key=json.dumps)) for events in on_time}) == 1
    assert len({json.dumps(events) for events in on_time}) == 3


@pytest.mark.parametrize("seed", SEEDS)
def test_late_events_have_a_window_and_key_of_their_own(seed: str) -> None:
    """So that a solution that counts before it drops, drops as many rows as there are events."""
    *_, case = cases_event_time.arrivals(seed)
    answer = oracle_event_time.event_time_counts(**case)
    late = [event for event in case["files"][-2] if event["event_time_s"] < 1070]

    assert answer is not None
    assert answer.dropped == len(late) == 3
    assert len({(event["key"], event["event_time_s"] // 10) for event in late}) == 3


@pytest.mark.parametrize("seed", SEEDS)
def test_every_window_but_that_of_the_last_file_is_final(seed: str) -> None:
    for case in cases_event_time.arrivals(seed):
        answer = oracle_event_time.event_time_counts(**case)
        assert answer is not None
        assert len(answer.windows) - len(answer.closed()) == 1


def test_every_wrong_length_is_refused_by_the_oracle() -> None:
    assert all(oracle_event_time.event_time_counts(**case) is None for case in cases_event_time.wrong_lengths("public"))


# The throughput check


def test_the_race_says_how_many_slides_its_numbers_make() -> None:
    content, slides = workload_slides.workload("public")

    assert len(content.split()) == slides == len(workload_slides.sums(content))
    assert slides > 2 * workload_slides.WINDOW
