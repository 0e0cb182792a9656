"""Cases of Lab 1: each covers one rule, so that one mistake fails one check, and no check accepts a stub."""

import unicodedata
from collections.abc import Callable
from typing import Any

import pytest

from autograder.checks import load_stage
from autograder.stages.lab01_wordcount.counting import cases, workload
from autograder.stages.lab01_wordcount.counting.drive import short_words, splitting_at
from autograder.stages.lab01_wordcount.counting.oracle import words
from autograder.stages.lab01_wordcount.delivery import cases as deliveries
from autograder.stages.lab01_wordcount.streams import cases as streams
from autograder.stages.lab01_wordcount.streams.drive import TIMES

Cases = Callable[[str], list[dict[str, Any]]]
STAGE = load_stage("lab01_wordcount")
WORDS_CASES = [cases.punctuated, cases.gaps, cases.apostrophes, cases.mixed_case, cases.languages]
SEEDS = ["public", "another", "a third"]


@pytest.mark.parametrize("make", WORDS_CASES)
@pytest.mark.parametrize("seed", SEEDS)
def test_only_one_kind_of_line_has_repeated_or_unsorted_words(make: Cases, seed: str) -> None:
    for case in make(seed):
        found = words(case["line"])
        assert found == sorted(set(found)), case


@pytest.mark.parametrize("make", [each for each in WORDS_CASES if each is not cases.punctuated])
def test_only_one_kind_of_line_has_combining_accents(make: Cases) -> None:
    for case in make("public"):
        assert unicodedata.is_normalized("NFC", case["line"])


@pytest.mark.parametrize("make", [each for each in WORDS_CASES if each is not cases.mixed_case])
def test_only_one_kind_of_line_changes_when_case_folded(make: Cases) -> None:
    for case in make("public"):
        assert case["line"] == case["line"].casefold()


@pytest.mark.parametrize("stub", [short_words(), splitting_at("|")])
@pytest.mark.parametrize("seed", SEEDS)
def test_no_check_of_words_accepts_its_stub(stub: Callable[[str], list[str]], seed: str) -> None:
    for check in STAGE.of_task("words"):
        assert any(check.judge(case, {"words": stub(case["line"])}) for case in check.cases(seed)), check.name


def test_no_check_of_count_words_accepts_its_stub() -> None:
    for check in STAGE.of_task("count_words"):
        assert any(check.judge(case, _tenfold(case)) for case in check.cases("public")), check.name


def _tenfold(case: dict[str, Any]) -> dict[str, Any]:
    found = [word for line in case["lines"] for word in short_words()(line)]
    counts = [[word, TIMES * found.count(word)] for word in dict.fromkeys(found)]
    return {"runs": [{"counts": counts, "partitions": each, "jobs_when_called": 0} for each in case["partitions"]]}


@pytest.mark.parametrize("seed", SEEDS)
def test_stub_of_words_is_right_for_the_texts_of_later_tasks(seed: str) -> None:
    texts = [*(case["lines"] for case in cases.texts(seed)), *(case["batches"][0] for case in streams.batches(seed))]
    texts += [lines for case in streams.over_a_socket(seed) for lines in case["parts"]]
    texts += [lines for case in streams.files(seed) for lines in case["files"]]

    for line in (line for lines in texts for line in lines):
        assert short_words()(line) == words(line), line


@pytest.mark.parametrize("seed", SEEDS)
def test_no_message_arrives_at_the_instant_of_a_completion(seed: str) -> None:
    for case in deliveries.sources(seed):
        for earlier in case["arrivals_ms"]:
            gaps_ms = {later - earlier for later in case["arrivals_ms"] if later > earlier}
            assert not any(each % case["service_ms"] == 0 for each in gaps_ms), case


def test_no_two_cases_of_one_state_share_a_word() -> None:
    found = [{word for _, word in case["events"]} for case in streams.one_state("public")]

    assert sum(map(len, found)) == len(set.union(*found))


def test_throughput_check_reports_the_number_of_words_in_its_text() -> None:
    content, count = workload.workload("public")

    assert len(content.split()) == count
