"""The PN532 over SPI, I2C or HSU (its serial interface): looks for a tag, gives its identifier, sleeps between.

The chip runs the cascade of type A tags itself: an identifier of 7 or 10 bytes comes whole. `Pn532.look` is trusted
with 4, 7 and 10 bytes only if the tag's own size bits agree, since a chip that lost power in between falls back to
appending other data. NXP UM0701-02.
"""

import time

_WAKE = b"\x55\x55" + bytes(14)
_ACK = b"\x00\x00\xff\x00\xff\x00"
_SAM, _RF, _PARAMETERS, _LIST, _DOWN, _VERSION = 0x14, 0x32, 0x12, 0x4A, 0x16, 0x02
_LONGEST = 40  # an answer with an identifier of 10 bytes has 25
_ANSWERS_WITHIN = 60  # ms
_SIZES = (4, 7, 10)  # by the two size bits of SENS_RES


class ReaderAbsent(Exception):
    """No chip answers."""


class ReaderFault(Exception):
    """The chip answers nonsense, or no longer."""


class Pn532:
    """One chip. It is configured at the first look, and again after every fault."""

    def __init__(self, bus, sleep_ms=time.sleep_ms):
        self._bus, self._sleep = bus, sleep_ms
        self._configured = self._asleep = False

    def look(self, then_sleep=False):
        """Returns the identifier of the tag in the field, or None. Raises ReaderAbsent, ReaderFault.

        `then_sleep` powers the chip down afterwards; the next look wakes it.
        """
        if not self._configured:
            self._configure()
        elif self._asleep:
            self._wake()
        self._configured = False  # until all went well
        answer = self._command(_LIST, b"\1\0")
        uid = _identifier(answer) if answer[:1] == b"\1" else None
        if then_sleep:
            self._command(_DOWN, b"\xf0")  # SPI, I2C, HSU and the field may wake it
        self._configured, self._asleep = True, then_sleep
        return uid

    def _wake(self):
        # It still knows its configuration.
        self._bus.wake()
        self._command(_SAM, b"\1\0\1")  # no security module; answers end a command

    def _configure(self):
        try:
            self._wake()
            version = self._command(_VERSION, b"")
        except ReaderFault as fault:
            raise ReaderAbsent(str(fault))
        if version[:1] != b"\x32":
            raise ReaderAbsent("another chip")
        self._command(_PARAMETERS, b"\0")  # no automatic RATS: nothing after the identifier
        self._command(_RF, b"\5\xff\1\1")  # two tries for a tag, then the answer that the field is empty

    def _command(self, code, data):
        body = b"\xd4" + bytes([code]) + data
        self._bus.write(
            b"\0\0\xff" + bytes([len(body), -len(body) & 0xFF]) + body + bytes([-sum(body) & 0xFF, 0])
        )
        if self._answer(6) != _ACK:
            raise ReaderFault("no acknowledgement")
        return self._response(code)

    def _response(self, code):
        answer = self._answer(_LONGEST)
        length = answer[3] if len(answer) > 5 else 0
        body = answer[5 : 5 + length]
        sound = answer[:3] == b"\0\0\xff" and not (length + answer[4]) & 0xFF and len(answer) > 5 + length
        if not sound or (sum(body) + answer[5 + length]) & 0xFF or body[:2] != bytes([0xD5, code + 1]):
            raise ReaderFault("answer")
        return body[2:]

    def _answer(self, length):
        for _ in range(_ANSWERS_WITHIN):
            answer = self._bus.read(length)
            if answer:
                return answer
            self._sleep(1)
        raise ReaderFault("silent")


def _identifier(answer):
    # number of targets, target, SENS_RES 2 (its size bits in the second), SEL_RES, length, identifier
    length = answer[5] if len(answer) > 5 else 0
    size = answer[3] >> 6 if len(answer) > 5 else 3
    if size > 2 or length != _SIZES[size] or len(answer) != 6 + length:
        raise ReaderFault("identifier")
    return bytes(answer[6:])


class SpiBus:
    """SPI. The chip sends the lowest bit first, which not every board's SPI can do: the bits are reversed here."""

    _STATUS, _WRITE, _READ = 2, 1, 3

    def __init__(self, spi, select, sleep_ms=time.sleep_ms):
        self._spi, self._select, self._sleep = spi, select, sleep_ms
        self._select.value(1)

    def wake(self):
        self._select.value(0)
        self._sleep(2)
        self._select.value(1)

    def write(self, frame):
        self._transfer(bytes([self._WRITE]) + frame, 0)

    def read(self, length):
        if not self._transfer(bytes([self._STATUS]), 1)[0] & 1:
            return b""
        return self._transfer(bytes([self._READ]), length)

    def _transfer(self, out, length):
        self._select.value(0)
        self._spi.write(_turned(out))
        answer = _turned(self._spi.read(length)) if length else b""
        self._select.value(1)
        return answer


class I2cBus:
    """I2C. A byte in front of each answer reports whether it is ready."""

    _ADDRESS = 0x24

    def __init__(self, i2c, sleep_ms=time.sleep_ms):
        self._i2c, self._sleep = i2c, sleep_ms

    def wake(self):
        try:
            self._i2c.writeto(self._ADDRESS, b"")
        except OSError:
            pass  # it does not answer while it wakes
        self._sleep(2)

    def write(self, frame):
        try:
            self._i2c.writeto(self._ADDRESS, frame)
        except OSError:
            raise ReaderFault("no device")

    def read(self, length):
        try:
            answer = self._i2c.readfrom(self._ADDRESS, length + 1)
        except OSError:
            return b""
        return answer[1:] if answer[0] & 1 else b""


class HsuBus:
    """The serial interface. Answers come in pieces and back to back: one is returned once it is complete."""

    def __init__(self, uart):
        self._uart = uart
        self._got = b""

    def wake(self):
        self._got = b""
        while self._uart.any():
            self._uart.read()
        self._uart.write(_WAKE)

    def write(self, frame):
        self._uart.write(frame)

    def read(self, length):
        if self._uart.any():
            self._got += self._uart.read()
        start = self._got.find(b"\0\0\xff")
        if start < 0 or len(self._got) < start + 6:
            return b""
        size = 6 if self._got[start + 3 : start + 5] == b"\0\xff" else self._got[start + 3] + 7
        if len(self._got) < start + size:
            return b""
        answer, self._got = self._got[start : start + size], self._got[start + size :]
        return answer


def _turned(data):
    turned = bytearray(len(data))
    for position in range(len(data)):  # enumerate would make a tuple for each byte
        byte = data[position]
        byte = (byte & 0xF0) >> 4 | (byte & 0x0F) << 4
        byte = (byte & 0xCC) >> 2 | (byte & 0x33) << 2
        turned[position] = (byte & 0xAA) >> 1 | (byte & 0x55) << 1
    return bytes(turned)
