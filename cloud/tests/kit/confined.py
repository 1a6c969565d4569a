"""Runs Python with a filter like the unit's: no memory that is both written and executed, no priorities.

`python confined.py …` becomes `python …`. The unit itself is tested on virtual machines.
"""

import ctypes
import os
import platform
import struct
import sys

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _FILTER = 38, 22, 2
_LOAD, _EQUALS, _ANY_BIT, _AND, _GIVE = 0x20, 0x15, 0x45, 0x54, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050001  # EPERM
_WRITE, _RUN = 2, 4
_NUMBERS = {
    "x86_64": {"mmap": 9, "mprotect": 10, "setpriority": 141},
    "aarch64": {"mmap": 222, "mprotect": 226, "setpriority": 140},
}[platform.machine()]
_NUMBER_AT, _THIRD_ARGUMENT_AT = 0, 32


def confine() -> None:
    steps = [
        (_LOAD, 0, 0, _NUMBER_AT),
        (_EQUALS, 7, 0, _NUMBERS["setpriority"]),
        (_EQUALS, 3, 0, _NUMBERS["mmap"]),
        (_EQUALS, 0, 6, _NUMBERS["mprotect"]),
        (_LOAD, 0, 0, _THIRD_ARGUMENT_AT),
        (_ANY_BIT, 3, 4, _RUN),
        (_LOAD, 0, 0, _THIRD_ARGUMENT_AT),
        (_AND, 0, 0, _WRITE | _RUN),
        (_EQUALS, 0, 1, _WRITE | _RUN),
        (_GIVE, 0, 0, _REFUSE),
        (_GIVE, 0, 0, _ALLOW),
    ]
    code = b"".join(struct.pack("HBBI", *step) for step in steps)
    code_buffer = ctypes.create_string_buffer(code)
    program = struct.pack("HP", len(steps), ctypes.addressof(code_buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    for call in ((_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (_PR_SET_SECCOMP, _FILTER, program, 0, 0)):
        if libc.prctl(*call) != 0:
            raise OSError(ctypes.get_errno(), "prctl")


if __name__ == "__main__":
    confine()
    os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
