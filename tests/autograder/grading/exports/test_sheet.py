"""Cells are harmless in spreadsheets and terminals, and a program reads back the values that were written."""

import csv
import io

import pytest

from autograder.grading.exports.sheet import harmless, sheet, shown


@pytest.mark.parametrize("sign", list("=+-@＝＋－＠"))
def test_text_that_begins_like_a_formula_gets_an_apostrophe(sign: str) -> None:
    assert harmless(f"{sign}cmd|' /C calc'!A0") == f"'{sign}cmd|' /C calc'!A0"


@pytest.mark.parametrize("lead", ["\t", "\r", "\n", " ", "\t \r\n", "\u00a0"])
def test_a_formula_after_white_space_is_found(lead: str) -> None:
    assert harmless(f"{lead}=1+1") == "'=1+1"


def test_a_formula_after_a_semicolon_is_found_since_some_spreadsheets_split_there() -> None:
    assert harmless("Ana;=1+1; @SUM(A1)") == "Ana;'=1+1; '@SUM(A1)"


@pytest.mark.parametrize("text", ["Núñez", "O'Brien", "a=b", "ana@example.org", "2026-03-09", "-", "李; 王", "👩🏽‍🔬"])
def test_text_that_is_not_a_formula_is_unchanged(text: str) -> None:
    assert harmless(text) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Ana\r\nRuiz", "Ana Ruiz"),
        ("Ana\x1b[2J", "Ana\\x1b[2J"),
        ("Ana\u202eziuR", "Ana\\u202eziuR"),
        ("Ana\ud800", "Ana\\ud800"),
        ("Ana\x00", "Ana\\x00"),
    ],
)
def test_line_ends_and_control_characters_are_replaced(text: str, written: str) -> None:
    assert harmless(text) == written


@pytest.mark.parametrize(("cell", "text"), [(None, ""), (0.0, "0"), (-1.5, "-1.5"), (31.25, "31.25"), (40, "40")])
def test_numbers_are_written_without_an_apostrophe(cell: float | None, text: str) -> None:
    assert shown(cell) == text


def test_a_program_reads_back_commas_quotes_and_accents() -> None:
    row = ['Núñez, "Ána"', "x" * 300, "ﷺ; b", "'quoted'"]

    content = sheet([row], byte_order_mark=False).content.decode("utf-8")

    assert list(csv.reader(io.StringIO(content, newline=""))) == [row]


@pytest.mark.parametrize(("mark", "start"), [(True, b"\xef\xbb\xbfa"), (False, b"a")])
def test_a_byte_order_mark_is_written_only_on_request(mark: bool, start: bytes) -> None:
    assert sheet([["a"]], byte_order_mark=mark).content == start + b"\r\n"


def test_cells_that_began_like_a_formula_are_counted() -> None:
    rows = [["=1", "a", -1.0, None], ["b;+1", "two\nlines", "-", ""]]

    assert sheet(rows, byte_order_mark=False).guarded == 2
