# wrong: composes combining accents first; breaks "A combining accent, written as a character of its own, separates words"
# caught by: words_are_runs_of_letters_and_digits
import unicodedata
def words(line: str) -> list[str]:
    line = unicodedata.normalize("NFC", line)
    return [w.casefold() for w in re.findall(r"[^\W_]+(?:'[^\W_]+)*", line)]
