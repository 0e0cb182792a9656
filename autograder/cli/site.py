"""Provides the verb for a site of the kit: site."""

import click

from autograder.cli.context import ROOT, UserError, called_from, course
from autograder.cli.lab_locks import ensure_locks

LOCK = "requirements-site.lock"


@click.command()
@click.argument("folder", default="site")
def site(folder: str) -> None:
    """Build a site to look at: the labs without solutions, guides, and the recorded system.

    FOLDER (default: site) must not exist yet. The site needs no server and no network: open its index.html, or copy
    it to any web server.
    """
    target = called_from(folder)
    if target.exists():
        raise UserError(f"{target} exists; delete it or name another folder")
    ensure_locks([LOCK])
    from autograder.site import SiteError, build_site

    try:
        pages = build_site(ROOT, course(), target, click.echo)
    except SiteError as problem:
        raise UserError(f"the site is not built: {problem}") from None
    click.echo(f"{pages} pages: {target}/index.html")
