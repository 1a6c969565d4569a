"""`stempelwerk tap`: holds a demo person's tag to the demo clock's reader and prints what the clock showed.

It uses only the reader and the clock, so it works just as well while the cloud is stopped.
"""

import contextlib
import json
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import httpx

from stempelwerk_tools.german import GermanParser
from stempelwerk_tools.simulators.lines import Unreachable, ask

from .layout import Layout, add_folder_option
from .people import PEOPLE

Model = dict[str, Any]

_HOLD_S = 5.0
_HOLD_IN_VAIN_S = 1.0  # without a clock the caller learns so soon
_LIFTED_S = 2.0  # a clock takes a tag that is back sooner for one that never left
_PATIENCE_S = 30.0  # a running clock answers at once, unless its machine is very busy
_WORDS = {
    "in": "Kommen",
    "out": "Gehen",
    "double_tap": "schon gestempelt",
    "unknown": "unbekannter Tag",
    "not_saved": "NICHT GESPEICHERT",
}


def listing(people: int = len(PEOPLE)) -> str:
    """Returns the tags of the demo's twelve, one line each, and the number of others among `people`."""
    rows = [f"  {person.tag:<20}  {person.name:<15}  {person.job}" for person in PEOPLE]
    if people > len(PEOPLE):
        rows.append(f"  … und {people - len(PEOPLE)} andere, deren Tags bei „Mitarbeiter verwalten“ stehen")
    return "\n".join(["Tags der Demo-Firma:", *rows, "", "Anhalten mit: make tap TAG=" + PEOPLE[1].tag])


def tag_named(text: str) -> str:
    """Returns the tag for a number, or for the beginning of exactly one person's name; else the text as it is."""
    matches = [person for person in PEOPLE if person.name.casefold().startswith(text.casefold())]
    return matches[0].tag if len(matches) == 1 else text


def describe_answer(model: Model) -> str | None:
    """Returns one German line about the answer on the display; None without an answer."""
    answer = model.get("answer")
    if not answer:
        return None
    parts = [answer["name"] or answer["tag"] or "", f"{_WORDS.get(answer['kind'], answer['kind'])} {answer['time']}"]
    if answer["todayMinutes"] is not None:
        parts.append(f"heute {_duration(answer['todayMinutes'])}")
    if answer["kind"] != "not_saved" and not answer["sent"]:
        parts.append("gespeichert, wird gesendet")
    return " · ".join(part for part in parts if part)


def _duration(minutes: int) -> str:
    """Formats a duration as the screens do."""
    return f"{minutes // 60}h {minutes % 60:02}m"


class _Display:
    """The clock's stream of view models, if available: the display is optional, the tap is not."""

    def __init__(self, address: str) -> None:
        self._open = contextlib.ExitStack()
        self._models: Iterator[Model] = iter(())
        with contextlib.suppress(httpx.HTTPError, httpx.UnsupportedProtocol):
            stream = httpx.stream("GET", f"{address}events", timeout=_PATIENCE_S, trust_env=False)
            lines = self._open.enter_context(stream).iter_lines()
            self._models = (json.loads(line[6:]) for line in lines if line.startswith("data: "))
        self.now = self.next()

    def next(self) -> Model:
        """Returns the next view model, or an empty one after the timeout."""
        with contextlib.suppress(httpx.HTTPError):
            return next(self._models, {})
        return {}

    def close(self) -> None:
        """Closes the stream."""
        self._open.close()


def _answers(address: str) -> bool:
    """Returns whether a clock serves its page there."""
    try:
        httpx.get(address, timeout=_PATIENCE_S, trust_env=False)
    except (httpx.HTTPError, httpx.UnsupportedProtocol, httpx.InvalidURL):
        return False
    return True


def _key(model: Model) -> object:
    return (model.get("answer") or {}).get("key")


def hold(layout: Layout, tag: str) -> tuple[bool, str | None]:
    """Holds the tag to the reader and lifts it. Returns whether it was read, and the display's text. Unreachable,
    ValueError.
    """
    facts = json.loads(layout.facts.read_text("utf-8")) if layout.facts.exists() else {}
    address = str(facts.get("clock", ""))
    if not _answers(address):
        address = ""
    with contextlib.closing(_Display(address)) as display:
        for_s = _HOLD_S if address else _HOLD_IN_VAIN_S
        if not ask(layout.reader_socket, {"do": "tap", "tag": tag, "forS": for_s})["read"]:
            return False, None
        model = display.next()
        while model and _key(model) in (None, _key(display.now)):
            model = display.next()
    time.sleep(_LIFTED_S)
    with contextlib.closing(_Display(address)) as display:  # the cloud may have received it meanwhile
        return True, describe_answer(display.now if _key(display.now) == _key(model) else model)


def _on_scanner(layout: Layout, tag: str) -> int:
    """Holds the tag to the portable scanner and waits until the clock has it. Unreachable, ValueError."""
    if not ask(layout.scanner_socket, {"do": "tap", "tag": tag})["stored"]:
        print("Der Speicher des Scanners ist voll.", file=sys.stderr)
        return 1
    is_delivered = ask(layout.scanner_socket, {"do": "wait", "forS": _HOLD_S}, timeout_s=_PATIENCE_S)["taken"]
    print(f"{tag} auf dem Scanner gestempelt{', die Uhr hat ihn' if is_delivered else '; die Uhr bekommt ihn später'}.")
    return 0


def main(argv: Sequence[str]) -> int:
    """Runs the command."""
    parser = GermanParser(prog="stempelwerk tap", description="Hält einen Tag an den Leser der Demo-Uhr.")
    parser.add_argument("tag", nargs="?", help="Nummer des Tags oder Anfang eines Namens; ohne: alle Tags")
    parser.add_argument("--scanner", action="store_true", help="an den tragbaren Scanner statt an die Uhr")
    add_folder_option(parser)
    options = parser.parse_args(argv)
    if not options.tag:
        print(listing())
        return 0
    tag = tag_named(options.tag)
    try:
        if options.scanner:
            return _on_scanner(Layout(options.dir), tag)
        read, answer = hold(Layout(options.dir), tag)
    except Unreachable:
        print("Die Demo läuft nicht. Starten mit: make run", file=sys.stderr)
        return 1
    except ValueError:
        print(f"„{options.tag}“ ist kein Tag: erwartet werden 4, 7 oder 10 Bytes, hexadezimal.", file=sys.stderr)
        return 2
    if not read:
        print("Der Leser hat den Tag nicht gelesen. Läuft die Uhr?", file=sys.stderr)
        return 1
    print(answer or f"{tag} gelesen.")
    return 0
