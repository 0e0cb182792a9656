"""The right totals of a job that read all files, whether it was killed on the way or not."""

from collections.abc import Iterable


def words_of_files(files: Iterable[Iterable[str]]) -> dict[str, int]:
    """Return word -> occurrences in all lines of all files; white space separates words."""
    found = [word for lines in files for line in lines for word in line.split()]
    return {word: found.count(word) for word in found}
