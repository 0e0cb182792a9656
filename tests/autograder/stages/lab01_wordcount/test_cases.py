"""The cases of Lab 1: seeded, smallest first, and each about one thing."""

import json
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest

from autograder.checks import load_stage
from autograder.stages.lab01_wordcount import cases, cases_deliver, oracle, workload_text

Cases = Callable[[str], list[dict[str, Any]]]
ALL = list(dict.fromkeys(check.cases for check in load_stage("lab01_wordcount").checks))
OF_WORDS = [cases.punctuated, cases.gaps, cases.apostrophes, cases.mixed_case, cases.languages]
SEEDS = ["public", "another", "a third"]


@pytest.mark.parametrize("make", ALL)
def test_cases_are_the_same_for_the_same_seed(make: Cases) -> None:
    assert make("public") == make("public")


@pytest.mark.parametrize("make", [each for each in ALL if each is not cases_deliver.wrong_arguments])
def test_cases_differ_from_seed_to_seed(make: Cases) -> None:
    assert any(make("public") != make(seed) for seed in SEEDS)


@pytest.mark.parametrize("make", ALL)
def test_cases_are_what_json_can_hold(make: Cases) -> None:
    assert json.loads(json.dumps(make("public"))) == make("public")


@pytest.mark.parametrize("make", ALL)
def test_the_first_case_is_among_the_smallest(make: Cases) -> None:
    sizes = [len(json.dumps(case)) for case in make("public")]

    assert sizes[0] <= 1.5 * min(sizes)


@pytest.mark.parametrize("make", OF_WORDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_only_one_kind_of_line_has_words_twice_or_out_of_order(make: Cases, seed: str) -> None:
    for case in make(seed):
        words = oracle.words(case["line"])
        assert words == sorted(set(words)), case


@pytest.mark.parametrize("make", OF_WORDS)
def test_accents_are_composed(make: Cases) -> None:
    for case in make("public"):
        assert unicodedata.is_normalized("NFC", case["line"])


@pytest.mark.parametrize("make", [each for each in OF_WORDS if each is not cases.mixed_case])
def test_only_one_kind_of_line_has_letters_that_change_when_folded(make: Cases) -> None:
    for case in make("public"):
        assert case["line"] == case["line"].casefold()


@pytest.mark.parametrize("seed", SEEDS)
def test_no_message_of_a_source_arrives_at_the_instant_of_a_completion(seed: str) -> None:
    for case in cases_deliver.sources(seed):
        for earlier in case["arrivals_ms"]:
            apart_ms = {later - earlier for later in case["arrivals_ms"] if later > earlier}
            assert not any(each % case["service_ms"] == 0 for each in apart_ms), case


def test_every_case_of_ties_has_a_message_at_a_tick_of_the_service() -> None:
    assert any(case["arrivals_ms"] == [0, 10] for case in cases_deliver.ties("public"))


@pytest.mark.parametrize("seed", SEEDS)
def test_every_wrong_argument_is_refused_by_the_oracle(seed: str) -> None:
    assert all(oracle.delivery(**case) is None for case in cases_deliver.wrong_arguments(seed))
    assert all(oracle.local_master(**case) is None for case in cases.impossible_machines(seed))


def test_no_two_cases_of_one_state_share_a_word() -> None:
    words = [{word for _, word in case["events"]} for case in cases.one_state("public")]

    assert sum(map(len, words)) == len(set.union(*words))


def test_the_race_says_how_many_words_its_text_has() -> None:
    content, words = workload_text.workload("public")

    assert len(content.split()) == words
