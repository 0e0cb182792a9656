"""Provides the verb `play`, which sends recorded lines over TCP, as `nc -lk` sends typed ones.

`streamlab.sources.line_server` sends them.
"""

from threading import TIMEOUT_MAX

import click

from autograder.cli.context import called_from, user_error_for
from streamlab.lab02_windows.tweet_server import SAMPLE, TweetServer, recorded_tweets


@click.command()
@click.argument("file", required=False, metavar="[FILE]")
@click.option(
    "--rate", type=click.FloatRange(0, min_open=True), default=100.0, show_default=True, help="Lines a second."
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default="a free one")
@click.option("--clients", type=click.IntRange(0, 100), default=1, show_default=True, help="Clients to wait for.")
def play(file: str | None, rate: float, port: int, clients: int) -> None:
    """Play a recorded file, line by line, to every client that connects. Without FILE: the kit's hour of tweets."""
    path = called_from(file) if file else SAMPLE
    with user_error_for(OSError, ValueError):
        server = TweetServer(recorded_tweets(path), rate, port=port, wait_for_clients=clients)
    with server:
        click.echo(f"{path.name} on {server.host}:{server.port}, {rate:g} lines a second; Ctrl-C ends it")
        with user_error_for(ValueError):  # a recording with a damaged line
            server.wait_done(TIMEOUT_MAX)
        click.echo(str(server.report()))
