"""The command `stempelwerk flash`: prepares the content of a scanner's flash, and explains or performs the transfer.

Without `--port`, and with `--dry-run`, it touches no board: it lists the connections and the commands. `mpremote` is
the program of MicroPython that talks to a board; it is not part of this project (`pip install mpremote`).
"""

import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stempelwerk_tools.german import GermanParser, file_fault
from stempelwerk_tools.packages.program import ROOT

from .build import BOARDS, FIRMWARE, FirmwareError, compile_modules, image, unit, version, wiring

TARGET = ROOT / "var" / "firmware"
_NEEDS = "MicroPython 1.23 oder neuer"
_EXAMPLE = "SW-00000001"


def main(arguments: Sequence[str]) -> int:
    """Prepares, explains, and with `--port` flashes; exit status 1 if a step fails, 2 for a wrong call."""
    parser = GermanParser(
        prog="stempelwerk flash",
        description="Legt zurecht, was auf die Platine eines tragbaren Scanners gehört, und sagt oder tut, wie es dorthin kommt.",
    )
    parser.add_argument("board", choices=BOARDS, help="welche Platine")
    parser.add_argument("--serial", help="die Seriennummer des Scanners, die kein anderer hat; nötig zum Bespielen")
    parser.add_argument("--maker", type=Path, metavar="PEM", help="wessen Images er später nimmt; ohne: keine")
    parser.add_argument("--port", metavar="LEITUNG", help="tut es, mit der Platine an dieser seriellen Leitung")
    parser.add_argument("--dry-run", action="store_true", help="sagt es nur, auch mit --port")
    parser.add_argument("--image", type=Path, metavar="PEM", help="macht auch ein unterschriebenes Image für Updates")
    parser.add_argument("--out", type=Path, default=TARGET, metavar="ORDNER", help="wohin (var/firmware)")
    options = parser.parse_args(arguments)
    flashes = options.port and not options.dry_run
    if flashes and options.serial is None:
        parser.error("Es fehlt --serial: Jeder Scanner braucht eine eigene Nummer, an der ihn seine Uhr erkennt")
    folder = options.out / options.board
    try:
        lay_out(folder, options.board, _EXAMPLE if options.serial is None else options.serial, options.maker)
        if options.image:
            target = options.out / f"{options.board}-{version()}.swf"
            target.write_bytes(image(options.board, options.image))
            print(f"Image für Updates: {target} ({target.stat().st_size} Bytes)\n")
    except FirmwareError as error:
        print(f"stempelwerk flash: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"stempelwerk flash: {file_fault(error)}", file=sys.stderr)
        return 1
    steps = commands(folder, options.port or "LEITUNG")
    print("\n".join([*connections(wiring(options.board)), "", *_files(folder), "", "Befehle:"]))
    print("\n".join(f"  {shlex.join(step)}" for step in steps))
    if options.serial is None:
        print(
            f"\nNur zur Ansicht: In unit.json steht {_EXAMPLE}. Jeder Scanner braucht eine eigene Nummer, mit --serial."
        )
    return _do(steps) if flashes else 0


def lay_out(folder: Path, board: str, serial: str, maker: Path | None) -> None:
    """Refills `folder` with the content of the flash. Raises FirmwareError."""
    files = {"unit.json": unit(serial, board, maker)}
    files |= {name: (FIRMWARE / name).read_bytes() for name in ("boot.py", "main.py")}
    files |= {f"a/{name}": content for name, content in compile_modules().items()}
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def connections(board: dict[str, Any]) -> list[str]:
    """Returns the connections, line by line."""
    reader, line = board["reader"], board["line"]
    rows = [(f"PN532 ({reader['bus'].upper()})", _pins(reader)), ("Leitung zur Uhr (115200 8N1)", _pins(line))]
    rows += [(name, f"GPIO {pin}") for name, pin in board["signal"].items()]
    if "docked" in board:
        rows.append(("docked: 3,3 V, solange die Basis ihn speist", f"GPIO {board['docked']}"))
    if battery := board.get("battery"):
        rows.append((f"Akku über einen Teiler durch {battery['divider']}", f"GPIO {battery['adc']}"))
        rows.append(("charging: auf Masse, solange er lädt (Open Drain)", f"GPIO {battery['charging']}"))
    width = max(len(label) for label, _ in rows)
    return [f"Anschließen an {board['name']}:", *(f"  {label:<{width}}  {pins}" for label, pins in rows)]


def commands(folder: Path, port: str) -> list[list[str]]:
    """Returns the calls of mpremote that put `folder` onto the board; its key and its taps stay."""
    start = ["mpremote", "connect", port]
    files = sorted(str(path) for path in folder.iterdir() if path.is_file())
    return [
        # The mark of an accepted update: it would start another image.
        [*start, "exec", "import os; 'slot' in os.listdir() and os.remove('slot')"],
        [*start, "cp", "-r", str(folder / "a"), ":"],
        [*start, "cp", *files, ":"],
        [*start, "reset"],
    ]


def _pins(wired: dict[str, Any]) -> str:
    return ", ".join(f"{name} = GPIO {pin}" for name, pin in wired.items() if name not in ("bus", "id"))


def _files(folder: Path) -> list[str]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    rows = [f"  {path.relative_to(folder).as_posix():<24} {path.stat().st_size:>6}" for path in paths]
    return [f"Auf der Platine läuft {_NEEDS}. Dateien für ihren Speicher, in {folder}:", *rows]


def _do(steps: list[list[str]]) -> int:
    if shutil.which(steps[0][0]) is None:
        print("stempelwerk flash: mpremote fehlt: pip install mpremote", file=sys.stderr)
        return 1
    for step in steps:
        if subprocess.run(step, check=False).returncode:
            print(f"stempelwerk flash: Das ist gescheitert: {' '.join(step)}", file=sys.stderr)
            return 1
    return 0
