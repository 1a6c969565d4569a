"""A `machine` without a machine: pins are numbers in a dict, and every reader's bus leads to the one `CHIP`.

`UARTS` maps a UART to the object at its end, with any(), read(at most) and write(data); without one it is the chip.
"""

from pn532 import Chip

CHIP = Chip()
PINS = {}
UARTS = {}
WORLD = {"millivolts": 4000, "slept": 0, "tones": []}


class Reset(BaseException):
    pass


def reset():
    raise Reset


def lightsleep(milliseconds):
    WORLD["slept"] += milliseconds


class WDT:
    """The one watchdog. It bites only in `pass_time`, which a simulated scanner never calls."""

    patience = remaining = None

    def __init__(self, timeout):
        WDT.patience = timeout
        self.feed()

    def feed(self):
        WDT.remaining = WDT.patience


def pass_time(milliseconds):
    """Lets time pass while the firmware works."""
    if WDT.remaining is None:
        return
    WDT.remaining -= milliseconds
    if WDT.remaining < 0:
        WDT.remaining = None
        raise Reset


class Pin:
    IN, OUT, PULL_DOWN, PULL_UP = 0, 1, 2, 3

    def __init__(self, number, mode=-1, pull=-1, value=None):
        self.number, self._open = number, int(pull == Pin.PULL_UP)
        if value is not None:
            self.value(value)

    def value(self, value=None):
        if value is None:
            return PINS.get(self.number, self._open)
        PINS[self.number] = int(value)
        if value == 0:
            CHIP.wake()  # the reader's select line; for others it means nothing


class PWM:
    def __init__(self, pin, freq, duty_u16):
        self._hertz, self._duty = freq, duty_u16

    def freq(self, hertz):
        self._hertz = hertz

    def duty_u16(self, duty):
        if duty and not self._duty:
            WORLD["tones"].append(self._hertz)
        self._duty = duty


class ADC:
    def __init__(self, pin):
        pass

    def read_u16(self):
        return WORLD["millivolts"] // 2 * 65535 // 3300


def _turn(data):
    turned = bytearray(len(data))
    for position in range(len(data)):
        for bit in range(8):
            turned[position] |= (data[position] >> bit & 1) << (7 - bit)
    return turned


class SPI:
    def __init__(self, number, **settings):
        self._reading = b""

    def write(self, data):
        data = _turn(data)
        if data[0] == 1:
            CHIP.receive(bytes(data[1:]))
        elif data[0] == 2:
            self._reading = b"\1" if CHIP.answers else b"\0"
        elif data[0] == 3:
            self._reading = CHIP.fetch()

    def read(self, length):
        return _turn((self._reading + bytes(length))[:length])


class I2C:
    def __init__(self, number, **settings):
        pass

    def writeto(self, address, data):
        if CHIP.dead:
            raise OSError(5)
        if not data:
            CHIP.wake()
            raise OSError(5)
        CHIP.receive(data)

    def readfrom(self, address, length):
        ready = b"\1" if CHIP.answers else b"\0"
        return (ready + CHIP.fetch() + bytes(length))[:length]


class UART:
    def __init__(self, number, **settings):
        self._end = UARTS.get(number)

    def any(self):
        return self._end.any() if self._end else len(CHIP.answers)

    def read(self, size=-1):
        return self._end.read(size) if self._end else CHIP.fetch()

    def write(self, data):
        if self._end:
            self._end.write(data)
        else:
            CHIP.receive(bytes(data))
