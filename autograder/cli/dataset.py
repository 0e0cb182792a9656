"""Provides the verb `dataset`, which generates data from a seed, larger than the kit's own samples.

`streamlab.sources` generates the data.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from autograder.cli.context import UserError, called_from, output_file, progress, user_error_for
from autograder.judge.request import OnProgress
from streamlab.lab02_windows.tweet_server import Recording, write_recording
from streamlab.lab02_windows.tweet_stream import tweets as tweets_from

SEED, COUNT, MINUTES = "boston", 6000, 60.0  # of the sample in datasets/lab02_windows/tweets
LONGEST_MINUTES = 7 * 24 * 60.0


class Datasets(click.Group):
    """One command for each data set."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve as click does, with our own message for an unknown name."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            raise click.UsageError(f"no data set {args[0]}; expected {', '.join(self.commands)}")
        return super().resolve_command(ctx, args)


def _minutes(ctx: click.Context, param: click.Parameter, value: float) -> float:
    if not 0.001 <= value <= LONGEST_MINUTES:
        raise click.BadParameter(f"expected 0.001 … {LONGEST_MINUTES:.0f} minutes, got {value:g}")
    return value


@click.group(cls=Datasets)
def dataset() -> None:
    """Generate a data set from a seed, as large as you like."""


@dataset.command()
@click.option("--seed", default=SEED, show_default=True, metavar="TEXT", help="Equal seeds give equal tweets.")
@click.option("--count", type=click.IntRange(1, 10_000_000), default=COUNT, show_default=True, metavar="N")
@click.option("--minutes", type=float, default=MINUTES, show_default=True, metavar="M", callback=_minutes)
@click.option("--to", required=True, metavar="FILE", help="Compressed if it ends in .gz. An old FILE is replaced.")
def tweets(seed: str, count: int, minutes: float, to: str) -> None:
    """Write generated tweets in the Twitter API's format: N lines that arrive within M minutes.

    With the default seed, count and minutes, they equal those of datasets/tweets.
    """
    target = _target(to)
    try:
        with user_error_for(ValueError), progress("tweets") as on_progress:
            lines = tweets_from(seed, count, duration_s=minutes * 60)
            recording = write_recording(_with_progress(lines, count, on_progress), target)
    except OSError as problem:
        raise UserError(f"cannot write {target}: {problem.strerror or problem}") from None
    _print_summary(recording)


def _target(to: str) -> Path:
    """Return the file to write; reject it early if it cannot be written, before the long generation starts."""
    path = called_from(to).resolve()
    if path.is_dir():
        raise UserError(f"{path} is a folder; name a file in it: --to {Path(to, 'tweets.jsonl.gz')}")
    if path.exists() and not path.is_file():
        raise UserError(f"{path} is not a regular file; name a regular file, or a new one")
    return output_file(str(path), is_replaced=True)


def _with_progress(lines: Iterable[str], count: int, on_progress: OnProgress) -> Iterator[str]:
    """Yield the lines unchanged and report their number so far, at most ten times."""
    interval = max(5000, count // 10)
    for number, line in enumerate(lines):
        if number % interval == 0:
            on_progress(f"{number:,} of {count:,} lines")
        yield line


def _print_summary(recording: Recording) -> None:
    size = f"{recording.line_bytes / 1000:,.0f} kB of text, {recording.file_bytes / 1000:,.0f} kB on disk"
    click.echo(f"{recording.path}: {recording.lines:,} lines, {size}")
    click.echo(f"sha256 of the lines: {recording.sha256}")
