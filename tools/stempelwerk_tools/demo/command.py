"""`stempelwerk demo`: starts the demo, keeps it running until Ctrl-C, and takes orders from a second terminal.

This module has the order of steps; `house.py` has the programs and `company.py` the data.
"""

import argparse
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from stempelwerk_tools.german import GermanParser
from stempelwerk_tools.ports import reserved_port
from stempelwerk_tools.simulators.lines import Unreachable, ask

from . import company
from .children import ChildFailed
from .crew import LEAST_MONTHS, MONTHS, MOST_MONTHS, MOST_PEOPLE, Crew, crew
from .house import House, NoRight, port_is_free
from .layout import Layout, add_folder_option
from .mailbox import PORT as MAILBOX_PORT
from .people import COMPANY, EMPLOYEE, OPERATOR_COMPANY, OPERATOR_USER, OWNER, PASSWORD, PEOPLE
from .tap import listing

_REPOSITORY = Path(__file__).resolve().parents[3]
_ORDERS = ("status", "idle", "stop-cloud", "start-cloud", "stop-clock", "start-clock")
_HIGHEST_PORT = 65535
_PRIVATE_FILES = 0o077


class Refused(Exception):
    """The demo cannot run; the text gives the reason in one line."""


def main(argv: Sequence[str]) -> int:
    """Runs the command."""
    options = _parser().parse_args(argv)
    layout = Layout(options.dir.resolve())
    try:
        if options.order:
            return _order(layout, options.order)
        facts = company.read(layout)
        requested_crew = _crew(facts, options.people, options.months)
        ports = _ports(layout, options.port, options.clock_port)
        _run(layout, *ports, options.web.resolve(), facts, requested_crew)
    except KeyboardInterrupt:
        has_data = company.read(layout) is not None
        _report(
            "Beendet. " + ("Die Daten bleiben" if has_data else "Beim nächsten Mal beginnt die Demo von vorn") + "."
        )
    except (Refused, ChildFailed, company.NotMade) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = GermanParser(prog="stempelwerk demo", description="Cloud, Uhr und eine Demo-Firma auf diesem Rechner.")
    parser.add_argument("order", nargs="?", choices=_ORDERS, help="ein Auftrag an die Demo in einem anderen Terminal")
    parser.add_argument("--port", default="8000", help="der Cloud und ihrer Seiten (sonst: 8000; 0: irgendeiner)")
    parser.add_argument("--clock-port", default="8090", help="der Seite der Uhr (sonst: 8090; 0: irgendeiner)")
    people = f"so viele Leute hat die Firma, {len(PEOPLE)} bis {MOST_PEOPLE} (sonst: {len(PEOPLE)})"
    parser.add_argument("--people", type=_integer_within(len(PEOPLE), MOST_PEOPLE), help=people)
    months = f"so viele Monate haben sie schon gestempelt, {LEAST_MONTHS} bis {MOST_MONTHS} (sonst: {MONTHS})"
    parser.add_argument("--months", type=_integer_within(LEAST_MONTHS, MOST_MONTHS), help=months)
    parser.add_argument("--web", type=Path, default=_REPOSITORY / "web" / "dist", help="die gebauten Seiten")
    add_folder_option(parser)
    return parser


