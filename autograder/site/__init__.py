"""The kit as a web site: the labs without solutions, the guides, and the recorded system."""

from autograder.site.building import SiteError, build_site

__all__ = ["SiteError", "build_site"]
