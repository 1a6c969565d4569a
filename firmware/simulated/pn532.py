"""The PN532 as its host sees it: frames in, frames out (NXP UM0701-02). Only what a scanner's driver needs.

`tag` is the identifier in its field, or None. `looks` replace it in the next looks, one by one. `answers` are the
frames that the host has yet to fetch. Faults: `dead` (it does not answer), `size_bits` (another size than the tag has),
`forgetful` (as after a dip in its supply: it appends the tag's ATS), `noisy` (a byte is wrong).
"""

ACK = b"\0\0\xff\0\xff\0"
_ATS = b"\x05\x78\x77\x71\x02"


def frame(body):
    return b"\0\0\xff" + bytes([len(body), (256 - len(body)) % 256]) + body + bytes([-sum(body) % 256, 0])


class Chip:
    def __init__(self):
        self.tag = self.size_bits = None
        self.looks = []
        self.answers = []
        self.commands = []
        self.asleep = True
        self._falls_asleep = False  # once its answer has been fetched
        self.dead = self.forgetful = self.noisy = False

    def wake(self):
        self.asleep = False

    def receive(self, data):
        """Takes the host's bytes: one whole frame, or the bytes that wake the serial interface."""
        start = data.find(b"\0\0\xff")
        if self.dead or start < 0:
            if data.startswith(b"\x55\x55"):
                self.wake()
            return
        length = data[start + 3]
        body = data[start + 5 : start + 5 + length]
        wrong = (length + data[start + 4]) % 256 or (sum(body) + data[start + 5 + length]) % 256
        if self.asleep or wrong or body[0] != 0xD4:
            return
        self.commands.append(body[1])
        answer = frame(bytes([0xD5, body[1] + 1]) + self._obey(body[1], body[2:]))
        if self.noisy:
            answer = answer[:-2] + bytes([answer[-2] ^ 1]) + answer[-1:]
        self.answers = [ACK, answer]

    def fetch(self):
        answer = self.answers.pop(0) if self.answers else b""
        if self._falls_asleep and not self.answers:
            self.asleep, self._falls_asleep = True, False
        return answer

    def _obey(self, code, data):
        if code == 0x02:
            return b"\x32\x01\x06\x07"
        if code == 0x16:
            self._falls_asleep = True
            return b"\0"
        if code == 0x4A:
            return self._list_targets()
        if code in (0x12, 0x14, 0x32):
            if code == 0x12:
                self.forgetful = False
            return b""
        return b"\x01"

    def _list_targets(self):
        tag = self.looks.pop(0) if self.looks else self.tag
        if tag is None:
            return b"\0"
        size = {4: 0, 7: 1, 10: 2}.get(len(tag), 3) if self.size_bits is None else self.size_bits
        answer = b"\1\1\0" + bytes([size << 6 | 4, 0x20 if self.forgetful else 0, len(tag)]) + tag
        return answer + (_ATS if self.forgetful else b"")
