"""The command `stempelwerk`: finds the tool by its name and hands it the rest of the line.

A tool is one row in `COMMANDS`; its module is imported only when it is called, so that `stempelwerk tap` does not
load a service. It parses no options itself: every tool has its own parser and its own `--help`.
"""

import importlib
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

Entry = Callable[[Sequence[str]], int]


@dataclass(frozen=True)
class Command:
    """A tool: `target` is `module:function` (called with the arguments, returns the exit status), `help` its one line.

    `is_german`: workshop, operators or visitors read it, not only developers of the product.
    """

    target: str
    help: str
    is_german: bool = False


COMMANDS: dict[str, Command] = {
    "demo": Command(
        "stempelwerk_tools.demo.command:main", "Cloud, Uhr und eine Demo-Firma auf diesem Rechner", is_german=True
    ),
    "tap": Command("stempelwerk_tools.demo.tap:main", "hält einen Chip an den Leser der Demo-Uhr", is_german=True),
    "scanner": Command("stempelwerk_tools.scanner:main", "spricht an der Leitung mit einem Scanner", is_german=True),
    "simulate": Command("stempelwerk_tools.simulation.command:main", "agent and service in a simulated world"),
    "fleet": Command("stempelwerk_tools.fleet.command:main", "real clocks by the hundred before a running cloud"),
    "mutants": Command("stempelwerk_tools.mutation.command:main", "how many planted mistakes the Python tests find"),
    "packages": Command("stempelwerk_tools.packages.command:main", "Debian packages of both programs, and an image"),
    "provision": Command(
        "stempelwerk_tools.provision:main", "die Konfiguration einer neuen Uhr, auf ihre Karte", is_german=True
    ),
    "release": Command(
        "stempelwerk_tools.release.command:main", "macht, unterschreibt und veröffentlicht eine Version", is_german=True
    ),
    "flash": Command(
        "stempelwerk_tools.firmware.flash:main", "die Firmware eines Scanners, auf seine Platine", is_german=True
    ),
    "tag": Command(
        "stempelwerk_tools.tag:main", "ob ein Chip taugt, und wie seine Nummer geschrieben wird", is_german=True
    ),
    "bench": Command("stempelwerk_tools.bench.command:main", "the product beside its peers and limits"),
}


def load(command: Command) -> Entry:
    """Returns the function that a row of the table names."""
    module, _, function = command.target.partition(":")
    return cast(Entry, getattr(importlib.import_module(module), function))


def usage() -> str:
    """Returns the list of tools, one line each: for workshop and operators in German, for developers in English."""
    german, english = (
        [entry for entry in COMMANDS.items() if entry[1].is_german is is_german] for is_german in (True, False)
    )
    head = ["Aufruf: stempelwerk BEFEHL …", "", "Für Werkstatt, Betrieb und zum Ausprobieren:"]
    closing = ["stempelwerk BEFEHL --help erklärt einen."]
    return "\n".join([*head, *_rows(german), "", "For developers of the product:", *_rows(english), "", *closing])


def _rows(commands: Iterable[tuple[str, Command]]) -> list[str]:
    width = max(map(len, COMMANDS))
    return [f"  {name:<{width}}  {command.help}" for name, command in commands]


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool named by the first argument. Returns 2 for an unknown name."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in {"-h", "--help", "help"}:
        print(usage())
        return 0 if arguments else 2
    command = COMMANDS.get(arguments[0])
    if command is None:
        print(f"stempelwerk: Den Befehl {arguments[0]!r} gibt es nicht.\n\n{usage()}", file=sys.stderr)
        return 2
    return load(command)(arguments[1:])


if __name__ == "__main__":
    sys.exit(main())
