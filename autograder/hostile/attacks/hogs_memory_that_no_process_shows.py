"""Uses memory that no process is charged for: in-memory files, shared segments and unread bytes of sockets.

If the judge counts only the memory of processes, the machine runs out of memory, and the kernel ends other people's
work.
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
