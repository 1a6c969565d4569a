"""The structure of products: the pages follow from the profiles, and the profiles from the programs."""

import re
import tomllib
from itertools import chain, combinations
from typing import Any

import pytest
from stempelwerk_tools import hardware
from stempelwerk_tools.proven import ROOT

PROFILES = hardware.profiles()
UNITS = [(product, unit) for product, profile in PROFILES.items() for unit in profile["unit"]]
NAMES = [f"{product} {unit['name']}" for product, unit in UNITS]
SHOP = (ROOT / "web/src/app/public/shop/products.ts").read_text(encoding="utf-8")


def test_the_pages_are_what_the_profiles_say() -> None:
    for path, content in hardware.files():
        assert path.read_text(encoding="utf-8") == content, f"make reference writes {path.name}"


@pytest.mark.parametrize(("product", "unit"), UNITS, ids=NAMES)
def test_every_wire_ends_at_a_part_and_no_pin_is_taken_twice(product: str, unit: dict[str, Any]) -> None:
    ids = [part["id"] for part in unit["part"]]
    assert len(ids) == len(set(ids))
    wire_ends = [(wire["from"], wire["to"]) for wire in unit["wire"]]
    assert {end.split(".", 1)[0] for end in chain(*wire_ends)} <= set(ids)
    (controller,) = (part["id"] for part in unit["part"] if part.get("role") == "controller")
    controller_ends = [end for end in chain(*wire_ends) if end.startswith(f"{controller}.") and "GP" in end]
    assert len(controller_ends) == len(set(controller_ends))


@pytest.mark.parametrize(("product", "unit"), UNITS, ids=NAMES)
def test_each_wired_part_has_a_ground_and_each_circuit_is_wired(product: str, unit: dict[str, Any]) -> None:
    grounds, wired = ("GND", "−"), {part["id"] for part in unit["part"]} - {"card", "case", "leads"}
    pins_by_part: dict[str, list[str]] = {}
    for wire in unit["wire"]:
        for end in (wire["from"], wire["to"]):
            part, pin = end.split(".", 1)
            pins_by_part.setdefault(part, []).append("GND" if wire.get("cable") else pin)
    assert wired == pins_by_part.keys()
    for part, pins in pins_by_part.items():
        assert any(pin.startswith(grounds) for pin in pins), f"{part} has no ground"


@pytest.mark.parametrize(("product", "unit"), UNITS, ids=NAMES)
def test_everything_lies_in_its_case_and_nothing_in_anothers_place(product: str, unit: dict[str, Any]) -> None:
    size, wall = unit["case"]["size"], unit["case"]["wall"]
    opens = {part["id"] for part in unit["part"] if part.get("opens")}
    positions = list(hardware.boxes(unit))
    for part in unit["part"]:
        assert len(part.get("at", [None])) == part.get("count", 1), part["id"]
        assert "at" in part or part["id"] in ("card", "case", "leads", "mains"), part["id"]
    for part, start, end in positions:
        open_at = {part} & opens
        for axis in range(3):
            assert (0 if open_at else wall) <= start[axis], part
            assert end[axis] <= size[axis] - (0 if open_at else wall), part
    for (left_part, start, end), (right_part, begin, stop) in combinations(positions, 2):
        apart = any(end[axis] <= begin[axis] or stop[axis] <= start[axis] for axis in range(3))
        assert apart, f"{left_part} and {right_part} lie in the same place"


def test_a_readers_coil_is_near_the_front_and_has_no_metal_before_or_beside_it() -> None:
    for product, unit in UNITS:
        positions = {part: (start, end) for part, start, end in hardware.boxes(unit)}
        if "reader" not in positions:
            continue
        start, end = positions.pop("reader")
        nearest = {"core": 5, "go": 2}[product]  # as in the pages of assembly
        assert start[2] <= nearest
        for part, (begin, stop) in positions.items():
            over = all(begin[axis] < end[axis] and start[axis] < stop[axis] for axis in (0, 1))
            assert not (over and begin[2] < end[2]), f"{part} lies before the coil"
        if "screen" in positions:
            assert start[0] - positions["screen"][1][0] >= 20


