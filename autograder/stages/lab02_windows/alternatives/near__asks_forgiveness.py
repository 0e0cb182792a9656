"""Takes the fields as they should be, and whatever goes wrong for a sign that they are not there."""


def _numbers(values):
    longitude, latitude = values
    if isinstance(longitude, bool) or isinstance(latitude, bool) or isinstance(values, str):
        raise TypeError("no degrees")
    return longitude + 0.0, latitude + 0.0


def near(tweet, place):
    try:
        longitude, latitude = _numbers(tweet["coordinates"]["coordinates"])
    except (TypeError, KeyError, ValueError, AttributeError):
        pass
    else:
        return place.west <= longitude <= place.east and place.south <= latitude <= place.north
    try:
        [ring] = tweet["place"]["bounding_box"]["coordinates"]
        corners = [_numbers(corner) for corner in ring]
        west, east = min(c[0] for c in corners), max(c[0] for c in corners)
        south, north = min(c[1] for c in corners), max(c[1] for c in corners)
    except (TypeError, KeyError, ValueError, AttributeError):
        return False
    beside = east < place.west or place.east < west or north < place.south or place.north < south
    return not beside
