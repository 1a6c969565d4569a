"""`stempelwerk provision`: the configuration of a new clock, onto its card or into a file.

It is the package's own file, with what differs from clock to clock. Whether a clock can read it says the clock's own
reader of it.
"""

import json
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from stempelwerk_edge.errors import SettingsError
from stempelwerk_edge.settings import Settings

from .german import AddressRefused, GermanParser, check_encrypted, file_fault

_ROOT = Path(__file__).resolve().parents[2]
SAMPLE = _ROOT / "edge" / "deploy" / "stempelwerk-edge.toml"
PROFILES = sorted(path.parent.name for path in (_ROOT / "hardware").glob("*/profile.toml"))
PLACE = Path("etc/stempelwerk-edge/stempelwerk-edge.toml")
"""On a clock."""


class Refused(Exception):
    """Nothing is written; the text says why."""


def configured(sample: str, values: Mapping[str, str]) -> str:
    """The sample with these values, each in its line, which may stand there as an example. Raises SettingsError."""
    for name, value in values.items():
        line = f"{name} = {json.dumps(value, ensure_ascii=False)}".replace("\\", r"\\")
        sample, found = re.subn(rf'^(?:# )?{name} = "[^"]*"', line, sample, flags=re.MULTILINE)
        assert found == 1, name
    Settings.from_table(tomllib.loads(sample), Path("/"))
    return sample


def place_of(given: Path) -> Path:
    """The file: the given one, or the clock's own below the folder where its card is mounted. Refused."""
    if not given.is_dir():
        return given
    if not (given / "etc").is_dir():
        raise Refused(f"{given} ist keine Karte einer Uhr: Dort fehlt der Ordner etc.")
    return given / PLACE


def write(place: Path, text: str, *, replacing: bool) -> None:
    """Writes it, unless somebody has set something there. Refused; OSError."""
    known = place.read_text("utf-8") if place.exists() else None
    if known not in (None, text, SAMPLE.read_text("utf-8")) and not replacing:
        raise Refused(f"{place} ist schon ausgefüllt. Ersetzen mit --force.")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, "utf-8")


def main(argv: Sequence[str]) -> int:
    """The command; 1 where nothing was written."""
    parser = GermanParser(prog="stempelwerk provision", description="Schreibt die Konfiguration einer neuen Uhr.")
    parser.add_argument("place", type=Path, help="die Datei, oder der Ordner, in dem die Karte der Uhr eingehängt ist")
    parser.add_argument("--url", required=True, help="die Adresse der Cloud, wie in STEMPELWERK_PUBLIC_URL")
    parser.add_argument("--serial", help="die Seriennummer auf dem Gehäuse; ohne: die der Maschine")
    parser.add_argument("--profile", choices=PROFILES, help="die Bauart, wie in hardware/; ohne: core")
    parser.add_argument("--ca-file", help="die Zertifizierungsstelle der Cloud auf der Uhr, wenn es eine eigene ist")
    parser.add_argument("--proxy", help="der HTTP-Proxy, wenn es nur durch ihn ins Netz geht")
    parser.add_argument("--without-tls", action="store_true", help="auch eine Adresse mit http:// schreiben")
    parser.add_argument("--force", action="store_true", help="auch ersetzen, was schon ausgefüllt ist")
    options = parser.parse_args(argv)
    names = ("url", "serial", "profile", "ca_file", "proxy")
    values = {name: value for name in names if (value := getattr(options, name)) is not None}
    try:
        if not options.without_tls:
            check_encrypted(options.url)
        place = place_of(options.place)
        write(place, configured(SAMPLE.read_text("utf-8"), values), replacing=options.force)
    except (AddressRefused, Refused, SettingsError) as fault:
        print(fault, file=sys.stderr)
        return 1
    except OSError as fault:
        print(file_fault(fault), file=sys.stderr)
        return 1
    print(f"{place} geschrieben. Auf der Uhr: sudo stempelwerk-edge check")
    return 0
