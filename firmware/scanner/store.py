"""Storage that survives a power cut: the log of taps, and the few settings.

The log is a folder of segments, files of fixed-size records that are only ever appended to; a file's name carries the
start's place among all, its epoch and the number of its first record, so a record's place is its number. LittleFS keeps
an append only once the file is closed, then as a whole: `append` returns after that, and the caller signals afterwards.
Should a file system tear an append, the tail shows by its length, and was never signalled.

Each start counts from 1 in an epoch of its own, and writes into no file of an earlier one. So even if a flash has lost
its end, no number is drawn twice: the clock would take the second tap for the first. The epochs of earlier starts that
had taps are remembered when those are gone, so that chance does not draw one of them again.

Acknowledged taps are removed when all of their segment are acknowledged; that is the durable half of it. The other
half, up to a segment, is in memory only, and sending those again changes nothing.

File systems may raise OSError anywhere; it is let through, and the log stays as it was.
"""

import binascii
import json
import os
import struct

RECORD = 40  # boot 16, tick 8, length 1, identifier 10, one byte free, crc 4
_BODY = RECORD - 4
MOST_REMEMBERED = 1024
_OVERFLOW = "overflow"
_EPOCHS = "epochs"
_NEW = ".new"
_ASIDE = ".aside"
_LARGEST_SETTINGS = 2048
_LAST = 0xFFFFFFFF
_HEX = "0123456789abcdef"


class LogFull(Exception):
    """The log has no room for another tap. The refused tap is already counted in `overflow`."""


class Files:
    """The files of one folder, which is created. A replaced file has either its old or its new content.

    `feed` feeds the watchdog; it is called after each write, so that many writes in a row are no hang. `aside` counts
    the files and folders that were in the way and were renamed.
    """

    def __init__(self, root, feed):
        self.root, self.feed, self.aside = root, feed, 0
        if root and _is_folder(root) is False:
            self._rename_aside(root)
        try:
            os.mkdir(root)
        except OSError:
            pass  # it exists; if it can't be made, the first write fails

    def names(self):
        try:
            return os.listdir(self.root)
        except OSError:
            return []

    def is_file(self, name):
        return _is_folder(self.root + "/" + name) is False

    def set_aside(self, name):
        """Renames a file or a folder that is in the way, so that it is no longer found."""
        self._rename_aside(self.root + "/" + name)

    def clear(self, names):
        """Sets aside folders that have the name of a file."""
        for name in names:
            if _is_folder(self.root + "/" + name):
                self.set_aside(name)

    def _rename_aside(self, path):
        count = 1
        while _is_folder("%s%s%d" % (path, _ASIDE, count)) is not None:
            count += 1
        try:
            os.rename(path, "%s%s%d" % (path, _ASIDE, count))
        except OSError:
            pass  # a flash that takes nothing more: it stays where it is
        self.aside += 1
        self.feed()

    def size(self, name):
        return os.stat(self.root + "/" + name)[6]

    def read(self, name, offset=0, length=-1):
        with open(self.root + "/" + name, "rb") as file:
            if offset:
                file.seek(offset)
            return file.read(length)

    def append(self, name, data):
        with open(self.root + "/" + name, "ab") as file:
            file.write(data)
        self.feed()

    def replace(self, name, data):
        with open(self.root + "/" + name + _NEW, "wb") as file:
            file.write(data)
        os.rename(self.root + "/" + name + _NEW, self.root + "/" + name)
        self.feed()

    def remove(self, name):
        os.remove(self.root + "/" + name)
        self.feed()


def _is_folder(path):
    # Returns None if the path does not exist.
    try:
        return bool(os.stat(path)[0] & 0x4000)
    except OSError:
        return None


class _Run:
    """The taps of one start: `next` is the next number, `acked` the highest that the clock has committed as far as is
    known here, `firsts` the first number of each file. `mark` is the prefix of the files' names: the order of the
    starts and the epoch. An earlier program, which went on counting and ignores the new files, wrote only the epoch.
    """

    def __init__(self, mark, firsts, next):
        self.mark, self.firsts, self.next = mark, firsts, next
        self.epoch = int(mark[-9:-1], 16)
        self.acked = firsts[0] - 1 if firsts else 0

    def name(self, first):
        return self.mark + "%08x" % first

    @property
    def used(self):
        return self.next - 1 - self.acked


