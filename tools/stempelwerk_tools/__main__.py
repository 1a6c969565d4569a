"""The command `stempelwerk`: finds the tool by its name and hands it the rest of the line.

A tool is one row in `COMMANDS`; its module is imported only when it is called, so that `stempelwerk tap` does not
load a service. It parses no options itself: every tool has its own parser and its own `--help`.
"""

import importlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

Entry = Callable[[Sequence[str]], int]


@dataclass(frozen=True)
class Command:
    """Where a tool lives (`module:function`, called with the arguments, returns the exit status) and its one line."""

    target: str
    help: str


COMMANDS: dict[str, Command] = {
    "demo": Command("stempelwerk_tools.demo.command:main", "cloud, clock and a demo company on this machine"),
    "tap": Command("stempelwerk_tools.demo.tap:main", "hold a tag to the demo clock's reader"),
    "scanner": Command("stempelwerk_tools.scanner:main", "talk to a portable scanner at a serial line"),
    "simulate": Command("stempelwerk_tools.simulation.command:main", "agent and service in a simulated world"),
    "fleet": Command("stempelwerk_tools.fleet.command:main", "real clocks by the hundred before a running cloud"),
    "mutants": Command("stempelwerk_tools.mutation.command:main", "how many planted mistakes the Python tests find"),
    "packages": Command("stempelwerk_tools.packages.command:main", "Debian packages of both programs, and an image"),
    "provision": Command("stempelwerk_tools.provision:main", "the configuration of a new clock, onto its card"),
    "release": Command("stempelwerk_tools.release.command:main", "make, sign and publish a version of the clock"),
    "flash": Command("stempelwerk_tools.firmware.flash:main", "the firmware of a portable scanner, onto its board"),
    "tag": Command("stempelwerk_tools.tag:main", "whether a chip is one to stamp with, and how it is written"),
    "bench": Command("stempelwerk_tools.bench.command:main", "the product beside its peers and limits"),
}


def load(command: Command) -> Entry:
    """The function behind a row of the table."""
    module, _, function = command.target.partition(":")
    return cast(Entry, getattr(importlib.import_module(module), function))


def usage() -> str:
    """The list of tools, one line each."""
    width = max(map(len, COMMANDS))
    rows = [f"  {name:<{width}}  {command.help}" for name, command in COMMANDS.items()]
    return "\n".join(["usage: stempelwerk COMMAND …", "", *rows, "", "stempelwerk COMMAND --help explains one."])


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool named by the first argument; 2 if there is none of that name."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in {"-h", "--help", "help"}:
        print(usage())
        return 0 if arguments else 2
    command = COMMANDS.get(arguments[0])
    if command is None:
        print(f"stempelwerk: there is no command {arguments[0]!r}\n\n{usage()}", file=sys.stderr)
        return 2
    return load(command)(arguments[1:])


if __name__ == "__main__":
    sys.exit(main())
