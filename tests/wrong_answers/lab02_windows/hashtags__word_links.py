# wrong: a link must start at a word boundary; breaks "and also inside a word (see:http://…)", `#ahttp://x` gives `a`
# caught by: a_hash_in_a_link_starts_no_tag
def hashtags(text: str) -> list[str]:
    text = re.sub(r"\bhttps?://\S*", " ", text, flags=re.IGNORECASE)
    return [t.casefold() for t in re.findall(r"(?<![\w&/#])#(\w+)", text) if any(map(str.isalpha, t))]
