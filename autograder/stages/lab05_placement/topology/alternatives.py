"""Other right solutions of `cpus` and `read_topology`; each must get full marks."""

import re

from autograder.checks.mutant_markers import alternative
from streamlab.lab05_placement.numa import Topology


@alternative("by_pattern")
def cpus(text):
    if not re.fullmatch(r"([0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*)?", text.strip()):
        raise ValueError(f"not a list: {text!r}")
    found = set()
    for first, last in re.findall(r"([0-9]+)(?:-([0-9]+))?", text):
        if last and int(first) > int(last):
            raise ValueError(f"backwards: {text!r}")
        found |= set(range(int(first), int(last or first) + 1))
    return sorted(found)


# One function, without any other task: all files are read first.
@alternative("all_files_first")
def read_topology(folder, allowed=None):
    def read(name):
        try:
            return (folder / name).read_text().strip()
        except FileNotFoundError:
            raise ValueError(f"no {folder / name}") from None

    def listed(name):
        text, found = read(name), []
        for part in text.split(",") if text else []:
            match = re.fullmatch("([0-9]+)(-[0-9]+)?", part)
            if not match:
                raise ValueError(f"{folder / name}: {text}")
            last = int(match[2][1:]) if match[2] else int(match[1])
            if last < int(match[1]):
                raise ValueError(f"{folder / name}: {text}")
            found += range(int(match[1]), last + 1)
        return found

    online, cores, distance, taken = listed("online"), {}, {}, {}
    if not online:
        raise ValueError(f"{folder}/online is empty")
    for node in online:
        cores[node] = []
        for core in listed(f"node{node}/cpulist"):
            if core in taken:
                raise ValueError(f"{folder}/node{node}/cpulist: core {core} is in node {taken[core]}")
            taken[core] = node
            if allowed is None or core in allowed:
                cores[node].append(core)
    for node in online:
        words = read(f"node{node}/distance").split()
        name = f"{folder}/node{node}/distance"
        if len(words) != len(online) or not all(word.isdigit() for word in words):
            raise ValueError(f"{name}: {words}")
        distance[node] = {other: int(word) for other, word in zip(online, words, strict=True)}
        if sorted(distance[node].values())[0] != distance[node][node] != 10 or distance[node][node] != 10:
            raise ValueError(f"{name}: {words}")
        if any(far <= 10 for other, far in distance[node].items() if other != node):
            raise ValueError(f"{name}: {words}")
    return Topology(cores, distance)
