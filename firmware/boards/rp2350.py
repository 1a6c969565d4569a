"""Beacon on a Raspberry Pi Pico 2 (RP2350): the same pins as on the RP2040, the reader over I2C."""

BOARD = {
    "name": "rp2350",
    "reader": {"bus": "i2c", "id": 0, "sda": 20, "scl": 21},
    "line": {"bus": "uart", "id": 0, "tx": 0, "rx": 1},
    "docked": 14,
    "signal": {"green": 10, "red": 11, "sounder": 12, "motor": 13},
    "battery": {"adc": 26, "divider": 2, "charging": 15},
    "sleeps": True,
}
