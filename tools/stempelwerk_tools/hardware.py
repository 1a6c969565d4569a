"""Draws the structure of a product: `hardware/<product>/profile.toml` becomes parts, wiring and drawings of cases.

A profile has units (a scanner, its base), each with parts (`id`, `name`, `eur` net for one, `count`) and wires from
`part.pin` to `part.pin`. `board` and `pin` name the pin's role in the firmware, which a test compares; a wire that is a
`cable` brings its own ground. `case` has its outer `size` and its `wall`; a part in it has a `size`, and one position
in `at` for each piece: millimetres from the upper left corner of the front, the third towards the back. A part that
`opens` shows through the case.
"""

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from stempelwerk_tools.proven import ROOT

HARDWARE = ROOT / "hardware"
ROW, BOX, GAP, MARGIN, HEAD = 20, 290, 250, 24, 26
COLOURS = ("#b3261e", "#1f6f43", "#1d5fa8", "#8a5a00", "#6b3fa0", "#00727a")


class Box(NamedTuple):
    """A box with its pins and their vertical centres."""

    x: int
    y: int
    pins: Mapping[str, int]
    height: int


def profiles() -> dict[str, dict[str, Any]]:
    """Returns the profile of each product."""
    paths = sorted(HARDWARE.glob("*/profile.toml"))
    return {path.parent.name: tomllib.loads(path.read_text(encoding="utf-8")) for path in paths}


def price(profile: Mapping[str, Any]) -> float:
    """Returns the price of all parts of a product, in EUR net."""
    return math.fsum(
        unit["count"] * part.get("count", 1) * part["eur"] for unit in profile["unit"] for part in unit["part"]
    )


def parts_page(profile: Mapping[str, Any]) -> str:
    """Returns the bill of materials as Markdown."""
    lines = [
        f"# {profile['name']}: bill of materials",
        "",
        "Net prices of single pieces, in EUR; they are a guide.",
        "",
    ]
    for unit in profile["unit"]:
        lines += [f"## {unit['count']} × {unit['name']}", ""]
        lines += ["| part | pieces | each | together |", "|---|--:|--:|--:|"]
        for part in unit["part"]:
            count = unit["count"] * part.get("count", 1)
            lines.append(f"| {part['name']} | {count} | {part['eur']:.2f} | {count * part['eur']:.2f} |")
        lines.append("")
    lines += [f"Together {price(profile):.2f}; in the shop {profile['price_eur']}.", ""]
    return "\n".join(lines)