class Log:
    """The log of taps. Starts are sent one after the other: `epoch`, `first`, `next` and `acked` belong to the start
    that is `sending`; `newest` is this start's. `overflow` counts the taps that found the log full, since it was
    formatted.

    `random(n)` gives n random bytes.
    """

    def __init__(self, files, random, segments=64, records=96):
        self._files, self._random = files, random
        self._records = records
        self.capacity = segments * records
        firsts_by_mark = {}
        for name in files.names():
            if _ASIDE in name:
                continue
            is_file = files.is_file(name)
            if is_file and _is_segment(name):
                firsts_by_mark.setdefault(name[:-8], []).append(int(name[-8:], 16))
            elif not is_file or (name not in (_OVERFLOW, _EPOCHS) and name[-4:] != _NEW):
                files.set_aside(name)
        self._runs = []
        for mark in sorted(firsts_by_mark, key=lambda mark: (len(mark), mark)):
            self._find(_Run(mark, sorted(firsts_by_mark[mark]), 0))
        for run in list(self._runs):
            if not run.used:
                self._drop(run)
        self._runs.append(self._draw_run())
        self.overflow = self._read_overflow()

    def _find(self, run):
        # A foreign file may have a name of ours. Where a start's numbers lie too far apart, files without one readable
        # record are set aside: their numbers would fill the log.
        firsts = run.firsts
        counts = {first: self._files.size(run.name(first)) // RECORD for first in firsts}
        end = max([first + counts[first] for first in firsts])
        if end - firsts[0] > self.capacity or end > _LAST:
            for first in list(firsts):
                if not any([self._record(run, first, first + offset) for offset in range(counts[first])]):
                    self._files.set_aside(run.name(first))
                    firsts.remove(first)
        if firsts:
            self._runs.append(_Run(run.mark, firsts, max([first + counts[first] for first in firsts])))

    @property
    def aside(self):
        """The number of files that were in the way and were renamed."""
        return self._files.aside

    @property
    def sending(self):
        return self._runs[0]

    @property
    def newest(self):
        return self._runs[-1]

    @property
    def epoch(self):
        return self.sending.epoch

    @property
    def next(self):
        return self.sending.next

    @property
    def acked(self):
        return self.sending.acked

    @property
    def first(self):
        """Returns the lowest number that is not acknowledged yet (`next` if all are)."""
        return self.sending.acked + 1

    @property
    def used(self):
        return sum([run.used for run in self._runs])

    def greeted(self, epoch, committed):
        """Draws another epoch if the clock has taps of this one although the log is still empty."""
        if epoch == self.newest.epoch and committed and self.newest.next == 1:
            self._runs[-1] = self._draw_run()

    def append(self, boot, tick, uid):
        """Stores a tap and returns its number, once it is durable. Raises LogFull, OSError."""
        if self.used >= self.capacity:
            self.overflow += 1
            record = struct.pack(">II", self.newest.epoch, self.overflow)
            self._files.replace(_OVERFLOW, record + struct.pack(">I", binascii.crc32(record)))
            raise LogFull
        run = self.newest
        self._make_room(run)
        body = boot + struct.pack(">QB", tick, len(uid)) + uid + bytes(11 - len(uid))
        self._files.append(run.name(run.firsts[-1]), body + _crc(run.epoch, run.next, body))
        run.next += 1
        return run.next - 1

    def read(self, number):
        """Returns (boot, tick, identifier) of a tap that is being sent, None if its record cannot be read."""
        run = self.sending
        for first in reversed(run.firsts):  # a foreign file may lie over one of ours
            if first <= number:
                tap = self._record(run, first, number)
                if tap:
                    return tap
        return None

    def _record(self, run, first, number):
        try:
            record = self._files.read(run.name(first), (number - first) * RECORD, RECORD)
        except OSError:
            return None
        body = record[:_BODY]
        if len(record) != RECORD or record[_BODY:] != _crc(run.epoch, number, body):
            return None
        tick, length = struct.unpack(">QB", body[16:25])
        return body[:16], tick, body[25 : 25 + length]

    def acknowledge(self, number):
        """Marks the taps that are being sent as the clock's, up to `number`; returns False if nothing changes.

        The clock may have more of an earlier start than is left here. Once it has all, the next start is sent.
        """
        run = self.sending
        if run is not self.newest:
            number = min(number, run.next - 1)
        if not run.acked < number < run.next:
            return False
        run.acked = number
        if run is not self.newest and not run.used:
            self._drop(run)
            return True
        while len(run.firsts) > 1 and run.firsts[1] <= number + 1:
            name = run.name(run.firsts[0])
            try:
                if run.firsts[0] + self._files.size(name) // RECORD > number + 1:
                    break  # the next one lies over it, and is foreign
                self._files.remove(name)
            except OSError:
                break  # at the next acknowledgement
            run.firsts.pop(0)
        return True

    def _drop(self, run):
        # A file that cannot be removed is sent once more after the next start.
        self._runs.remove(run)
        for first in run.firsts:
            try:
                self._files.remove(run.name(first))
            except OSError:
                pass

    def _make_room(self, run):
        # The last file ends where the next record belongs, or another begins there. Data that a full flash left after
        # the last record was never signalled; missing records keep their numbers, and cannot be read.
        if run.firsts and run.next - run.firsts[-1] < self._records:
            name, length = run.name(run.firsts[-1]), (run.next - run.firsts[-1]) * RECORD
            try:
                size = self._files.size(name)
            except OSError:
                size = -1
            if size > length:
                self._files.replace(name, self._files.read(name, 0, length))
            if size >= length:
                return
        if not run.firsts:
            self._files.append(_EPOCHS, struct.pack(">I", run.epoch))
        self._files.append(run.name(run.next), b"")
        if not run.firsts or run.firsts[-1] < run.next:
            run.firsts.append(run.next)

    def _draw_run(self):
        epochs = [run.epoch for run in self._runs]
        orders = [int(run.mark[:-10], 16) for run in self._runs if len(run.mark) > 9]
        remembered = self._remembered()
        epoch = 0
        while not epoch or epoch in epochs or struct.pack(">I", epoch) in remembered:
            epoch = struct.unpack(">I", self._random(4))[0]
        return _Run("%04x-%08x-" % (max(orders or [0]) + 1, epoch), [], 1)

    def _remembered(self):
        # Looked for at any byte: what a torn append has shifted counts still, and one more draw costs nothing.
        epochs = b""
        try:
            size = self._files.size(_EPOCHS)
            if size > 4 * MOST_REMEMBERED:
                epochs = self._files.read(_EPOCHS, size - 2 * MOST_REMEMBERED)
                self._files.replace(_EPOCHS, epochs)
            else:
                epochs = self._files.read(_EPOCHS)
        except OSError:
            pass  # it does not exist yet, or it becomes shorter another time
        return epochs

    def _read_overflow(self):
        try:
            content = self._files.read(_OVERFLOW, 0, 13)
        except OSError:
            return 0
        if len(content) != 12 or struct.unpack(">I", content[8:])[0] != binascii.crc32(content[:8]):
            return 0
        return struct.unpack(">II", content[:8])[1]


def _crc(epoch, number, body):
    return struct.pack(">I", binascii.crc32(struct.pack(">II", epoch, number) + body))


def _is_segment(name):
    parts = name.split("-")
    if len(parts) not in (2, 3) or not all([part and not part.strip(_HEX) for part in parts]):
        return False
    return len(parts[-1]) == len(parts[-2]) == 8 and int(parts[-1], 16) > 0


def load(files, name):
    """Reads the JSON object in a file. Returns {} if the file cannot be read, None if it contains no JSON object."""
    try:
        value = json.loads(files.read(name, 0, _LARGEST_SETTINGS))
    except OSError:
        return {}
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def save(files, name, value):
    """Stores a JSON object. Raises OSError."""
    files.replace(name, json.dumps(value).encode())