def test_a_scanner_fits_into_its_place_in_the_base() -> None:
    scanner, base = PROFILES["go"]["unit"]
    (place,) = (part["size"] for part in base["part"] if part["id"] == "docks")
    assert all(2 <= room - outside <= 4 for room, outside in zip(place, scanner["case"]["size"], strict=True))


def test_the_lines_of_a_base_have_a_scanners_name_by_the_clocks_rules() -> None:
    rules = (ROOT / "edge/deploy/70-stempelwerk.rules").read_text(encoding="utf-8")
    (usb,) = (part["usb"] for _, unit in UNITS for part in unit["part"] if "usb" in part)
    vendor, product = usb.split(":")
    rule = f'ATTRS{{idVendor}}=="{vendor}", ATTRS{{idProduct}}=="{product}", SYMLINK+="stempelwerk-scanner-%k"'
    assert rule in rules


def test_every_drawing_stands_on_its_page() -> None:
    for path, _ in hardware.files():
        page = (path.parent / "README.md").read_text(encoding="utf-8")
        assert f"({path.name})" in page


def test_the_parts_cost_less_than_the_product() -> None:
    for profile in PROFILES.values():
        assert 0 < hardware.price(profile) < profile["price_eur"] / 1.5


def test_a_price_is_the_shops() -> None:
    for profile in PROFILES.values():
        (shop_price,) = re.findall(rf"title: '{profile['name']}'.*?priceEUR: (\d+)", SHOP, re.DOTALL)
        assert profile["price_eur"] == int(shop_price)


def test_a_scanner_is_wired_as_its_firmware_says() -> None:
    boards = [unit for _, unit in UNITS if "board" in unit]
    assert boards
    for unit in boards:
        board_file: dict[str, Any] = {}
        exec((ROOT / "firmware/boards" / f"{unit['board']}.py").read_text(encoding="utf-8"), board_file)
        wired = {wire["pin"]: wire["from"] for wire in unit["wire"] if "pin" in wire}
        assert wired == {name: f"pico.GP{number}" for name, number in _pins(board_file["BOARD"]).items()}


def _pins(board: dict[str, Any]) -> dict[str, int]:
    """Returns each pin of a board by its name; numbers of buses and factors are not pins."""
    groups = {name: group for name, group in board.items() if isinstance(group, dict)}
    flat = {f"{name}.{key}": value for name, group in groups.items() for key, value in group.items()}
    flat |= {name: value for name, value in board.items() if isinstance(value, int) and not isinstance(value, bool)}
    not_pins = ("id", "divider", "bus", "fed")
    return {name: value for name, value in flat.items() if name.rsplit(".", 1)[-1] not in not_pins}


def test_a_clock_is_wired_as_its_configuration_says() -> None:
    (unit,) = PROFILES["core"]["unit"]
    config = "\n".join(unit["config"])
    page = (ROOT / "hardware/core/README.md").read_text(encoding="utf-8")
    assert all(f"   {line}\n" in page for line in unit["config"])
    leds = dict(re.findall(r"gpio=(\d+),label=(stempelwerk:\w+)", config))
    wires = {wire["led"]: wire["from"] for wire in unit["wire"] if "led" in wire}
    assert {f"stempelwerk:{name}" for name in ("green", "red")} == set(leds.values())
    for gpio, label in leds.items():
        assert wires[label.split(":")[1]].startswith(f"pi.GPIO{gpio} ")
    (sounder,) = re.findall(r"pwm,pin=(\d+)", config)
    assert wires["buzzer"].startswith(f"pi.GPIO{sounder} ")
    text = (ROOT / "edge/deploy/stempelwerk-edge.toml").read_text(encoding="utf-8").replace("# [signals]", "[signals]")
    signals = tomllib.loads(re.sub(r"^# (green|red|buzzer) =", r"\1 =", text, flags=re.MULTILINE))["signals"]
    assert {signals[name] for name in ("green", "red")} == {f"/sys/class/leds/{label}" for label in leds.values()}
