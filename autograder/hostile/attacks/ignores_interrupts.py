"""Runs an endless loop in a cell, and ignores every signal that it can.

Stock nbgrader: an interrupt does not stop the kernel; there is no grade, and the process continues.
"""

NAMED = "left out"
EVERY_LAB = True

import signal

for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGXCPU):
    signal.signal(number, signal.SIG_IGN)
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
