"""A program that becomes an account which nobody else uses, then runs a student's code in its place.

`python -I -S own_account.py PROCESSES FILTER COMMAND…`, as root, where no namespaces are allowed. The account owns the
sandbox's two folders and nothing else; it may start at most PROCESSES processes, never becomes root again, and has the
system call filter in the file FILTER, if the kernel takes it.
"""

import ctypes
import os
import resource
import sys

FIRST_UID = 300_000  # the process's own id makes the account unique: no two sandboxes live under one
SET_CHILD_SUBREAPER, SET_NO_NEW_PRIVS, SET_SECCOMP, MODE_FILTER = 36, 38, 22, 2
STEP_BYTES = 8


class Filter(ctypes.Structure):
    """The kernel's sock_fprog: the number of steps, and the steps."""

    _fields_ = (("count", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def main(processes: int, filter_file: str, command: list[str]) -> None:
    """Drop root's rights for good and replace this process with `command`; raises OSError if that is not allowed."""
    account = FIRST_UID + os.getpid()
    with open(filter_file, "rb") as file:
        steps = file.read()
    for folder in (os.environ["HOME"], os.environ["TMPDIR"]):
        os.chown(folder, account, account)
        os.chmod(folder, 0o700)
    resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
    os.setgroups([])
    os.setresgid(account, account, account)
    os.setresuid(account, account, account)
    os.umask(0o077)
    control = ctypes.CDLL(None, use_errno=True).prctl
    control(SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # the watchdog finds processes that lost their parent
    if control(SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "the kernel does not support no_new_privs")
    if steps:
        program = Filter(len(steps) // STEP_BYTES, steps)
        control(SET_SECCOMP, MODE_FILTER, ctypes.byref(program), 0, 0)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
