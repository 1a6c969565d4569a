"""A scanner of Go on a Raspberry Pi Pico (RP2040); its wiring is in `hardware/go`."""

BOARD = {
    "name": "rp2040",
    "reader": {"bus": "spi", "id": 0, "sck": 18, "mosi": 19, "miso": 16, "select": 17},
    "line": {"bus": "uart", "id": 0, "tx": 0, "rx": 1},
    "docked": 14,  # high while the base feeds it
    "signal": {"green": 10, "red": 11, "sounder": 12, "motor": 13},
    "battery": {"adc": 26, "divider": 2, "charging": 15},
    "sleeps": True,  # in lightsleep the crystal and with it the tick go on
}
