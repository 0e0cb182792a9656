"""Searches /proc for command lines, environments, memory, open files and the root folder of all processes."""

NAMED = "/proc/"
EVERY_LAB = True

import os

for pid in os.listdir("/proc"):
    for what in ("cmdline", "environ", "mem", "root/etc/shadow", f"root{CLASS_FOLDER}/secret", f"cwd{CLASS_FOLDER}"):
        try:
            print(open(f"/proc/{pid}/{what}", "rb").read(200))
        except (OSError, ValueError):
            pass
