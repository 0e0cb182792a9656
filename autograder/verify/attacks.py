"""The part of a verification that lets submissions attack the judge, if the judge's defences have changed."""

import tempfile
from pathlib import Path

from autograder.hostile.attack import TWO_TASKS
from autograder.hostile.trial import try_all
from autograder.judge.request import OnProgress, Request
from autograder.sandbox import choose_level
from autograder.verify.digest import digest_of_attacks, read_verified, write_verified
from autograder.verify.report import Report


def verify_attacks(request: Request, *, quick: bool, whole: bool, on_progress: OnProgress) -> Report:
    """Verify that attacks gain nothing, change nothing outside the sandbox, and are named in the learner's report.

    `quick` leaves out attacks on throughput checks. Without `whole`, no attack runs if nothing has changed since the
    last complete trial at this sandbox level.
    """
    report, level = Report("attacks"), choose_level(request.sandbox)
    folder = request.root / "autograder" / "hostile"
    digest, before = digest_of_attacks(request.root), read_verified(folder)
    if not whole and before.get(level, {}).get("digest") == digest:
        report.part("skipped", f"nothing they test has changed ({level}); `./lab verify --attacks` runs them", [])
        return report
    with report.timed("hostile") as found, tempfile.TemporaryDirectory(prefix="streamlab-verify-") as files:
        trial = try_all(request, Path(files), throughput_checks=not quick, on_progress=on_progress)
        report.attacks, found.holes = trial.attack_results, trial.holes()
        found.outcome = f"{len(trial.attack_results)} attacks on {len(TWO_TASKS)} labs: nothing gained, each one named"
    if not quick and not report.holes:
        kept = {"digest": digest, "attacks": len(report.attacks), "seconds": report.parts[-1].seconds}
        write_verified(folder, before | {level: kept})
    return report
