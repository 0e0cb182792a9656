"""Reads the line character by character."""


def words(line):
    found, word = [], ""
    for before, c, after in zip(" " + line, line + " ", line[1:] + "  ", strict=False):
        if c.isalnum() or (c == "'" and before.isalnum() and after.isalnum()):
            word += c
        elif word:
            found.append(word.casefold())
            word = ""
    return found
