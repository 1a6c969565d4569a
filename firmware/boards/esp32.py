"""Mini on an ESP32 (WROOM-32): no battery, it is fed by its line; the reader over HSU."""

BOARD = {
    "name": "esp32",
    "reader": {"bus": "hsu", "id": 2, "tx": 17, "rx": 16},
    "line": {"bus": "uart", "id": 1, "tx": 26, "rx": 25},
    "signal": {"green": 32, "red": 33, "sounder": 27},
    # Asleep it counts with an oscillator that is wrong by percents, where the contract allows 50 millionths.
    "sleeps": False,
}
