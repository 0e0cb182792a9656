"""The seccomp filter of a sandbox: system calls that neither Python nor Java needs do not exist inside.

They give access to what namespaces do not separate (keyrings, tracing, the kernel's own programs) or to memory that no
process's figures show: memfds and System V segments. Of the segments, only PostgreSQL's of 56 bytes is allowed; a
namespace has at most 4,096 of them, so 16 MB. The filter is a hand-written BPF program for 64-bit x86 and ARM.
"""

import os
import platform
import struct

ENOSYS, EAFNOSUPPORT = 38, 97
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT, _SECOND_ARGUMENT = 0, 4, 16, 24
_X32 = 0x40000000  # from this number on: x86's calls with 32-bit pointers

FAMILIES = (1, 2, 10, 16)  # unix, IPv4, IPv6, netlink; AF_VSOCK reaches the hypervisor from any network namespace
COMMANDS = (1024, 1026)  # fcntl's leases and change notifications on files of the host
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# name: (x86_64, aarch64)
FORBIDDEN = {
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "userfaultfd": (323, 282),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "vmsplice": (278, 75),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "lookup_dcookie": (212, 18),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "syslog": (103, 116),
    "acct": (163, 89),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
}
ONLY_X86 = (154, 172, 173, 134, 156)  # modify_ldt, iopl, ioperm, uselib, _sysctl
CHECKED = {"socket": (41, 198), "fcntl": (72, 25), "shmget": (29, 194)}
POSTGRES_SEGMENT_BYTES = 56  # its interlock against a second server; its buffers are mapped memory


def why_no_filter() -> str | None:
    """Return None if this machine's call numbers are known, otherwise what is missing."""
    machine = platform.machine()
    return None if machine in ARCHITECTURES else f"no system call filter for {machine}"


def filter_in_memory() -> int | None:
    """Return a file descriptor, at position 0, with the filter for this machine; None if it has no filter."""
    machine = platform.machine()
    if machine not in ARCHITECTURES:
        return None
    descriptor = os.memfd_create("filter")
    os.write(descriptor, program(machine))
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def program(machine: str) -> bytes:
    """Return the filter as the kernel reads it."""
    column = list(ARCHITECTURES).index(machine)
    forbidden = [numbers[column] for numbers in FORBIDDEN.values()] + list(ONLY_X86 if machine == "x86_64" else ())
    lines = [_step(_LOAD, _ARCHITECTURE), _step(_EQUAL, ARCHITECTURES[machine], 1, 0), _refuse(ENOSYS)]
    lines += [_step(_LOAD, _NUMBER)]
    if machine == "x86_64":
        lines += [_step(_AT_LEAST, _X32, 0, 1), _refuse(ENOSYS)]
    for number in sorted(forbidden):
        lines += [_step(_EQUAL, number, 0, 1), _refuse(ENOSYS)]
    lines += _argument_of(CHECKED["socket"][column], _FIRST_ARGUMENT, FAMILIES, only=True)
    lines += _argument_of(CHECKED["fcntl"][column], _SECOND_ARGUMENT, COMMANDS, only=False)
    lines += _segment_of(CHECKED["shmget"][column], POSTGRES_SEGMENT_BYTES)
    return b"".join([*lines, _step(_RETURN, _ALLOW)])


def _segment_of(number: int, size_bytes: int) -> list[bytes]:
    """Allow shmget with this size only, compared in all 64 bits of the argument."""
    high = [_step(_LOAD, _SECOND_ARGUMENT + 4), _step(_EQUAL, 0, 0, 2)]
    low = [_step(_LOAD, _SECOND_ARGUMENT), _step(_EQUAL, size_bytes, 1, 0)]
    return [_step(_EQUAL, number, 0, 6), *high, *low, _refuse(ENOSYS), _step(_RETURN, _ALLOW)]


def _argument_of(number: int, offset: int, values: tuple[int, ...], *, only: bool) -> list[bytes]:
    """Allow one call with these values of an argument `only`, or with all values but these."""
    count = len(values)
    # a listed value jumps over the first answer to the second
    listed = [_step(_EQUAL, value, count - at, 0) for at, value in enumerate(values)]
    allow = _step(_RETURN, _ALLOW)
    answers = [_refuse(EAFNOSUPPORT), allow] if only else [allow, _refuse(ENOSYS)]
    return [_step(_EQUAL, number, 0, count + 3), _step(_LOAD, offset), *listed, *answers]


def _refuse(error: int) -> bytes:
    return _step(_RETURN, _ERRNO | error)


def _step(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    """Return one instruction: its code, its jumps, its operand."""
    return struct.pack("HBBI", code, if_so, if_not, value)
