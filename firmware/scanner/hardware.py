"""A board's parts, from its data (`boards/`): the only module that knows `machine`."""

import time

from machine import ADC, I2C, PWM, SPI, UART, WDT, Pin, lightsleep, reset

from scanner import power, reader


class Outputs:
    """Two lights, a sounder and a motor, any of them optional."""

    def __init__(self, pins):
        self._lights = {}
        for colour, name in (("g", "green"), ("r", "red")):
            if name in pins:
                self._lights[colour] = Pin(pins[name], Pin.OUT, value=0)
        self._motor = Pin(pins["motor"], Pin.OUT, value=0) if "motor" in pins else None
        self._sounder = PWM(Pin(pins["sounder"]), freq=1000, duty_u16=0) if "sounder" in pins else None

    def tone(self, hertz):
        if self._sounder is not None:
            if hertz:
                self._sounder.freq(hertz)
            self._sounder.duty_u16(0x8000 if hertz else 0)

    def light(self, colour):
        for name in self._lights:
            self._lights[name].value(name == colour)

    def vibrate(self, on):
        if self._motor is not None:
            self._motor.value(on)


class Hardware:
    """The parts of a board; `board` is its data. `line` has any(), read(at most) and write(data). `feed` feeds the
    watchdog after each block of a long piece of work.
    """

    def __init__(self, board):
        self.name = board["name"]
        self.feed = WDT(timeout=8000).feed  # main.py's: a board has one, and main.py is never updated over the wire
        self.outputs = Outputs(board["signal"])
        self.reader = reader.Pn532(_bus(board["reader"]))
        line = board["line"]
        self.line = UART(line["id"], baudrate=115200, tx=Pin(line["tx"]), rx=Pin(line["rx"]), rxbuf=2048)
        self._docked = Pin(board["docked"], Pin.IN, Pin.PULL_DOWN) if "docked" in board else None
        self._sleeps = board["sleeps"]
        self._battery = board.get("battery")
        if self._battery:
            self._voltage = ADC(Pin(self._battery["adc"]))
            self._charging = Pin(self._battery["charging"], Pin.IN, Pin.PULL_UP)

    def docked(self):
        """Returns whether the scanner is in its base; a board without a pin for it lives in its base."""
        return self._docked is None or bool(self._docked.value())

    def battery(self):
        """Returns (millivolts, percent, whether it charges); (0, None, False) without a battery."""
        if not self._battery:
            return 0, None, False
        millivolts = self._voltage.read_u16() * 3300 * self._battery["divider"] // 65535
        return millivolts, power.percent(millivolts), not self._charging.value()  # an open drain

    def sleep(self, milliseconds, deeply):
        """Waits; `deeply`: no part of the chip needs to run meanwhile."""
        if deeply and self._sleeps:
            lightsleep(milliseconds)
        else:
            time.sleep_ms(milliseconds)

    def restart(self):
        reset()


def _bus(wiring):
    if wiring["bus"] == "spi":
        sck, mosi, miso = Pin(wiring["sck"]), Pin(wiring["mosi"]), Pin(wiring["miso"])
        spi = SPI(wiring["id"], baudrate=1000000, polarity=0, phase=0, sck=sck, mosi=mosi, miso=miso)
        return reader.SpiBus(spi, Pin(wiring["select"], Pin.OUT, value=1))
    if wiring["bus"] == "i2c":
        return reader.I2cBus(I2C(wiring["id"], sda=Pin(wiring["sda"]), scl=Pin(wiring["scl"]), freq=400000))
    return reader.HsuBus(UART(wiring["id"], baudrate=115200, tx=Pin(wiring["tx"]), rx=Pin(wiring["rx"]), rxbuf=256))
