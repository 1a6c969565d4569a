"""Maps errors of SQLite and the operating system to the journal's three errors.

It knows both `sqlite3` and `apsw` by the codes that their exceptions carry, and imports neither.
"""

import os
from pathlib import Path

from stempelwerk_edge.errors import JournalBroken, JournalDamaged, JournalError, JournalFull

_CANTOPEN, _IOERR, _FULL, _CORRUPT, _NOTADB = 14, 10, 13, 11, 26
_NEARLY_NOTHING = 64 * 1024


def code_of(fault: BaseException) -> int | None:
    """Returns SQLite's primary result code that an exception carries; None if it is not one of SQLite's."""
    for name in ("sqlite_errorcode", "extendedresult", "result"):
        code = getattr(fault, name, None)
        if isinstance(code, int):
            return code & 0xFF
    return None


def is_storage_fault(fault: BaseException) -> bool:
    """Returns whether an exception comes from the database or the disk, and not from a mistake of ours."""
    return code_of(fault) is not None or isinstance(fault, OSError)


def as_journal_error(fault: BaseException, directory: Path) -> JournalError:
    """Returns the error of our tree for a storage fault."""
    if isinstance(fault, JournalError):
        return fault
    code, text = code_of(fault), f"{type(fault).__name__}: {fault}"
    if code in (_CORRUPT, _NOTADB):
        return JournalDamaged(text)
    if code == _FULL or (isinstance(fault, OSError) and fault.errno == 28):
        return JournalFull(text)
    # SQLite reports "no space" for its shared memory and new files only as "cannot open" or "input/output error".
    if code in (_CANTOPEN, _IOERR) and _free_bytes(directory) < _NEARLY_NOTHING:
        return JournalFull(text)
    return JournalBroken(text)


def _free_bytes(directory: Path) -> int:
    try:
        figures = os.statvfs(directory)
    except OSError:
        return _NEARLY_NOTHING
    return figures.f_bavail * figures.f_frsize
