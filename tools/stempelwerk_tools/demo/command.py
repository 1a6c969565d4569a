"""`stempelwerk demo`: brings the demo up, keeps it up until Ctrl-C, and takes orders from a second terminal.

The order of things stands here; what the things are stands in `house.py` (programs) and `company.py` (data).
"""

import argparse
import contextlib
import shutil
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from stempelwerk_tools.simulators.lines import Unreachable, ask

from . import company
from .children import ChildFailed
from .house import House, port_is_free
from .layout import Layout, add_folder_option
from .people import COMPANY, EMPLOYEE, OPERATOR_COMPANY, OPERATOR_USER, OWNER, PASSWORD
from .tap import listing

_REPOSITORY = Path(__file__).resolve().parents[3]
_ORDERS = ("status", "stop-cloud", "start-cloud", "stop-clock", "start-clock")


class Refused(Exception):
    """The demo cannot run; the text says why in one line."""


def main(argv: Sequence[str]) -> int:
    """The command."""
    options = _parser().parse_args(argv)
    layout = Layout(options.dir.resolve())
    try:
        if options.order:
            return _order(layout, options.order)
        _refuse_what_cannot_be(layout, options.port, options.clock_port)
        _run(layout, options)
    except KeyboardInterrupt:
        kept = company.read(layout) is not None
        _say("Beendet. " + ("Die Daten bleiben" if kept else "Beim nächsten Mal beginnt die Demo von vorn") + ".")
    except (Refused, ChildFailed, company.NotMade) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="stempelwerk demo", description="Cloud, clock and a demo company.")
    parser.add_argument("order", nargs="?", choices=_ORDERS, help="an order to the demo that runs in another terminal")
    parser.add_argument("--port", type=int, default=8000, help="of the web (default: 8000)")
    parser.add_argument("--clock-port", type=int, default=8090, help="of the clock's page (default: 8090)")
    parser.add_argument("--web", type=Path, default=_REPOSITORY / "web" / "dist", help="the built pages")
    add_folder_option(parser)
    return parser


def _order(layout: Layout, order: str) -> int:
    try:
        answer = ask(layout.socket, {"do": order}, timeout_s=90)
    except Unreachable:
        raise Refused("Es läuft keine Demo. Starten mit: make run") from None
    except ValueError as error:
        raise Refused(str(error)) from None
    if order == "status":
        for name, pid in answer.items():
            print(f"{name}: {'läuft, Prozess ' + str(pid) if pid else 'angehalten'}")
    return 0


def _refuse_what_cannot_be(layout: Layout, port: int, clock_port: int) -> None:
    with contextlib.suppress(Unreachable, ValueError):
        ask(layout.socket, {"do": "status"}, timeout_s=5)
        raise Refused("Die Demo läuft schon, in einem anderen Terminal.")
    if port == clock_port:
        raise Refused("PORT und CLOCK_PORT müssen verschieden sein.")
    for number, name in ((port, "PORT"), (clock_port, "CLOCK_PORT")):
        if not port_is_free(number):
            raise Refused(f"Port {number} ist belegt. Einen anderen wählen: make run {name}={number + 1}")


def _run(layout: Layout, options: argparse.Namespace) -> None:
    begun = time.monotonic()
    for number in (signal.SIGINT, signal.SIGTERM):  # also where a shell started it in the background
        signal.signal(number, _interrupt)
    made = company.read(layout)
    if made is None:
        for rest in (layout.cloud_data, layout.clock_data):  # of a first start that was broken off
            shutil.rmtree(rest, ignore_errors=True)
    with House(layout, options.port, options.clock_port, options.web.resolve(), _say) as house:
        if made is None:
            _say("Erster Start: die Demo-Firma entsteht …")
            house.create_founder()
            house.start("cloud")
            made = company.make(house.cloud_address, layout.clock_data)
            house.start("clock")
        else:
            house.start("cloud", "clock")
        facts = {**made, "cloud": house.cloud_address, "clock": house.clock_address, "smtp": house.mail.url}
        company.write(layout, facts)
        _say(_summary(house, time.monotonic() - begun))
        house.watch()


def _summary(house: House, seconds: float) -> str:
    took = f"{seconds:.1f}".replace(".", ",")
    return f"""
  Im Browser   {house.cloud_address}
  Die Uhr      {house.clock_address}   (Touchscreen)
  Mails        {house.layout.mails}   (SMTP {house.mail.url.removeprefix("smtp://")})

  Anmelden     Firma {COMPANY} · Passwort für alle: {PASSWORD}
               {EMPLOYEE.name} (angestellt) · {OWNER.name} (verwaltet die Firma)
  Betreiber    Firma {OPERATOR_COMPANY} · {OPERATOR_USER} · {PASSWORD}

{_indented(listing())}

  Ohne Cloud weiterstempeln: .venv/bin/stempelwerk demo stop-cloud, danach start-cloud
  Beenden: Strg-C

Bereit nach {took} s."""


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in text.splitlines())


def _say(text: str) -> None:
    print(text, flush=True)


def _interrupt(_number: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt
