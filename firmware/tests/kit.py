"""Runs in the interpreter: the tests of a module, and what several of them need."""

import io
import json
import os
import sys


os.urandom = None  # the boards have it; tests bring their own chance


def run(name):
    """JSON: [what is claimed, what came out, what was expected] for each function test_… of a module.

    One that asserts comes out as null or as the traceback; one that yields brings its own triples.
    """
    module = __import__(name)
    results = []
    for test in sorted([test for test in dir(module) if test.startswith("test_")]):
        claim = test[5:].replace("_", " ")
        count_before = len(results)
        try:
            for label, actual, expected in getattr(module, test)() or ():
                results.append([claim + ": " + label, actual, expected])
            if len(results) == count_before:
                results.append([claim, None, None])
        except Exception as error:
            output = io.StringIO()
            sys.print_exception(error, output)
            results.append([claim, output.getvalue(), None])
    return json.dumps(results)


def cases(topic):
    with open("/vectors/" + topic + ".json") as file:
        return json.load(file)["cases"]


def raises(error, call, *arguments):
    try:
        call(*arguments)
    except error as raised:
        return raised
    raise AssertionError("nothing was raised")


def no_watchdog():
    """Replaces the feed of the watchdog in a test without one."""


class Chance:
    """Numbers that look random and are the same for a seed; also random bytes, if called."""

    def __init__(self, seed):
        self._state = seed * 2654435761 % 4294967296 or 1

    def below(self, limit):
        state = self._state
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        self._state = state
        return (state >> 3) % limit

    def __call__(self, length):
        return bytes([self.below(256) for _ in range(length)])


class PowerCut(BaseException):
    pass


class Card:
    """A file system that dies: after `bytes_left` more bytes (a file closed, renamed, made or removed counts as one).

    `torn`: data written before the cut persists, closed or not; otherwise only closed files, as on LittleFS. `files`
    outlives it. With `full` set, or once `room` bytes are used, writing raises OSError instead, and removing goes on.
    """

    def __init__(self, files=None, bytes_left=1 << 30, torn=False):
        self.files = {} if files is None else files
        self.left, self.torn, self.full, self.used = bytes_left, torn, False, 0
        self.room = 1 << 30

    def spend(self, count):
        if self._takes_no_more(count):
            raise OSError(28)
        done = min(count, self.left)
        self.left -= done
        self.used += done
        return done

    def _takes_no_more(self, count):
        return self.full or self.used + count > self.room

    def mount(self, readonly, mkfs):
        pass

    def umount(self):
        pass

    def chdir(self, path):
        pass

    def mkdir(self, path):
        if path in self.files:
            raise OSError(17)
        self._all_or_nothing()
        self.files[path] = None

    def stat(self, path):
        if path not in self.files:
            raise OSError(2)
        content = self.files[path]
        return (0x4000 if content is None else 0x8000, 0, 0, 0, 0, 0, len(content or b""), 0, 0, 0)

    def ilistdir(self, path):
        start = path.rstrip("/") + "/"
        if start != "/" and start[:-1] not in self.files:
            raise OSError(2)
        names = [name[len(start) :] for name in self.files if name.startswith(start)]
        return iter([(name, 0x8000, 0) for name in names if "/" not in name])

    def remove(self, path):
        if path not in self.files:
            raise OSError(2)
        if not self._takes_no_more(1):
            self._all_or_nothing()
        del self.files[path]

    rmdir = remove

    def rename(self, old, new):
        self._all_or_nothing()
        self.files[new] = self.files.pop(old)

    def open(self, path, mode):
        folder = path[: path.rfind("/")]
        if (path not in self.files) if "r" in mode else (folder and folder not in self.files):
            raise OSError(2)
        return _File(self, path, mode)

    def _all_or_nothing(self):
        if not self.spend(1):
            raise PowerCut


class _File:
    def __init__(self, card, path, mode):
        self._card, self._path, self._writes = card, path, "r" not in mode
        self._content = bytearray(b"" if "w" in mode else card.files.get(path, b""))
        self._at = 0

    def read(self, length=-1):
        end = len(self._content) if length < 0 else self._at + length
        piece = bytes(self._content[self._at : end])
        self._at += len(piece)
        return piece

    def seek(self, position):
        self._at = position

    def write(self, data):
        done = self._card.spend(len(data))
        self._content += data[:done]
        if done < len(data):
            if self._card.torn:
                self._card.files[self._path] = bytes(self._content)
            raise PowerCut

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if self._writes and kind is None:
            if not self._card.spend(1):
                if self._card.torn:
                    self._card.files[self._path] = bytes(self._content)
                raise PowerCut
            self._card.files[self._path] = bytes(self._content)


def mounted(card):
    """The card at /card instead of the one that was there."""
    try:
        os.umount("/card")
    except OSError:
        pass
    os.mount(card, "/card")
    return card
