"""The command `stempelwerk flash`: lays out what a scanner's flash must hold, and says or does how it gets there.

Without `--port`, and with `--dry-run`, no board is touched: it says what to connect and which commands to give.
`mpremote` is the program of MicroPython that talks to a board; it is not part of this project (`pip install mpremote`).
"""

import argparse
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stempelwerk_tools.packages.program import ROOT

from .build import BOARDS, FIRMWARE, FirmwareError, compiled, image, unit, version, wiring

TARGET = ROOT / "var" / "firmware"
_NEEDS = "MicroPython 1.23 or newer"
_EXAMPLE = "SW-00000001"


def main(arguments: Sequence[str]) -> int:
    """Lay out, say, and with `--port` do; exit status 1 where a step fails, 2 for a wrong call."""
    parser = argparse.ArgumentParser(prog="stempelwerk flash", description=__doc__)
    parser.add_argument("board", choices=BOARDS, help="which board")
    parser.add_argument("--serial", help="the scanner's serial number, which no other has; needed to flash it")
    parser.add_argument("--maker", type=Path, metavar="PEM", help="whose images it takes later; none without it")
    parser.add_argument("--port", metavar="DEVICE", help="do it, to the board at this serial port")
    parser.add_argument("--dry-run", action="store_true", help="only say it, whatever --port says")
    parser.add_argument("--image", type=Path, metavar="KEY", help="make a signed image for updates as well")
    parser.add_argument("--out", type=Path, default=TARGET, metavar="FOLDER", help="where it is put (var/firmware)")
    chosen = parser.parse_args(arguments)
    flashes = chosen.port and not chosen.dry_run
    if flashes and chosen.serial is None:
        parser.error("--serial is missing: each scanner needs a number of its own, its clock knows it by that")
    folder = chosen.out / chosen.board
    try:
        lay_out(folder, chosen.board, _EXAMPLE if chosen.serial is None else chosen.serial, chosen.maker)
        if chosen.image:
            target = chosen.out / f"{chosen.board}-{version()}.swf"
            target.write_bytes(image(chosen.board, chosen.image))
            print(f"Image for updates: {target} ({target.stat().st_size} bytes)\n")
    except FirmwareError as error:
        print(f"stempelwerk flash: {error}", file=sys.stderr)
        return 1
    steps = commands(folder, chosen.port or "DEVICE")
    print("\n".join([*connections(wiring(chosen.board)), "", *_files(folder), "", "Commands:"]))
    print("\n".join(f"  {shlex.join(step)}" for step in steps))
    if chosen.serial is None:
        print(f"\nThis is for a look: unit.json says {_EXAMPLE}. Each scanner needs a number of its own, by --serial.")
    return _do(steps) if flashes else 0


def lay_out(folder: Path, board: str, serial: str, maker: Path | None) -> None:
    """Fill `folder` (anew) with what the flash must hold. FirmwareError."""
    files = {"unit.json": unit(serial, board, maker)}
    files |= {name: (FIRMWARE / name).read_bytes() for name in ("boot.py", "main.py")}
    files |= {f"a/{name}": content for name, content in compiled().items()}
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def connections(board: dict[str, Any]) -> list[str]:
    """What to connect, line by line."""
    reader, line = board["reader"], board["line"]
    rows = [(f"PN532 ({reader['bus'].upper()})", _pins(reader)), ("line to the clock (115200 8N1)", _pins(line))]
    rows += [(name, f"GPIO {pin}") for name, pin in board["signal"].items()]
    if "docked" in board:
        rows.append(("docked: 3.3 V while the base feeds it", f"GPIO {board['docked']}"))
    if battery := board.get("battery"):
        rows.append((f"battery through a divider by {battery['divider']}", f"GPIO {battery['adc']}"))
        rows.append(("charging: pulled low while it charges (open drain)", f"GPIO {battery['charging']}"))
    width = max(len(what) for what, _ in rows)
    return [f"Connect to the {board['name']}:", *(f"  {what:<{width}}  {pins}" for what, pins in rows)]


def commands(folder: Path, port: str) -> list[list[str]]:
    """The calls of mpremote that put `folder` onto the board; the key and the taps that are there stay."""
    start = ["mpremote", "connect", port]
    rest = sorted(str(path) for path in folder.iterdir() if path.is_file())
    return [
        # The mark of an update that was taken: another image would run.
        [*start, "exec", "import os; 'slot' in os.listdir() and os.remove('slot')"],
        [*start, "cp", "-r", str(folder / "a"), ":"],
        [*start, "cp", *rest, ":"],
        [*start, "reset"],
    ]


def _pins(wired: dict[str, Any]) -> str:
    return ", ".join(f"{name} = GPIO {pin}" for name, pin in wired.items() if name not in ("bus", "id"))


def _files(folder: Path) -> list[str]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    rows = [f"  {path.relative_to(folder).as_posix():<24} {path.stat().st_size:>6}" for path in paths]
    return [f"The board runs {_NEEDS}. Files for its flash, in {folder}:", *rows]


def _do(steps: list[list[str]]) -> int:
    if shutil.which(steps[0][0]) is None:
        print("stempelwerk flash: mpremote is missing: pip install mpremote", file=sys.stderr)
        return 1
    for step in steps:
        if subprocess.run(step, check=False).returncode:
            print(f"stempelwerk flash: this failed: {' '.join(step)}", file=sys.stderr)
            return 1
    return 0
