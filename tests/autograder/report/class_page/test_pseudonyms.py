"""Pseudonyms are unique, depend only on the secret and the id, and do not reveal the id."""

from autograder.report.class_page import pseudonyms_of

CLASS = [f"student{at}" for at in range(200)]


def test_the_same_secret_gives_the_same_names_in_any_order_of_students() -> None:
    assert pseudonyms_of(b"secret", CLASS) == pseudonyms_of(b"secret", reversed(CLASS))


def test_all_names_of_a_large_class_are_different() -> None:
    everybody = [f"student{at}" for at in range(3_000)]

    assert len(set(pseudonyms_of(b"secret", everybody).values())) == 3_000


def test_another_secret_gives_other_names() -> None:
    one, other = pseudonyms_of(b"one", CLASS), pseudonyms_of(b"other", CLASS)

    assert sum(one[each] == other[each] for each in CLASS) < 5


def test_a_name_is_two_words_and_holds_nothing_of_the_id() -> None:
    for student, name in pseudonyms_of(b"secret", [*CLASS, "<b>", "\ud800", ""]).items():
        assert name.replace(" ", "").isalpha()
        assert len(name.split()) == 2
        assert not student or student not in name


def test_more_students_than_words_still_get_unique_names(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("autograder.report.class_page.pseudonyms._ADJECTIVES", ["quiet"])
    monkeypatch.setattr("autograder.report.class_page.pseudonyms._NOUNS", ["heron", "otter"])

    names = pseudonyms_of(b"secret", CLASS[:5]).values()

    assert len(set(names)) == 5