def diagram(unit: Mapping[str, Any]) -> str:
    """Returns the wiring of a unit as SVG: its controller on the left, the parts that it is wired to on the right."""
    wire_ends = [end for wire in unit["wire"] for end in (wire["from"], wire["to"])]
    pins: dict[str, list[str]] = {}
    for end in wire_ends:
        part, pin = end.split(".", 1)
        if pin not in pins.setdefault(part, []):
            pins[part].append(pin)
    names = {part["id"]: part["name"] for part in unit["part"]}
    first = next(part["id"] for part in unit["part"] if part.get("role") == "controller")
    other_parts = [part for part in pins if part != first]
    # Half a row lower, so that wires to the left and to the right do not overlap.
    boxes = dict(_stacked([first], pins, MARGIN, MARGIN))
    boxes |= dict(_stacked(other_parts, pins, MARGIN + BOX + GAP, MARGIN + ROW // 2))
    height = max(box.y + box.height for box in boxes.values()) + MARGIN
    width = 2 * (MARGIN + BOX) + GAP
    body = [_box(names[part], box, right=part == first) for part, box in boxes.items()]
    body += [_wire(index, len(unit["wire"]), boxes, first, wire) for index, wire in enumerate(unit["wire"])]
    return _svg_document(width, height, unit["name"], body)


def boxes(unit: Mapping[str, Any]) -> Iterator[tuple[str, Sequence[int], Sequence[int]]]:
    """Yields the parts in a unit's case: the part's id, its start and its end, in mm."""
    for part in unit["part"]:
        for position in part.get("at", ()):
            yield part["id"], position, [start + length for start, length in zip(position, part["size"], strict=True)]


def enclosure(unit: Mapping[str, Any]) -> str:
    """Returns a unit's case as SVG: the front view, and below it the view from below; visible parts have solid
    outlines.
    """
    width, height, depth = unit["case"]["size"]
    scale, below = 640 / width, MARGIN + 2 * ROW
    parts = {part["id"]: part for part in unit["part"] if "at" in part}
    names = {identity: f"{index}" for index, identity in enumerate(parts, 1)}
    legend = [f"{number}  {parts[identity]['name']}" for identity, number in names.items()]
    views = (
        ("from the front", 0, 1, MARGIN + ROW, height),
        ("from below", 0, 2, MARGIN + ROW + int(height * scale) + below, depth),
    )
    body, bottom = [], 0
    for title, across, down, top, tall in views:
        body.append(f'<text x="{MARGIN}" y="{top - 6}">{title}: {width} × {tall} mm</text>')
        body.append(_outline(MARGIN, top, width * scale, tall * scale, 'fill="#f4f5f7" stroke="#5b6472"'))
        wall = unit["case"]["wall"] * scale
        inner = (width * scale - 2 * wall, tall * scale - 2 * wall)
        body.append(_outline(MARGIN + wall, top + wall, *inner, 'fill="#fff" stroke="#c3c8d0"'))
        for identity, start, end in sorted(boxes(unit), key=lambda box: -box[1][2]):
            x, y = MARGIN + start[across] * scale, top + start[down] * scale
            wide, high = (end[across] - start[across]) * scale, (end[down] - start[down]) * scale
            dashes = "" if parts[identity].get("opens") else ' stroke-dasharray="4 3"'
            body.append(_outline(x, y, wide, high, f'fill="none" stroke="#1d5fa8"{dashes}'))
            body.append(f'<text x="{x + 3:.0f}" y="{y + min(12, high - 1):.0f}">{names[identity]}</text>')
        bottom = top + int(tall * scale)
    body += [
        f'<text x="{MARGIN}" y="{bottom + ROW * index}">{escape(text)}</text>' for index, text in enumerate(legend, 1)
    ]
    return _svg_document(2 * MARGIN + 640, bottom + ROW * (len(legend) + 1), f"case of the {unit['name']}", body)


def _outline(x: float, y: float, width: float, height: float, look: str) -> str:
    return f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" {look}/>'


def _svg_document(width: int, height: int, label: str, body: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="{escape(label)}">\n'
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def files() -> Iterator[tuple[Path, str]]:
    """Yields every page that is made of the profiles, and its content."""
    for product, profile in profiles().items():
        yield HARDWARE / product / "parts.md", parts_page(profile)
        for unit in profile["unit"]:
            yield HARDWARE / product / f"{unit['name']}.svg", diagram(unit)
            yield HARDWARE / product / f"{unit['name']}-case.svg", enclosure(unit)


def _stacked(parts: Sequence[str], pins: Mapping[str, Sequence[str]], x: int, y: int) -> Iterator[tuple[str, Box]]:
    for part in parts:
        middles = {pin: y + HEAD + index * ROW + ROW // 2 for index, pin in enumerate(pins[part])}
        height = HEAD + ROW * len(middles) + 8
        yield part, Box(x, y, middles, height)
        y += height + ROW + 6


def _box(name: str, box: Box, *, right: bool) -> str:
    size = f'x="{box.x}" y="{box.y}" width="{BOX}" height="{box.height}"'
    lines = [f'<rect {size} rx="6" fill="#f4f5f7" stroke="#5b6472"/>']
    short = name if len(name) <= 38 else name[:37] + "…"
    lines.append(f'<text x="{box.x + 10}" y="{box.y + 18}" font-weight="600">{escape(short)}</text>')
    for pin, middle in box.pins.items():
        x, anchor = (box.x + BOX - 10, "end") if right else (box.x + 10, "start")
        lines.append(f'<text x="{x}" y="{middle + 4}" text-anchor="{anchor}">{escape(pin)}</text>')
    return "\n".join(lines)


def _wire(index: int, count: int, boxes: Mapping[str, Box], first: str, wire: Mapping[str, str]) -> str:
    """Draws a wire: between columns across the gap, each in a lane of its own; between two parts on the right around
    their left.
    """
    (from_x, from_y), (to_x, to_y) = (_end(boxes, first, wire[end]) for end in ("from", "to"))
    lane = MARGIN + BOX + 16 + index * (GAP - 32) // max(1, count - 1)
    colour = COLOURS[index % len(COLOURS)]
    return f'<path d="M{from_x} {from_y}H{lane}V{to_y}H{to_x}" fill="none" stroke="{colour}" stroke-width="1.5"/>'


def _end(boxes: Mapping[str, Box], first: str, end: str) -> tuple[int, int]:
    part, pin = end.split(".", 1)
    box = boxes[part]
    return (box.x + BOX if part == first else box.x), box.pins[pin]


if __name__ == "__main__":
    for path, content in files():
        path.write_text(content, encoding="utf-8")
