# wrong: lower() instead of casefold(); breaks "case-fold each word"
# caught by: upper_and_lower_case_give_the_same_word
def words(line: str) -> list[str]:
    return [w.lower() for w in re.findall(r"[^\W_]+(?:'[^\W_]+)*", line)]
