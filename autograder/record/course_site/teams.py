"""Sorts the files of an archive by who hands in together: each student alone, or the members of a group.

The groups are those of the class's policy. The site may have a group's file under one member (Canvas), under each
member (older releases of Moodle), or under the group's name (Moodle).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from autograder.classroom.policy import Group
from autograder.record.course_site.archive import BadArchive, Entry
from autograder.record.course_site.entry_names import READERS, BadName, SiteFile
from autograder.record.course_site.roster import Roster, UnknownStudent

GROUP = ""  # the owner of a file that the site has under a group's name; no student has this id


@dataclass
class Team:
    """Students who hand in together, and their files by the student under whom the site has them."""

    members: tuple[str, ...]
    files: dict[str, list[SiteFile]] = field(default_factory=dict)

    @property
    def all_files(self) -> list[SiteFile]:
        """The files of all members."""
        return [file for files in self.files.values() for file in files]

    def add(self, owner: str, file: SiteFile) -> None:
        """Add a file."""
        self.files.setdefault(owner, []).append(file)


def teams_of(
    entries: Sequence[Entry], site: str, roster: Roster, groups: Iterable[Group], left_out: dict[str, str]
) -> list[Team]:
    """Return who handed in what, and enter the reason for each file of nobody into `left_out`.

    Raises `BadArchive` if no name is of this site, but some are of the other one.
    """
    teams: dict[str, Team] = {}
    named: dict[str, Team] = {}
    for group in groups:
        team = Team(group.members)
        teams |= dict.fromkeys(group.members, team)
        named |= {group.name: team} if group.name else {}
    known_names = 0
    for entry in entries:
        try:
            file = READERS[site](entry)
            known_names += 1
            if site == "moodle" and file.owner in named:
                named[file.owner].add(GROUP, file)
                continue
            owner = roster.owner_on(site, file)
            teams.setdefault(owner, Team((owner,))).add(owner, file)
        except (BadName, UnknownStudent) as problem:
            left_out[entry.name] = str(problem)
    if not known_names:
        _require_no_other_site(entries, site)
    handed_in = {id(team): team for team in teams.values() if team.files}
    return sorted(handed_in.values(), key=lambda team: team.members)


def _require_no_other_site(entries: Sequence[Entry], site: str) -> None:
    for other in READERS.keys() - {site}:
        if any(_reads(other, each) for each in entries):
            raise BadArchive(f"named as {other.title()} names files; collect it with `--from {other}`")


def _reads(site: str, entry: Entry) -> bool:
    try:
        READERS[site](entry)
    except BadName:
        return False
    return True
