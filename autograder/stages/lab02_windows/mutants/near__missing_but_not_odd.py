"""Expects null, and not that a field is of a wrong type."""

KILLED_BY = ["what_is_missing_or_odd_counts_as_not_there"]


def near(tweet, place):
    if tweet.get("coordinates"):
        corners = [tweet["coordinates"]["coordinates"]]
    elif tweet.get("place") and tweet["place"].get("bounding_box"):
        corners = tweet["place"]["bounding_box"]["coordinates"][0]
    else:
        return False
    longitudes, latitudes = [c[0] for c in corners], [c[1] for c in corners]
    meets = min(longitudes) <= place.east and place.west <= max(longitudes)
    return meets and min(latitudes) <= place.north and place.south <= max(latitudes)
