# wrong: a letter is a-z only, so #東京 is no tag; breaks "At least one character of it is a letter (str.isalpha())"
# caught by: a_tag_is_the_longest_run_after_its_hash, a_hash_in_a_link_starts_no_tag, a_hash_inside_a_word_or_entity_starts_no_tag, a_tag_contains_a_letter, tags_are_case_folded_and_keep_order_and_repeats
def hashtags(text: str) -> list[str]:
    text = re.sub(r"https?://\S*", " ", text, flags=re.IGNORECASE)
    return [t.casefold() for t in re.findall(r"(?<![\w&/#])#(\w+)", text) if re.search(r"[A-Za-z]", t)]
