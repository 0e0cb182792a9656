"""Reaches files outside through links inside: symbolic and hard links to the gradebook and the solutions."""

NAMED = "gradebook.db"
EVERY_LAB = True

import os

for number, target in enumerate((f"{CLASS_FOLDER}/gradebook.db", f"{KIT}/solutions", "/proc/1/root", "/kit")):
    for link in (os.symlink, os.link):
        try:
            link(target, os.path.expanduser(f"~/{link.__name__}{number}"))
        except OSError as problem:
            print(problem)
for number in range(4):
    try:
        open(os.path.expanduser(f"~/symlink{number}"), "w").write("hostile")
    except OSError as problem:
        print(problem)
