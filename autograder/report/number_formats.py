"""The form in which reports, feedback and exports show numbers: points, rates, large counts."""


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


def rate(per_s: float) -> str:
    """Return a rate to three significant digits, the precision that one machine can measure.

    Example: rate(812345.6) -> "812 000"
    """
    rounded = float(f"{per_s:.3g}")
    return grouped(rounded) if abs(rounded) >= 100 else f"{rounded:g}"
