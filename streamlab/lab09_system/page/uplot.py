"""uPlot (MIT), which draws the page's charts: from its WebJar, fetched once with the kit's other jars."""

import zipfile
from functools import cache
from pathlib import Path

from streamlab.java.jars import JarSet, fetched, folder_of
from streamlab.progress import OnProgress, silent

JARS = JarSet("uplot-1.6.30", Path(__file__).resolve().parent / "uplot-jar.sha256")
FILES = {"uPlot.iife.min.js": "text/javascript", "uPlot.min.css": "text/css"}
PLACE = "META-INF/resources/webjars/uplot/1.6.30/dist/"


def fetch(on_progress: OnProgress = silent) -> None:
    """Fetch uPlot at first use; raises `FetchFailed`."""
    fetched(JARS, on_progress)
    content.cache_clear()


@cache
def content(name: str) -> bytes | None:
    """Return one of FILES, or None if uPlot was never fetched: then the page shows its tables only."""
    folder = folder_of(JARS)
    if folder is None:
        return None
    with zipfile.ZipFile(JARS.paths_in(folder)[0]) as jar:
        return jar.read(PLACE + name)
