"""Takes every field for there and well-formed."""

KILLED_BY = [
    "a_point_is_near_in_the_rectangle_and_on_its_edge",
    "without_a_point_the_box_decides",
    "a_point_decides_alone",
    "what_is_missing_or_odd_counts_as_not_there",
]


def near(tweet, place):
    longitude, latitude = tweet["coordinates"]["coordinates"]
    inside = place.west <= longitude <= place.east and place.south <= latitude <= place.north
    [ring] = tweet["place"]["bounding_box"]["coordinates"]
    return inside or any(place.west <= c[0] <= place.east and place.south <= c[1] <= place.north for c in ring)
