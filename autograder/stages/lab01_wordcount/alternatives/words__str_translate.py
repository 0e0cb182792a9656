"""Makes spaces with str.translate of all that is no letter, digit or apostrophe, then strips apostrophes."""


class _Spaces(dict):
    def __missing__(self, code):
        self[code] = code if chr(code).isalnum() or chr(code) == "'" else " "
        return self[code]


def words(line):
    pieces = line.translate(_Spaces()).replace("''", " ").split()
    return [piece.strip("'").casefold() for piece in pieces if piece.strip("'")]
