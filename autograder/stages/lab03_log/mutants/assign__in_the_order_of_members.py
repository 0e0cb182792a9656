"""Lets whoever is named first choose first."""

KILLED_BY = ["the_order_of_names_changes_no_assignment"]


assign_by_name = assign


def assign(partitions, members, previous):
    in_turn = {f"{at:04d}{name}": name for at, name in enumerate(members)}
    if len(set(members)) < len(members):
        raise ValueError(f"expected each member once, got {members}")
    known = {number: previous.get(name, ()) for number, name in in_turn.items()}
    claims = {name: [] for name in in_turn.values()}
    for name in sorted(claims):
        taken = {each for own in claims.values() for each in own}
        claims[name] = [each for each in previous.get(name, ()) if each not in taken]
    known = {number: claims[name] for number, name in in_turn.items()}
    return {in_turn[number]: own for number, own in assign_by_name(partitions, list(in_turn), known).items()}
