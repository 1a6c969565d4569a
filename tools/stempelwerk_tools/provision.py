"""`stempelwerk provision`: the configuration of a new clock, onto its card or into a file.

It is the package's own file, with the values that differ from clock to clock. The clock's own reader validates it.
"""

import json
import os
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from stempelwerk_edge.configuration import Settings
from stempelwerk_edge.errors import SettingsError

from .german import AddressRefused, GermanParser, check_encrypted, file_fault

_ROOT = Path(__file__).resolve().parents[2]
SAMPLE = _ROOT / "edge" / "deploy" / "stempelwerk-edge.toml"
PROFILES = sorted(path.parent.name for path in (_ROOT / "hardware").glob("*/profile.toml"))
PLACE = Path("etc/stempelwerk-edge/stempelwerk-edge.toml")
"""The configuration's path on a clock."""
GROUP = "stempelwerk-edge"
"""The group of the clock's program (`edge/deploy/stempelwerk-edge.conf`)."""


class Refused(Exception):
    """Nothing is written; the text gives the reason."""


def fill_sample(sample: str, values: Mapping[str, str]) -> str:
    """Returns the sample with these values, each in its line, which may be commented out as an example. Raises
    SettingsError.
    """
    for name, value in values.items():
        line = f"{name} = {json.dumps(value, ensure_ascii=False)}".replace("\\", r"\\")
        sample, count = re.subn(rf'^(?:# )?{name} = "[^"]*"', line, sample, flags=re.MULTILINE)
        assert count == 1, name
    Settings.from_table(tomllib.loads(sample), Path("/"))
    return sample


def has_password(proxy: str | None) -> bool:
    """Returns whether the proxy's address names a user or a password."""
    return proxy is not None and "@" in proxy


def place_of(path: Path) -> Path:
    """Returns the path of the settings file: the given file, or the clock's own one below a mounted card's folder.
    Raises Refused.
    """
    if not path.is_dir():
        return path
    if not (path / "etc").is_dir():
        raise Refused(f"{path} ist keine Karte einer Uhr: Dort fehlt der Ordner etc.")
    return path / PLACE


def write(place: Path, text: str, *, replacing: bool, is_secret: bool) -> None:
    """Writes the settings file whole or not at all. Raises OSError.

    Raises Refused if the file has other settings already, unless `replacing`. `is_secret`: only root and the group of
    the clock's program can read it. On a card without that group only root can: the package changes the file's group
    when it is installed.
    """
    present_text = place.read_text("utf-8") if place.exists() else None
    if present_text not in (None, text, SAMPLE.read_text("utf-8")) and not replacing:
        raise Refused(f"{place} ist schon ausgefüllt. Ersetzen mit --force.")
    place.parent.mkdir(parents=True, exist_ok=True)
    place = place.resolve()  # keeps a symbolic link
    beside = place.with_name(f"{place.name}.new")
    beside.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            group = _group_on(place) if is_secret else None
            if group is not None and os.geteuid() == 0:
                os.fchown(file.fileno(), 0, group)
                os.fchmod(file.fileno(), 0o640)
            elif not is_secret:
                os.fchmod(file.fileno(), 0o644)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(place)
    except BaseException:
        beside.unlink(missing_ok=True)  # it may hold a password
        raise
    _sync_folder(place.parent)


def _sync_folder(folder: Path) -> None:
    """Makes the new file's name durable, so that the card may be pulled."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _group_on(place: Path) -> int | None:
    """Returns the number of the program's group on the card with this file; None without one."""
    try:
        lines = (place.parents[2] / "etc" / "group").read_text("utf-8").splitlines()
    except (IndexError, OSError):
        return None
    numbers = [parts[2] for line in lines if len(parts := line.split(":")) > 2 and parts[0] == GROUP]
    return int(numbers[0]) if numbers and numbers[0].isdecimal() else None


def main(argv: Sequence[str]) -> int:
    """Runs the command; 1 if nothing was written."""
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
        place, is_secret = place_of(options.place), has_password(options.proxy)
        text = fill_sample(SAMPLE.read_text("utf-8"), values)
        write(place, text, replacing=options.force, is_secret=is_secret)
    except (AddressRefused, Refused, SettingsError) as fault:
        print(fault, file=sys.stderr)
        return 1
    except OSError as fault:
        print(file_fault(fault), file=sys.stderr)
        return 1
    print(f"{place} geschrieben. Auf der Uhr: sudo stempelwerk-edge check")
    if is_secret and place.stat().st_mode & 0o040 == 0:
        print(
            "Wegen des Proxy-Passworts liest sie nur ihr Eigentümer. Auf der Uhr darf sie auch das Programm lesen:"
            f" sudo chown root:{GROUP} /{PLACE}; sudo chmod 640 /{PLACE}."
            " Das Paket tut es, wenn es danach installiert wird."
        )
    return 0
