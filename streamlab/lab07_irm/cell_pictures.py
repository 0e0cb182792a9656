"""Microscopy-like pictures with a known number of cells, and measurements of their cells.

The steps are those of CellProfiler: background, threshold, separation of cells that touch, shape, intensity, and
granularity. scikit-image is imported at first use, since the import takes 0.6 s.
"""

import io
import math
from itertools import pairwise
from typing import Any, NamedTuple

MIN_CONTRAST = 0.05
SPECKLE_PX = 29
RADII = range(1, 9)


class Cell(NamedTuple):
    """The measurements of one cell; intensity is 0 to 1, eccentricity 0 (a circle) to 1."""

    area_px: float
    intensity: float
    eccentricity: float


def cell_picture(seed: int, cells: int = 150, size: int = 512) -> bytes:
    """Return a grey PNG of size × size pixels with exactly `cells` cells that do not touch, uneven light, and noise.

    Cells have a radius of 5 to 9 px: 150 of them fit into 512 px, and 24 into 192 px.
    """
    import numpy as np
    from PIL import Image
    from scipy import ndimage

    rng = np.random.default_rng(seed)
    rows, columns = np.mgrid[:size, :size]
    drawn: Any = np.zeros((size, size), np.float32)
    for y, x, radius in _places(rng, cells, size):
        angle, ratio = rng.uniform(0, math.pi), rng.uniform(0.75, 1)
        reach = int(radius) + 2
        part = tuple(slice(max(0, int(at) - reach), int(at) + reach + 1) for at in (y, x))
        down, right = rows[part] - y, columns[part] - x
        along, across = right * np.cos(angle) + down * np.sin(angle), down * np.cos(angle) - right * np.sin(angle)
        drawn[part][(along / radius) ** 2 + (across / (radius * ratio)) ** 2 <= 1] = rng.uniform(0.55, 1)
    light = ndimage.gaussian_filter(drawn, 1.2) + 0.08 + 0.1 * columns / size
    noisy = rng.poisson(np.clip(light, 0, 1.2) * 150) / 150
    file = io.BytesIO()
    Image.fromarray((np.clip(noisy / 1.3, 0, 1) * 255).astype(np.uint8)).save(file, "PNG")
    return file.getvalue()


def _places(rng: Any, cells: int, size: int) -> list[tuple[float, float, float]]:
    """Return centres and radii of cells, at least 3 px apart."""
    placed: list[tuple[float, float, float]] = []
    while len(placed) < cells:
        radius = rng.uniform(5, 9)
        y, x = rng.uniform(radius + 2, size - radius - 2, 2)
        if all((y - b) ** 2 + (x - a) ** 2 > (radius + other + 3) ** 2 for b, a, other in placed):
            placed.append((y, x, radius))
    return placed


def measure(content: bytes) -> tuple[list[Cell], list[float]]:
    """Return the cells of a picture, and its granularity: the light in % that an opening by 1, 2, … 8 px removes.

    Raises ValueError for anything that is not an image.
    """
    from scipy import ndimage
    from skimage import feature, filters, measure, segmentation
    from skimage.morphology import remove_small_objects

    grey = _grey(content)
    flat = filters.gaussian(grey, 1) - filters.gaussian(grey, 25)
    bright = ndimage.binary_fill_holes(flat > max(filters.threshold_otsu(flat), MIN_CONTRAST))
    mask = remove_small_objects(bright, max_size=SPECKLE_PX)
    depth = ndimage.distance_transform_edt(mask)
    labelled, smooth = mask.astype(int), filters.gaussian(depth, 1)
    peaks = feature.peak_local_max(smooth, min_distance=4, labels=labelled, exclude_border=False)
    markers = labelled * 0
    markers[tuple(peaks.T)] = range(1, len(peaks) + 1)
    regions = measure.regionprops(segmentation.watershed(-depth, markers, mask=mask), grey)
    cells = [Cell(float(each.area), float(each.intensity_mean), float(each.eccentricity)) for each in regions]
    return cells, _granularity(grey)


def _granularity(grey: Any) -> list[float]:
    from skimage.morphology import disk, opening

    half = grey[::2, ::2]
    light = [float(half.sum())]
    light += [float(opening(half, disk(radius)).sum()) for radius in RADII]
    return [round(100 * (before - after) / max(light[0], 1e-9), 2) for before, after in pairwise(light)]


def _grey(content: bytes) -> Any:
    import numpy as np
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(content)) as picture:
            return np.asarray(picture.convert("L"), np.float32) / 255
    except UnidentifiedImageError:
        raise ValueError(f"expected an image, got {len(content)} bytes of another kind") from None
    except (OSError, SyntaxError) as problem:
        raise ValueError(f"expected an image, got a damaged one: {problem}") from None
