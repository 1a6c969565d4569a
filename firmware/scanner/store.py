"""What survives a power cut: the log of taps, and the few settings.

The log is a folder of segments, files of fixed-size records that are only ever appended to; a file's name carries the
log's epoch and the number of its first record, so a record's place is its number. LittleFS keeps an append only once
the file is closed, then as a whole: `append` returns after that, and whoever signals does so afterwards. Should a file
system tear an append, the tail shows by its length, and was never signalled.

Acknowledged taps go when all of their segment are acknowledged; that is the durable half of it. The other half, up to
a segment, is in memory only, and sending those again changes nothing. The last segment stays, since it counts on.

File systems may raise OSError anywhere; it is let through, and the log stays as it was.
"""

import binascii
import json
import os
import struct

RECORD = 40  # boot 16, tick 8, length 1, identifier 10, one byte free, crc 4
_BODY = RECORD - 4
_OVERFLOW = "overflow"
_NEW = ".new"


class LogFull(Exception):
    """Not one tap more fits; it has been counted."""


class Files:
    """The files of one folder, which is made. What is replaced is there either as it was or as it should be."""

    def __init__(self, root):
        self.root = root
        try:
            os.mkdir(root)
        except OSError:
            pass  # it is there; if it can't be made, the first write says so

    def names(self):
        return os.listdir(self.root)

    def size(self, name):
        return os.stat(self.root + "/" + name)[6]

    def read(self, name, at=0, length=-1):
        with open(self.root + "/" + name, "rb") as file:
            if at:
                file.seek(at)
            return file.read(length)

    def append(self, name, data):
        with open(self.root + "/" + name, "ab") as file:
            file.write(data)

    def replace(self, name, data):
        with open(self.root + "/" + name + _NEW, "wb") as file:
            file.write(data)
        os.rename(self.root + "/" + name + _NEW, self.root + "/" + name)

    def remove(self, name):
        os.remove(self.root + "/" + name)


class Log:
    """The taps: number 1 is the first since the log was formatted, `next` the one that comes.

    `acked` is the highest number that the clock has committed as far as is known here, `overflow` counts the taps that
    found the log full. `random(n)` gives n random bytes.
    """

    def __init__(self, files, random, segments=64, records=96):
        self._files = files
        self._records = records
        self.capacity = segments * records
        self._firsts = []
        self.overflow = 0
        names = [name for name in files.names() if len(name) == 17 and name[8] == "-"]
        if names:
            self.epoch = int(names[0][:8], 16)
            self._firsts = sorted([int(name[9:], 16) for name in names])
            self.overflow = self._read_overflow()
        else:
            self.epoch = struct.unpack(">I", random(4))[0] or 1
            self._begin_segment(1)
        self.next = self._firsts[-1] + files.size(self._name(self._firsts[-1])) // RECORD
        self.acked = self._firsts[0] - 1
        self._torn = True  # until looked at

    @property
    def first(self):
        """The lowest number that is still to be acknowledged (`next` if there is none)."""
        return self.acked + 1

    @property
    def used(self):
        return self.next - 1 - self.acked

    def append(self, boot, tick, uid):
        """Keep a tap and return its number, once nothing can take it away. LogFull; OSError."""
        if self.used >= self.capacity:
            self.overflow += 1
            counted = struct.pack(">II", self.epoch, self.overflow)
            self._files.replace(_OVERFLOW, counted + struct.pack(">I", binascii.crc32(counted)))
            raise LogFull
        if self._torn:
            self._mend()
        if self.next - self._firsts[-1] >= self._records:
            self._begin_segment(self.next)
        body = boot + struct.pack(">QB", tick, len(uid)) + uid + bytes(11 - len(uid))
        self._torn = True
        self._files.append(self._name(self._firsts[-1]), body + self._crc(self.next, body))
        self._torn = False
        self.next += 1
        return self.next - 1

    def read(self, number):
        """(boot, tick, identifier) of a tap, None if its record cannot be read."""
        at = len(self._firsts) - 1
        while self._firsts[at] > number:
            at -= 1
        first = self._firsts[at]
        try:
            record = self._files.read(self._name(first), (number - first) * RECORD, RECORD)
        except OSError:
            return None
        body = record[:_BODY]
        if len(record) != RECORD or record[_BODY:] != self._crc(number, body):
            return None
        tick, length = struct.unpack(">QB", body[16:25])
        return body[:16], tick, body[25 : 25 + length]

    def acknowledge(self, number):
        """All up to `number` are the clock's now; False if that says nothing new."""
        if not self.acked < number < self.next:
            return False
        self.acked = number
        while len(self._firsts) > 1 and self._firsts[1] <= number + 1:
            try:
                self._files.remove(self._name(self._firsts[0]))
            except OSError:
                break  # at the next acknowledgement
            self._firsts.pop(0)
        return True

    def _name(self, first):
        return "%08x-%08x" % (self.epoch, first)

    def _crc(self, number, body):
        return struct.pack(">I", binascii.crc32(struct.pack(">II", self.epoch, number) + body))

    def _begin_segment(self, first):
        self._files.append(self._name(first), b"")
        self._firsts.append(first)

    def _mend(self):
        # What a power cut or a full flash left behind the last record was never signalled; its number is still free.
        name = self._name(self._firsts[-1])
        whole = (self.next - self._firsts[-1]) * RECORD
        if self._files.size(name) > whole:
            self._files.replace(name, self._files.read(name, 0, whole))
        self._torn = False

    def _read_overflow(self):
        try:
            content = self._files.read(_OVERFLOW)
        except OSError:
            return 0
        if len(content) != 12 or struct.unpack(">I", content[8:])[0] != binascii.crc32(content[:8]):
            return 0
        epoch, count = struct.unpack(">II", content[:8])
        return count if epoch == self.epoch else 0


def load(files, name):
    """A JSON object, {} if it is not there or cannot be read."""
    try:
        return json.loads(files.read(name))
    except (OSError, ValueError):
        return {}


def save(files, name, value):
    """Keep a JSON object. OSError."""
    files.replace(name, json.dumps(value).encode())
