"""`stempelwerk tag`: checks whether a chip can be used for stamping, and prints the canonical form of its number."""

import re
import sys
import time
from collections.abc import Sequence

from stempelwerk_edge.configuration import ReaderSettings
from stempelwerk_edge.errors import ReaderAbsent, ReaderFault
from stempelwerk_edge.readers import Reader, reader_for
from stempelwerk_edge.tap.tags import TagRefused, from_reader, normalise

from .german import GermanParser

_PATIENCE_S = 30.0
_HEXADECIMAL = re.compile(r"[0-9A-F]+")
_WHY = {
    "empty": "Da steht nichts.",
    "character": "Erlaubt sind A–Z, 0–9, Punkt und _.",
    "too_long": "Höchstens 64 Zeichen.",
    "length": "Die Nummer eines Chips hat 4, 7 oder 10 Bytes.",
    "random": "Handys und Bankkarten nennen jedes Mal eine andere Nummer; damit kann niemand stempeln.",
    "cascade": "Das ist nur der Anfang einer längeren Nummer.",
}


def check_typed_tag(text: str) -> bool:
    """Prints the canonical form of a typed number; returns whether it is valid."""
    try:
        tag = normalise(text)
        if _HEXADECIMAL.fullmatch(tag):
            from_reader(bytes.fromhex(tag))
        print(tag)
    except TagRefused as refused:
        print(f"„{text}“ ist keine Tag-ID. {_WHY[refused.reason]}", file=sys.stderr)
        return False
    return True


def check_held_tag(reader: Reader, patience_s: float = _PATIENCE_S) -> bool:
    """Prints the tag at the reader; returns whether it can be used for stamping. Raises ReaderFault."""
    deadline = time.monotonic() + patience_s
    print("Chip an den Leser halten …", file=sys.stderr)
    reader.open()
    try:
        while (tag := reader.poll()) is None:
            if time.monotonic() >= deadline:
                print("Es war kein Chip am Leser.", file=sys.stderr)
                return False
    except TagRefused as refused:
        print(f"Dieser Chip eignet sich nicht. {_WHY[refused.reason]}", file=sys.stderr)
        return False
    finally:
        reader.close()
    print(tag)
    return True


def main(argv: Sequence[str]) -> int:
    """Runs the command; 1 for an invalid tag, or without a reader."""
    parser = GermanParser(
        prog="stempelwerk tag",
        description="Sagt, wie eine Tag-ID geschrieben wird und ob der Chip taugt.",
    )
    parser.add_argument("tags", nargs="*", metavar="TAG", help="abgetippte Nummern")
    parser.add_argument("--reader", metavar="PATH", help="die Leitung eines PN532, an den ein Chip gehalten wird")
    options = parser.parse_args(argv)
    if not options.tags and options.reader is None:
        parser.error("Eine Nummer oder --reader angeben")
    well = [check_typed_tag(text) for text in options.tags]
    if options.reader is not None:
        reader = reader_for(ReaderSettings("udp" if options.reader.startswith("udp:") else "pn532", options.reader))
        assert reader is not None
        try:
            well.append(check_held_tag(reader))
        except ReaderAbsent:
            print(f"An {options.reader} findet sich kein Leser. Ist er angeschlossen?", file=sys.stderr)
            return 1
        except ReaderFault:
            print(
                f"Der Leser an {options.reader} antwortet nicht: Prüfe die Leitung, und ob ein anderes Programm ihn"
                " hält, etwa die Uhr (sudo systemctl stop stempelwerk-edge).",
                file=sys.stderr,
            )
            return 1
    return 0 if all(well) else 1
