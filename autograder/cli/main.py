"""Collects the verbs and handles their errors: one line, an exit code, no traceback.

Exit codes: 0 it ran (with any score), 1 a gate failed, 2 wrong usage or a missing prerequisite.
"""

import importlib
import importlib.util
import os
import shutil
import sys

import click

from autograder.cli.context import WORK, UserError, place_work
from autograder.course import CourseError

VERBS = {
    "demo": "autograder.cli.demo:demo",
    "start": "autograder.cli.learner:start",
    "check": "autograder.cli.learner:check",
    "watch": "autograder.cli.watch:watch",
    "status": "autograder.cli.progress_of_learner:status",
    "hint": "autograder.cli.progress_of_learner:hint",
    "portfolio": "autograder.cli.portfolio:portfolio",
    "reset": "autograder.cli.learner:reset",
    "update": "autograder.cli.update:update",
    "doctor": "autograder.cli.doctor:doctor",
    "install": "autograder.cli.install:install",
    "services": "autograder.cli.services:services",
    "system": "autograder.cli.lab09_system:system",
    "dataset": "autograder.cli.dataset:dataset",
    "play": "autograder.cli.play:play",
    "experiment": "autograder.cli.experiments:experiment",
    "judge": "autograder.cli.judge:judge",
    "collect": "autograder.cli.collect:collect",
    "grade": "autograder.cli.grade:grade",
    "mark": "autograder.cli.mark:mark",
    "journal": "autograder.cli.journal:journal",
    "forget": "autograder.cli.forget:forget",
    "export": "autograder.cli.export:export",
    "pack": "autograder.cli.pack:pack",
    "build": "autograder.cli.author:build",
    "verify": "autograder.cli.author:verify",
    "test": "autograder.cli.author:test",
    "new": "autograder.cli.new:new",
    "site": "autograder.cli.site:site",
}
FOR_WHOM = {
    "Everyone": ["demo", "doctor", "install", "dataset", "play", "services", "system", "experiment"],
    "Learners": ["start", "check", "watch", "status", "hint", "portfolio", "reset", "update"],
    "Instructors": ["judge", "collect", "grade", "mark", "journal", "export", "forget", "pack"],
    "Authors": ["build", "verify", "test", "new", "site"],
}


def is_here(verb: str) -> bool:
    """Return whether this kit has the verb's module; a student's kit has none of instructors' and authors' verbs."""
    return verb in VERBS and importlib.util.find_spec(VERBS[verb].partition(":")[0]) is not None


class Verbs(click.Group):
    """A group whose verbs are imported when they are called, so that `./lab --help` is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs of this kit in the order of the help page."""
        return [verb for verbs in FOR_WHOM.values() for verb in verbs if is_here(verb)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the verb's command, or None."""
        if not is_here(cmd_name):
            return None
        module, _, name = VERBS[cmd_name].partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve as click does, with our own message for a verb that is unknown or not in the student's kit."""
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            raise click.UsageError(f"no verb {args[0]}; `./lab --help` lists the verbs")
        if args and args[0] in VERBS and not is_here(args[0]):
            raise click.UsageError(
                f"this is the student's kit; {args[0]} needs the full kit, which your instructor has"
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verbs, grouped by the people who use them."""
        for people, verbs in FOR_WHOM.items():
            rows = [(verb, self._summary(ctx, verb)) for verb in verbs if is_here(verb)]
            if rows:
                with formatter.section(people):
                    formatter.write_dl(rows)

    def _summary(self, ctx: click.Context, verb: str) -> str:
        command = self.get_command(ctx, verb)
        return command.get_short_help_str(90) if command else ""


OLD_NAMES = {"race": "throughput", "no-race": "no-throughput"}  # accepted for one more release, no longer shown


@click.group(
    cls=Verbs,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 110,
        "token_normalize_func": lambda token: OLD_NAMES.get(token, token),
    },
)
def lab() -> None:
    """StreamLab: build a stream-processing system lab by lab, judged at every step."""


def run() -> None:
    """Run the command line and leave with its exit code."""
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    place_work(WORK)
    try:
        code = lab.main(prog_name="lab", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as page:
        click.echo(page.format_message())
        code = 0
    except click.ClickException as mistake:
        code = _say(mistake.format_message())
    except (UserError, CourseError) as mistake:
        code = _say(str(mistake))
    except (click.Abort, KeyboardInterrupt):
        code = _say("stopped; what was written stays", 130)
    except BrokenPipeError:
        code = 0
    except OSError as problem:
        code = _say(path_and_reason(problem))
    sys.exit(code if isinstance(code, int) else 0)


def path_and_reason(problem: OSError) -> str:
    """Return the path, the reason and the next step of an error of the operating system, as far as it has them.

    Example: path_and_reason(OSError(28, "No space left on device")) -> "No space left on device; `./lab doctor` …"
    """
    if isinstance(problem, shutil.Error) and isinstance(problem.args[0], list):
        return f"cannot copy a file: {problem.args[0][0][-1]}"  # the first of (source, target, reason)
    if problem.strerror is None:
        return str(problem) or type(problem).__name__
    if problem.filename is None:
        return f"{problem.strerror}; `./lab doctor` checks this machine"
    return f"cannot use {problem.filename}: {problem.strerror}; check the path, its permissions and the free space"


def _say(text: str, code: int = 2) -> int:
    one_line = " ".join(text.split())
    click.echo(f"lab: {one_line}", err=True)
    return code
