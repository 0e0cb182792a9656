"""The machine's memory, in places that no process is charged with: files in memory, segments, unread bytes of sockets.

Where only the processes are counted, the machine runs out of memory, and the kernel ends other people's work.
"""

NAMED = "ctypes"
COSTS = ["words"]

import ctypes
import platform
import socket

C = ctypes.CDLL(None, use_errno=True)
MEMFD, SEGMENT = (319, 29) if platform.machine() == "x86_64" else (279, 194)
print("memfd", C.syscall(MEMFD, b"x", 0), "segment", C.syscall(SEGMENT, 0, 1 << 30, 0o1600))


def words(line):
    held = []
    while len(held) < 2_000:
        held.append(socket.socketpair())
        for end in held[-1]:
            end.setblocking(False)
            try:
                while True:
                    end.send(b"x" * 4096)
            except BlockingIOError:
                pass
    return held
