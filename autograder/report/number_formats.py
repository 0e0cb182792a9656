"""The form in which reports, feedback and exports show numbers: points, rates, large counts."""

from decimal import Decimal


def grouped(number: float) -> str:
    """Return a rounded number with its digits grouped by thousands.

    Example: grouped(1048576) -> "1 048 576"
    """
    return f"{number:,.0f}".replace(",", " ")


def points(number: float) -> str:
    """Return points with at most two decimals and no trailing zeros.

    Example: points(1.50) -> "1.5"
    """
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def rate(per_s: float, digits: int = 3) -> str:
    """Return a rate, by default to three significant digits, the precision that one machine can measure.

    Example: rate(812345.6) -> "812 000"
    """
    return f"{Decimal(f'{per_s:.{digits}g}'):,f}".replace(",", " ")


def rates(per_s: float, baseline_per_s: float, ratio: float) -> tuple[str, str]:
    """Return two rates with so many digits, three or more, that their quotient rounds to `ratio`.

    Example: rates(1234.4, 1000.0, 1.2344) -> ("1 230", "1 000");  rates(1235.4, 1000.0, 1.2354) -> ("1 235", "1 000")
    """
    for digits in range(3, 18):
        mine, baseline = (float(f"{each:.{digits}g}") for each in (per_s, baseline_per_s))
        if baseline and f"{mine / baseline:.2f}" == f"{ratio:.2f}":
            return rate(mine, digits), rate(baseline, digits)
    return rate(per_s), rate(baseline_per_s)