def _integer_within(minimum: int, maximum: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not (text.isascii() and text.isdigit() and minimum <= int(text) <= maximum):
            raise argparse.ArgumentTypeError(f"{text!r} geht nicht, nur {minimum} bis {maximum}")
        return int(text)

    return number


def _crew(facts: Mapping[str, Any] | None, people: int | None, months: int | None) -> Crew:
    """Returns the crew to create; the company of an earlier start keeps its size."""
    if facts is None:
        return crew(people or len(PEOPLE), months or MONTHS)
    size = len(facts["people"]), facts.get("months", MONTHS)
    if size != (people or size[0], months or size[1]):
        existing_demo = f"Hier gibt es schon eine Demo mit {size[0]} Leuten und {size[1]} Monaten"
        raise Refused(f"{existing_demo}. Für eine andere einen anderen Ordner nennen: --dir var/andere")
    return crew(*size)


def _order(layout: Layout, order: str) -> int:
    if order == "idle":
        if _runs(layout):
            raise Refused("Die Demo läuft noch: zuerst in ihrem Terminal mit Strg-C beenden.")
        return 0
    try:
        answer = ask(layout.socket, {"do": order}, timeout_s=90)
    except Unreachable:
        raise Refused("Es läuft keine Demo. Starten mit: make run") from None
    except ValueError as error:
        raise Refused(str(error)) from None
    if order == "status":
        for name, pid in answer.items():
            print(f"{name}: {'läuft, Prozess ' + str(pid) if pid else 'angehalten'}")
    else:
        print(answer["said"])
    return 0


def _runs(layout: Layout) -> bool:
    """Returns whether a demo answers in the folder; also one that is still coming up."""
    try:
        ask(layout.socket, {"do": "ping"}, timeout_s=5)
    except Unreachable:
        return False
    return True


def _ports(layout: Layout, port: str, clock_port: str) -> tuple[int, int]:
    if _runs(layout):
        raise Refused("Die Demo läuft schon, in einem anderen Terminal.")
    numbers = _port(port, "PORT"), _port(clock_port, "CLOCK_PORT")
    if numbers[0] == numbers[1]:
        raise Refused("PORT und CLOCK_PORT müssen verschieden sein.")
    for number, name in zip(numbers, ("PORT", "CLOCK_PORT"), strict=True):
        try:
            free = port_is_free(number)
        except NoRight:
            why = f"Port {number} darf nur root öffnen, wie alle unter 1024"
            raise Refused(f"{why}. Einen anderen wählen: make run {name}={number + 8000}") from None
        if not free:
            alternative = number + 1 if number < _HIGHEST_PORT else number - 1
            raise Refused(f"Port {number} ist belegt. Einen anderen wählen: make run {name}={alternative}")
    return numbers


def _port(text: str, name: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= number <= _HIGHEST_PORT:
        raise Refused(f"{name}={text} ist kein Port: eine Zahl von 1 bis {_HIGHEST_PORT}.")
    return number or reserved_port()


def _run(
    layout: Layout, port: int, clock_port: int, web: Path, company_facts: dict[str, Any] | None, requested_crew: Crew
) -> None:
    begun = time.monotonic()
    os.umask(_PRIVATE_FILES)  # password hashes, keys and times are stored there
    for number in (signal.SIGINT, signal.SIGTERM):  # also where a shell started it in the background
        signal.signal(number, _interrupt)
    if company_facts is None:
        for leftover in (layout.cloud_data, layout.clock_data):  # leftovers of a first start that was interrupted
            shutil.rmtree(leftover, ignore_errors=True)
    with House(layout, port, clock_port, web, _report) as house:
        if company_facts is None:
            _report("Erster Start: die Demo-Firma entsteht …")
            house.create_founder()
            house.start("cloud")
            company_facts = company.make(house.cloud_address, layout.clock_data, layout.mails, requested_crew, _report)
            house.start("clock")
        else:
            house.start("cloud", "clock")
        facts = {
            **company_facts,
            "cloud": house.cloud_address,
            "clock": house.clock_address,
            "mails": house.mailbox.url,
        }
        company.write(layout, facts)
        _report(_summary(house, len(company_facts["people"]), time.monotonic() - begun))
        house.watch()


def _summary(house: House, people: int, seconds: float) -> str:
    took = f"{seconds:.1f}".replace(".", ",")
    moved = f"; Port {MAILBOX_PORT} ist schon belegt" if house.mailbox.elsewhere else ""
    return f"""
{_indented(listing(people))}

  Ohne Cloud weiterstempeln: .venv/bin/stempelwerk demo stop-cloud, danach start-cloud

  Im Browser   {house.cloud_address}
  Die Uhr      {house.clock_address}   (Touchscreen)
  Postfach     {house.mailbox.url}   (hier stehen die Codes der Anmeldung{moved})

  Bereit nach {took} s; beenden mit Strg-C.

  Anmelden     Firma {COMPANY} · Passwort für alle: {PASSWORD}
               {EMPLOYEE.name} (angestellt): mit ihr anfangen
               {OWNER.name} (verwaltet die Firma)
  Betreiber    Firma {OPERATOR_COMPANY} · {OPERATOR_USER} · {PASSWORD}
"""


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in text.splitlines())


def _report(text: str) -> None:
    print(text, flush=True)


def _interrupt(_number: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt
