"""The PN532 chip: command bytes in, answer bytes out, in the framing of its serial interface (NXP UM0701-02).

Pure: it knows no line, no time and no thread. It does what a driver needs that only looks for tags: initialising,
polling for type A and type F, sleeping, changing the line's speed. Data exchange with a tag, card emulation, type B
and peer-to-peer are left out and answered with the chip's error frame.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from .tags import Tag, TypeA, TypeF

ACK = bytes.fromhex("0000FF00FF00")
_ERROR = bytes.fromhex("0000FF01FF7F8100")
_START = b"\x00\xff"
BAUD_RATES = (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600, 1288000)
_WAKING_ZEROS = 4

# Registers of the contactless unit that drivers look at.
_RX_MODE, _TX_CONTROL, _FIFO = 0x6303, 0x6304, 0x6339
_SENS_REQ = 0x26
_AUTOMATIC_RATS = 0x10
_FOR_EVER = 0xFF


def frame(data: bytes) -> bytes:
    """Returns `data` in a normal information frame or, from 256 bytes on, in an extended one."""
    if len(data) < 256:
        head = bytes([len(data), -len(data) & 0xFF])
    else:
        length = len(data).to_bytes(2, "big")
        head = b"\xff\xff" + length + bytes([-sum(length) & 0xFF])
    return b"\x00" + _START + head + data + bytes([-sum(data) & 0xFF, 0])


@dataclass
class Pn532:
    """One chip. Set `tag` to the tag in its field; `receive` takes the host's bytes and returns the answers.

    An answer is a tuple of frames: the acknowledgement and, unless the command still waits, the response.
    `speaks(baud)`: host and chip understand each other at a line speed. `reads` counts the tags given out, `commands`
    the commands by their code. `answers` decides, look by look, whether a tag at the edge of the field has enough power
    to answer; at its end the tag always has.
    """

    tag: Tag | None = None
    baud: int = 115200
    next_baud: int | None = None
    reads: int = 0
    commands: Counter[int] = field(default_factory=Counter)
    answers: Iterator[bool] = field(default_factory=lambda: iter(()))
    _buffer: bytearray = field(default_factory=bytearray)
    _asleep: bool = True
    _parameters: int = 0x14
    _retries: int = _FOR_EVER
    _registers: dict[int, int] = field(default_factory=dict)
    _waiting: bytes | None = None

    def power_cycle(self) -> None:
        """Simulates a dip in the supply: the chip forgets its configuration."""
        self.baud, self.next_baud = 115200, None
        self._buffer.clear()
        self._registers.clear()
        self._asleep, self._parameters, self._retries, self._waiting = True, 0x14, _FOR_EVER, None

    def speaks(self, baud: int) -> bool:
        """Returns whether the chip understands the host at this speed: its own, or a newly agreed one. The first byte
        at the agreed speed makes it the chip's own.
        """
        if baud == self.next_baud:
            self.baud, self.next_baud = baud, None
        return baud == self.baud

    def receive(self, data: bytes) -> list[tuple[bytes, ...]]:
        """Returns the answers to all commands that these bytes complete; ignores broken frames, as the chip does."""
        self._buffer += data
        answers = []
        while (command := self._next_frame()) is not None:
            if command == b"":  # the host's acknowledgement: abort what waits, take the agreed speed
                self._waiting = None
                self.baud, self.next_baud = self.next_baud or self.baud, None
            else:
                answers.append(self._answer(command))
        return answers

    def look_again(self) -> bytes | None:
        """Returns the response to an endless poll if a tag has come into the field meanwhile, else None."""
        if self._waiting is None or self.tag is None:
            return None
        response = self._list_passive_target(self._waiting)
        if response is None:
            return None
        self._waiting = None
        return frame(response)

    def _next_frame(self) -> bytes | None:
        while True:
            start = self._buffer.find(_START)
            if start < 0:
                del self._buffer[:-16]
                return None
            body = bytes(self._buffer[start + 2 :])
            if len(body) < 2:
                return None
            if self._asleep and start < _WAKING_ZEROS:
                del self._buffer[: start + 2]
                continue
            if body[:2] in (b"\x00\xff", b"\xff\x00"):
                del self._buffer[: start + 4]
                if body[:2] == b"\x00\xff":
                    return b""
                continue
            extended = body[:2] == b"\xff\xff"
            if extended and len(body) < 5:
                return None
            head, length = (5, int.from_bytes(body[2:4], "big")) if extended else (2, body[0])
            if sum(body[2:5] if extended else body[:2]) & 0xFF:
                del self._buffer[: start + 2]
                continue
            if len(body) < head + length + 1:
                return None
            data, check = body[head : head + length], body[head + length]
            del self._buffer[: start + 2 + head + length + 1]
            if length and (sum(data) + check) & 0xFF == 0 and data[0] == 0xD4:
                self._asleep = False
                return data

    def _answer(self, command: bytes) -> tuple[bytes, ...]:
        code, data = command[1], command[2:]
        self.commands[code] += 1
        self._waiting = None
        if code == 0x4A:
            response = self._list_passive_target(data)
            if response is None and self._retries == _FOR_EVER:
                self._waiting = data
                return (ACK,)
            return ACK, frame(response or b"\xd5\x4b\x00")
        response = self._configure(code, data)
        return (ACK, _ERROR) if response is None else (ACK, frame(bytes([0xD5, code + 1]) + response))

    def _configure(self, code: int, data: bytes) -> bytes | None:
        match code:
            case 0x00:  # Diagnose: only the line test, which wants its bytes back
                return data if data[:1] == b"\x00" else b"\x00"
            case 0x02:  # GetFirmwareVersion: PN532, 1.6
                return b"\x32\x01\x06\x07"
            case 0x06:  # ReadRegister
                addresses = [int.from_bytes(data[index : index + 2], "big") for index in range(0, len(data), 2)]
                return bytes(self._registers.get(address, 0) for address in addresses)
            case 0x08:  # WriteRegister
                for index in range(0, len(data), 3):
                    self._registers[int.from_bytes(data[index : index + 2], "big")] = data[index + 2]
            case 0x10:  # SetSerialBaudrate
                self.next_baud = BAUD_RATES[data[0]]
            case 0x12:  # SetParameters
                self._parameters = data[0]
            case 0x14:  # SAMConfiguration
                pass
            case 0x32:  # RFConfiguration
                self._configure_field(data[0], data[1:])
            case 0x16 | 0x44 | 0x52:  # PowerDown, InDeselect, InRelease
                self._asleep = code == 0x16
                return b"\x00"
            case _:
                return None
        return b""

    def _configure_field(self, item: int, data: bytes) -> None:
        if item == 0x01:
            self._registers[_TX_CONTROL] = 0x83 if data[0] & 1 else 0x80
        elif item == 0x05:
            self._retries = data[2]

    def _list_passive_target(self, data: bytes) -> bytes | None:
        technology, initiator_data = data[1], data[2:]
        self._registers[_TX_CONTROL] = 0x83
        target_data = None
        if technology == 0:
            target_data = self._with_power(self._type_a(initiator_data))
            self._registers[_FIFO] = _SENS_REQ if target_data is None else 0
        elif technology in (1, 2) and isinstance(self.tag, TypeF):
            answer = (
                b"\x01" + self.tag.idm + self.tag.pmm + (self.tag.system if initiator_data[3:4] == b"\x01" else b"")
            )
            target_data = self._with_power(bytes([len(answer) + 1]) + answer)
        if target_data is None:
            return None
        self.reads += 1
        return b"\xd5\x4b\x01\x01" + target_data

    def _with_power(self, answer: bytes | None) -> bytes | None:
        return answer if answer is not None and next(self.answers, True) else None

    def _type_a(self, initiator_data: bytes) -> bytes | None:
        tag = self.tag
        if not isinstance(tag, TypeA) or (initiator_data and bytes(initiator_data).replace(b"\x88", b"", 1) != tag.uid):
            return None
        target_data = tag.sens_res.to_bytes(2, "big") + bytes([tag.sel_res, len(tag.uid)]) + tag.uid
        if tag.speaks_iso_dep and self._parameters & _AUTOMATIC_RATS:
            target_data += tag.ats
        return target_data
