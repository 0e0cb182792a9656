"""Where tweets come from: places in and around Boston, and other cities, as rectangles of longitude and latitude.

The rectangles are rough, to about 100 m for places and 1 km for cities: enough to ask what lies in one. The two
Cambridges are no mistake. Keeps out: what people say there.
"""

from dataclasses import dataclass
from hashlib import sha256
from random import Random


@dataclass(frozen=True)
class Box:
    """A rectangle in degrees."""

    west: float
    south: float
    east: float
    north: float

    def point(self, rng: Random) -> list[float]:
        """A point inside: [longitude, latitude], GeoJSON's order."""
        return [round(rng.uniform(self.west, self.east), 6), round(rng.uniform(self.south, self.north), 6)]

    def middle(self) -> "Box":
        """The rectangle's middle as a rectangle without extent."""
        longitude, latitude = round((self.west + self.east) / 2, 6), round((self.south + self.north) / 2, 6)
        return Box(longitude, latitude, longitude, latitude)

    def ring(self) -> list[list[list[float]]]:
        """The corners as the API gives them: one ring of four, the first not repeated at the end."""
        west_side = [[self.west, self.south], [self.west, self.north]]
        return [[*west_side, [self.east, self.north], [self.east, self.south]]]


@dataclass(frozen=True)
class City:
    """A city. `language` is what most people write there."""

    name: str
    full_name: str
    country: str
    country_code: str
    box: Box
    language: str = "en"


@dataclass(frozen=True)
class Venue:
    """Something in or near Boston that people write about. `weight` says how often, compared with the others."""

    name: str
    full_name: str
    tag: str
    city: City
    box: Box
    weight: int


BOSTON = City("Boston", "Boston, MA", "United States", "US", Box(-71.191, 42.227, -70.923, 42.397))
CAMBRIDGE = City("Cambridge", "Cambridge, MA", "United States", "US", Box(-71.16, 42.352, -71.064, 42.404))

VENUES = (
    Venue("Harvard", "Harvard University", "Harvard", CAMBRIDGE, Box(-71.128, 42.365, -71.11, 42.383), 6),
    Venue("MIT", "Massachusetts Institute of Technology", "MIT", CAMBRIDGE, Box(-71.103, 42.354, -71.08, 42.364), 4),
    Venue("Fenway", "Fenway Park", "FenwayPark", BOSTON, Box(-71.099, 42.345, -71.095, 42.348), 4),
    Venue("Logan", "Logan International Airport", "Logan", BOSTON, Box(-71.033, 42.347, -70.99, 42.377), 3),
    Venue("the Common", "Boston Common", "BostonCommon", BOSTON, Box(-71.07, 42.352, -71.062, 42.358), 3),
    Venue("South Station", "South Station", "SouthStation", BOSTON, Box(-71.057, 42.35, -71.053, 42.354), 2),
    Venue("the Seaport", "Seaport District", "Seaport", BOSTON, Box(-71.053, 42.344, -71.033, 42.353), 2),
    Venue("Boston", "Boston", "Boston", BOSTON, BOSTON.box, 4),
)
HARVARD = VENUES[0]

OTHER_CITIES = (
    City("New York", "Manhattan, NY", "United States", "US", Box(-74.027, 40.684, -73.91, 40.877)),
    City("London", "London, England", "United Kingdom", "GB", Box(-0.51, 51.287, 0.334, 51.692)),
    City("Cambridge", "Cambridge, England", "United Kingdom", "GB", Box(0.069, 52.158, 0.184, 52.237)),
    City("Paris", "Paris, France", "France", "FR", Box(2.224, 48.816, 2.47, 48.902), "fr"),
    City("Berlin", "Berlin, Germany", "Germany", "DE", Box(13.088, 52.338, 13.761, 52.675), "de"),
    City("São Paulo", "São Paulo, Brazil", "Brazil", "BR", Box(-46.826, -24.009, -46.365, -23.356), "pt"),
    City("東京", "東京, 日本", "Japan", "JP", Box(138.943, 35.501, 139.919, 35.898), "ja"),
)


def place_object(of: City | Venue) -> dict[str, object]:
    """The API's `place`. A venue is a point of interest, whose box has no extent, but for a district or a city."""
    city = of.city if isinstance(of, Venue) else of
    kind = "city" if of is city or of.box == city.box else "poi"
    box = of.box.middle() if kind == "poi" else of.box
    return {
        "id": sha256(of.full_name.encode()).hexdigest()[:16],
        "place_type": kind,
        "name": of.full_name if kind == "poi" else city.name,
        "full_name": of.full_name if kind == "poi" else city.full_name,
        "country_code": city.country_code,
        "country": city.country,
        "bounding_box": {"type": "Polygon", "coordinates": box.ring()},
    }
