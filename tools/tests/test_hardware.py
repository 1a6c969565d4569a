"""What products are built of: the pages follow from the profiles, and the profiles from the programs."""

import re
import tomllib
from itertools import chain
from typing import Any

import pytest
from stempelwerk_tools import hardware
from stempelwerk_tools.proven import ROOT

PROFILES = hardware.profiles()
UNITS = [(product, unit) for product, profile in PROFILES.items() for unit in profile["unit"]]
SHOP = (ROOT / "web/src/app/public/shop/products.ts").read_text(encoding="utf-8")


def test_the_pages_are_what_the_profiles_say() -> None:
    for path, content in hardware.files():
        assert path.read_text(encoding="utf-8") == content, f"make reference writes {path.name}"


@pytest.mark.parametrize(("product", "unit"), UNITS, ids=[f"{product} {unit['name']}" for product, unit in UNITS])
def test_every_wire_ends_at_a_part_and_no_pin_is_taken_twice(product: str, unit: dict[str, Any]) -> None:
    ids = [part["id"] for part in unit["part"]]
    assert len(ids) == len(set(ids))
    ends = [(wire["from"], wire["to"]) for wire in unit["wire"]]
    assert {end.split(".", 1)[0] for end in chain(*ends)} <= set(ids)
    (controller,) = (part["id"] for part in unit["part"] if part.get("role") == "controller")
    own = [end for end in chain(*ends) if end.startswith(f"{controller}.") and "GP" in end]
    assert len(own) == len(set(own))


def test_the_parts_cost_less_than_the_product() -> None:
    for profile in PROFILES.values():
        assert 0 < hardware.price(profile) < profile["price_eur"] / 1.5


def test_a_price_is_the_shops() -> None:
    for profile in PROFILES.values():
        (shown,) = re.findall(rf"title: '{profile['name']}'.*?priceEUR: (\d+)", SHOP, re.DOTALL)
        assert profile["price_eur"] == int(shown)


def test_a_scanner_is_wired_as_its_firmware_says() -> None:
    boards = [unit for _, unit in UNITS if "board" in unit]
    assert boards
    for unit in boards:
        said: dict[str, Any] = {}
        exec((ROOT / "firmware/boards" / f"{unit['board']}.py").read_text(encoding="utf-8"), said)
        wired = {wire["pin"]: wire["from"] for wire in unit["wire"] if "pin" in wire}
        assert wired == {name: f"pico.GP{number}" for name, number in _pins(said["BOARD"]).items()}


def _pins(board: dict[str, Any]) -> dict[str, int]:
    """By its name, each pin of a board; numbers of buses and factors are none."""
    groups = {name: more for name, more in board.items() if isinstance(more, dict)}
    flat = {f"{name}.{key}": value for name, more in groups.items() for key, value in more.items()}
    flat |= {name: value for name, value in board.items() if isinstance(value, int) and not isinstance(value, bool)}
    none = ("id", "divider", "bus", "fed")
    return {name: value for name, value in flat.items() if name.rsplit(".", 1)[-1] not in none}


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
