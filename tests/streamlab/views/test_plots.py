"""Pictures are valid SVG with alt text, the same in every run, and drawn silently; tables are aligned."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from streamlab.views.plots import Picture, draw_bars, draw_lines, line_plot, table
from tests.streamlab.notebook_run import outputs_of

SVG = "{http://www.w3.org/2000/svg}"


def lines_picture() -> Picture:
    series = {"offered": [(1.0, 10.0), (2.0, 20.0)], "processed": [(1.0, 10.0), (2.0, 15.0)]}
    alt = "Two lines part."
    return draw_lines(series, "load (clients)", "rate (lines/s)", "What it keeps up with", alt, {"limit": 18})


def texts_of(picture: Picture) -> list[str]:
    return ["".join(each.itertext()) for each in ElementTree.fromstring(picture.svg).iter(f"{SVG}text")]


def test_labels_title_and_legend_are_text_in_the_svg() -> None:
    texts = texts_of(lines_picture())

    assert {"load (clients)", "rate (lines/s)", "What it keeps up with", "offered", "processed", "limit"} <= set(texts)


def test_ticks_are_whole_numbers_if_every_x_is_an_integer() -> None:
    counted = texts_of(draw_lines({"two": [(1, 5.0), (3, 6.0)]}, "nodes", "rate (1/s)", "Rate by nodes", "It grows."))
    measured = texts_of(draw_lines({"two": [(1.0, 5.0), (3.0, 6.0)]}, "s", "rate (1/s)", "Rate by time", "It grows."))

    assert {"1", "2", "3"} <= set(counted)
    assert "1.5" not in counted
    assert "1.5" in [each.rstrip("0") for each in measured]


def test_series_can_be_distinguished_without_colour() -> None:
    assert "stroke-dasharray" in lines_picture().svg


def test_a_picture_has_its_alt_text_as_label_and_title() -> None:
    root = ElementTree.fromstring(lines_picture().svg)

    assert (root.get("role"), root.get("aria-label")) == ("img", "Two lines part.")
    assert [each.text for each in root.iter(f"{SVG}title")] == ["Two lines part."]


def test_the_same_data_give_the_same_bytes_in_another_process() -> None:
    script = "from tests.streamlab.views.test_plots import lines_picture; print(lines_picture().svg, end='')"
    root = Path(__file__).resolve().parents[2]
    again = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=root)

    assert again.stdout == lines_picture().svg
    assert again.stderr == ""


LABELS = [(each, each) for each in ("<&>\"'", "$x_1$", "日本語", "שלום", "👩\u200d🚀")]
LABELS += [("a\tb\x00c", "a·b·c"), ("\ud83d", "·"), ("x" * 500, "x" * 20)]


@pytest.mark.parametrize(("word", "label"), [*LABELS, ("", "1")])
def test_any_text_can_label_a_bar(word: str, label: str, recwarn: pytest.WarningsRecorder) -> None:
    picture = draw_bars({word: 1.0}, "occurrences", "Words", f"A bar for {word}.")

    assert any(label in text for text in texts_of(picture))
    assert not recwarn.list


@pytest.mark.parametrize("values", [{}, {"nothing": 0.0}, {"loss": -3.0}])
def test_bars_without_positive_values_can_be_drawn(values: dict[str, float]) -> None:
    assert ElementTree.fromstring(draw_bars(values, "words", "Words", "Nothing yet.").svg) is not None


def test_an_empty_alt_text_is_rejected() -> None:
    with pytest.raises(ValueError, match="alt must say in words"):
        draw_bars({"a": 1.0}, "words", "Words", " ")


def test_a_terminal_prints_the_alt_text(capfd: pytest.CaptureFixture[str]) -> None:
    line_plot({"a": [(0, 0)]}, "x (s)", "y (s)", "Title", "One point at the origin.")

    assert capfd.readouterr() == ("One point at the origin.\n", "")


def test_a_notebook_shows_images_with_alt_text_and_no_stderr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path))  # or matplotlib may log that it builds a font cache
    source = """
from streamlab.views.plots import bar_plot, draw_lines, line_plot
for title in ["first", "second"]:
    line_plot({"a": [(0, 0), (1, 2)]}, "x (s)", "y (s)", title, alt=f"The {title}.")
bar_plot({"日本語": 3}, "words", "Words", alt="One bar.")
"""
    outputs = outputs_of(source)

    assert [output.output_type for output in outputs] == ["display_data"] * 3
    assert [output.data["text/plain"] for output in outputs] == ["The first.", "The second.", "One bar."]
    images = [ElementTree.fromstring(output.data["text/html"].replace(">", "/>")) for output in outputs]
    assert [image.get("alt") for image in images] == ["The first.", "The second.", "One bar."]
    assert all(str(image.get("src")).startswith("data:image/svg+xml;base64,") for image in images)


def test_logarithmic_axes_show_plain_numbers() -> None:
    texts = texts_of(draw_lines({"a": [(0.1, 1), (10, 1000)]}, "x", "y", "t", "alt", log_x=True, log_y=True))

    assert {"0.1", "10", "1,000"} <= set(texts)
    assert not any("$" in text for text in texts)


def test_a_table_right_aligns_numbers_and_counts_wide_characters_as_two() -> None:
    text = table([("the", 120, 1.23456), ("日本語", 7, 12345.6)], ["word", "count", "time (ms)"])

    assert text.splitlines() == [
        "word    count  time (ms)",
        "──────  ─────  ─────────",
        "the       120      1.235",
        "日本語      7      12346",
    ]


def test_a_table_without_rows_has_its_headers() -> None:
    assert table([], ["word", "count"]).splitlines()[0] == "word  count"


def test_a_row_that_does_not_fit_its_headers_is_rejected() -> None:
    with pytest.raises(ValueError, match=r"2 values.*\['word', 'count'\].*got \['the'\]"):
        table([("the",)], ["word", "count"])
