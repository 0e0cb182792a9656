"""Attacks the teacher's terminal with codes that set its title, clear it, move its cursor and overwrite other lines."""

NAMED = "has terminal control codes"

CODES = "\x1b]0;hostile\x07\x1b[2J\x1b[H\x1b[1A100/100\r\x9b31m\u202e[bold red]"
print(CODES)


def words(line):
    if line == " ":
        raise ValueError(CODES)
    return [CODES]
