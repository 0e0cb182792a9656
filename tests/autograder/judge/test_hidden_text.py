"""HTML and control codes from any source are reported; ordinary answers are not."""

import pytest

from autograder.judge.hidden_text import CODES, HTML, active_content_notes


@pytest.mark.parametrize(
    ("texts", "printed", "notes"),
    [
        (["yours is ['<script>alert(1)</script>']"], "", [HTML]),
        (["x"], "<img src=x onerror=alert(1)>", [HTML]),
        (["<" + " " * 500_000], "<" + " " * 500_000, []),  # hours, if the pattern goes back over the blanks
        (["< SCRIPT >", "javascript:alert(1)"], "", [HTML]),
        (["\x1b[2J"], "", [CODES]),
        (['yours is ["\\u001b[2J"]'], "", [CODES]),
        (["\u202etxt.exe"], "", [CODES]),
        ([], "\x1b]0;title\x07", [CODES]),
        ([], "\x1b[31mred\x1b[0m is only a colour", []),
        (['Expected "a\\r\\nb"; yours is <set>, 3 < 4 > 2, <Trojan>, a<b'], "100 %|███| 3/3\r\n", []),
    ],
)
def test_active_content_is_reported(texts: list[str], printed: str, notes: list[str]) -> None:
    assert active_content_notes(texts, printed) == notes
