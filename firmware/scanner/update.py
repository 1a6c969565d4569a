"""A new image: received in pieces, verified, unpacked next to the running one, and started on trial.

The frames and the image's form are in docs/contract/scanner/v1/README.md; boot.py chooses the folder that runs by the
file `slot`: {"run": folder, "back": the former folder or "", "tries": starts left on trial, "told": the state that the
clock has yet to receive, or 0}.
"""

import binascii
import hashlib
import os
import struct

from scanner import store

RECEIVING, WRITTEN, BOOTED, REVERTED, REFUSED = 0, 1, 2, 3, 4
SIGNATURE, BOARD, SIZE, DIGEST, STORAGE, NOTHING = 1, 2, 3, 4, 5, 6
TRIES = 3
LARGEST = 256 * 1024
_IMAGE = "image"
_HEAD = 4 + 384
# DigestInfo of SHA-256 in PKCS #1 v1.5
_DIGEST_INFO = binascii.unhexlify("3031300d060960864801650304020105000420")


def is_signed(modulus, signature, digest):
    """Verifies RSASSA-PKCS1-v1_5 with SHA-256 and the exponent 65537; numbers big-endian, `modulus` as bytes."""
    n, s = int.from_bytes(modulus, "big"), int.from_bytes(signature, "big")
    if len(signature) != len(modulus) or s >= n:
        return False
    filling = b"\xff" * (len(modulus) - 3 - len(_DIGEST_INFO) - len(digest))
    padded = b"".join((b"\0\1", filling, b"\0", _DIGEST_INFO, digest))  # a sum would copy all at each step
    return pow(s, 65537, n) == int.from_bytes(padded, "big")


def _is_slot(slot):
    # boot.py replaces a damaged one, unless the flash is full.
    return (
        slot.get("run") in ("a", "b")
        and slot.get("back") in ("", "a", "b")
        and slot.get("tries") in (0, 1, 2, 3)
        and slot.get("told") in (0, BOOTED, REVERTED)
    )


class _Refused(Exception):
    pass


class Updates:
    """Receives images. `files`: the flash's root folder. `maker`: the modulus of the maker's key, empty: updates are
    refused.
    """

    def __init__(self, files, board, maker):
        self._files, self._board, self._maker = files, board, maker
        self._begun = None  # (size, digest) of what is being received
        self._offset = 0
        self.written = False

    def begin(self, body):
        """Handles UPDATE_BEGIN. Returns (offset, state, reason) for UPDATE_STATE, as `chunk` and `end` do."""
        size, digest = struct.unpack(">I", body[:4])[0], body[4:36]
        if self._begun == (size, digest):
            return self._offset, RECEIVING, 0
        if not self._maker:
            return self._refuse(SIGNATURE)
        if self.on_trial:
            return self._refuse(STORAGE)  # the running image is still on trial: the other folder is the way back
        if not _HEAD < size <= LARGEST:
            return self._refuse(SIZE)
        self._begun, self._offset = (size, digest), 0
        return self._keep(b"", self._files.replace)

    def chunk(self, body):
        if self._begun is None:
            return self._refuse(NOTHING)
        if struct.unpack(">I", body[:4])[0] != self._offset:
            return self._offset, RECEIVING, 0
        if self._offset + len(body) - 4 > self._begun[0]:
            return self._refuse(SIZE)
        return self._keep(body[4:], self._files.append)

    def end(self):
        if self.written:
            return self._offset, WRITTEN, 0
        if self._begun is None:
            return self._refuse(NOTHING)
        if self._offset < self._begun[0]:
            return self._offset, RECEIVING, 0
        try:
            self._verify(self._begun[1])
            self._unpack()
        except _Refused as refused:
            return self._refuse(refused.args[0])
        except OSError:
            return self._refuse(STORAGE)
        self.written = True
        return self._offset, WRITTEN, 0

    def welcomed(self):
        """Ends a trial, because the new image has reached its clock. Returns the state to report to the clock, or 0.
        Raises OSError.
        """
        slot = self._slot()
        state = slot.get("told", 0)
        if state or slot.get("back"):
            state = state or BOOTED
            store.save(self._files, "slot", {"run": slot["run"], "back": "", "tries": 0, "told": 0})
        return state

    @property
    def on_trial(self):
        return bool(self._slot().get("back"))

    def _slot(self):
        slot = store.load(self._files, "slot")
        return slot if slot and _is_slot(slot) else {}

    def _refuse(self, reason):
        self._begun, self._offset = None, 0
        try:
            self._files.remove(_IMAGE)  # its room is for taps
        except OSError:
            pass  # it did not exist
        return 0, REFUSED, reason

    def _keep(self, data, write):
        try:
            write(_IMAGE, data)
        except OSError:
            return self._refuse(STORAGE)
        self._offset += len(data)
        return self._offset, RECEIVING, 0

    def _verify(self, digest):
        image_digest, payload = hashlib.sha256(), hashlib.sha256()
        with open(self._files.root + "/" + _IMAGE, "rb") as file:
            head = file.read(_HEAD)
            image_digest.update(head)
            start = file.read(8)
            image_digest.update(start)
            payload.update(start)
            piece = file.read(512)
            while piece:
                image_digest.update(piece)
                payload.update(piece)
                self._files.feed()
                piece = file.read(512)
        if image_digest.digest() != digest:
            raise _Refused(DIGEST)
        if head[:4] != b"SWF1" or not is_signed(self._maker, head[4:], payload.digest()):
            raise _Refused(SIGNATURE)
        if start.rstrip(b"\0") != self._board.encode():
            raise _Refused(BOARD)

    def _unpack(self):
        slot = self._slot()
        running = slot.get("run", "a")
        other_folder = "b" if running == "a" else "a"
        folder = self._files.root + "/" + other_folder
        _remove_all(folder, self._files.feed)
        try:
            self._write(folder)
            self._files.remove(_IMAGE)
            store.save(self._files, "slot", {"run": other_folder, "back": running, "tries": TRIES, "told": 0})
        except OSError:
            _remove_all(folder, self._files.feed)  # its room is for taps
            raise

    def _write(self, folder):
        with open(self._files.root + "/" + _IMAGE, "rb") as file:
            file.seek(_HEAD + 20)
            for _ in range(_exactly(file, 1)[0]):
                name = _exactly(file, _exactly(file, 1)[0]).decode()
                size = struct.unpack(">I", _exactly(file, 4))[0]
                _make_folders(folder, name)
                with open(folder + "/" + name, "wb") as target:
                    while size:
                        piece = _exactly(file, min(size, 512))
                        target.write(piece)
                        size -= len(piece)
                        self._files.feed()
                self._files.feed()


def _exactly(file, length):
    # Raises at the end of the image: a size beyond it would otherwise loop for ever, while the watchdog is fed.
    piece = file.read(length)
    if len(piece) < length:
        raise OSError("the image ends early")
    return piece


def _make_folders(folder, name):
    parts = name.split("/")[:-1]
    for depth in range(len(parts) + 1):
        try:
            os.mkdir("/".join([folder] + parts[:depth]))
        except OSError:
            pass  # it exists


def _remove_all(folder, feed):
    try:
        names = os.listdir(folder)
    except OSError:
        try:
            os.remove(folder)  # a file in its place
        except OSError:
            pass  # it does not exist
        return
    for name in names:
        path = folder + "/" + name
        if os.stat(path)[0] & 0x4000:
            _remove_all(path, feed)
        else:
            os.remove(path)
            feed()
    os.rmdir(folder)
