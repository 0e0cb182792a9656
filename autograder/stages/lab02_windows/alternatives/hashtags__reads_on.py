"""Reads the text once, from left to right."""


def hashtags(text):
    found, at, before = [], 0, " "
    while at < len(text):
        if text[at : at + 8].lower().startswith(("http://", "https://")):
            while at < len(text) and not text[at].isspace():
                at += 1
            before = " "
            continue
        opens = text[at] == "#" and not (before.isalnum() or before in "_&/#")
        end = at + 1
        while opens and end < len(text) and (text[end].isalnum() or text[end] == "_"):
            end += 1
        tag = text[at + 1 : end] if opens else ""
        if any(map(str.isalpha, tag)):
            found.append(tag.casefold())
        before, at = text[end - 1], end
    return found
