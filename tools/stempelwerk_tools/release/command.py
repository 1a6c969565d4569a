"""The command `stempelwerk release`: the steps that bring a version of the clock's program to the clocks."""

import argparse
import getpass
import os
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path

import httpx

from stempelwerk_tools.demo.children import ChildFailed
from stempelwerk_tools.german import AddressRefused, GermanParser, check_address, connection_fault, file_fault
from stempelwerk_tools.packages.closure import NotLocked
from stempelwerk_tools.packages.program import EDGE, ROOT, NotBuilt, wheel_of
from stempelwerk_tools.release import build, rehearsal
from stempelwerk_tools.release.cloud import Cloud, Refused
from stempelwerk_tools.release.disk import Busy, locked
from stempelwerk_tools.release.keys import Keys, NoKey
from stempelwerk_tools.release.repository import CHANNELS, NotSigned, Repository


class NoAnswer(Exception):
    """An answer is missing or does not fit; the message names the question."""


_REFUSALS = (
    AddressRefused,
    Busy,
    NoAnswer,
    NoKey,
    NotSigned,
    Refused,
    rehearsal.Failed,
    ChildFailed,
)
_ANSWERS = "RELEASE_"
_UPLOAD_S = 300


def main(arguments: Sequence[str]) -> int:
    """Runs the command; exit status 1 if a step is refused, 2 for a wrong call."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if not options.rehearse and options.run is None:
        parser.error("Nenne einen Befehl, oder --rehearse")
    try:
        if options.rehearse:
            _rehearse()
        else:
            with locked(options.dir):
                options.run(options, Repository(options.dir, _keys(options)))
    except (NotBuilt, NotLocked) as fault:
        why = f"Das Bauen ist gescheitert. {fault}"
    except httpx.HTTPError as fault:
        why = connection_fault(fault, getattr(options, "url", "Die Cloud der Probe"))
    except OSError as fault:
        why = file_fault(fault)
    except _REFUSALS as fault:
        why = str(fault)
    else:
        return 0
    print(f"stempelwerk release: {why}")
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = GermanParser(
        prog="stempelwerk release",
        description="Bringt eine Version des Programms der Uhren zu den Uhren.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rehearse", action="store_true", help="probt alles in einem Ordner, der danach verschwindet")
    parser.add_argument("--dir", type=Path, default=ROOT / "var" / "release", help="der Ordner (var/release)")
    parser.add_argument("--keys", type=Path, action="append", help="ein Ordner mit Schlüsseln; auch mehrmals")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(metavar="BEFEHL", title="Befehle")

    init = commands.add_parser(
        "init", help="die Zeremonie: macht die Schlüssel, unterschreibt Root, targets und zwei leere Kanäle"
    )
    init.add_argument("--cloud-key", required=True, help="was stempelwerk-cloud update-key gezeigt hat")
    init.set_defaults(run=_init)

    build_command = commands.add_parser(
        "build", help="legt die Version des Quelltexts in einen Kanal, für jede Plattform"
    )
    build_command.add_argument("--channel", choices=CHANNELS, default="beta")
    build_command.add_argument("--notes", type=Path, required=True, help="eine Datei: was neu ist, auf Deutsch")
    build_command.add_argument("--platform", action="append", help=f"ohne: {', '.join(build.PLATFORMS)}")
    build_command.set_defaults(run=_build)

    sign = commands.add_parser("sign", help="unterschreibt, was in einem Kanal liegt; das gilt ein Jahr")
    sign.add_argument("--channel", choices=CHANNELS, required=True)
    sign.set_defaults(run=lambda options, repository: _report(f"Version {repository.sign(options.channel)}"))

    promote = commands.add_parser("promote", help="legt eine Version von beta auch in stable und unterschreibt")
    promote.add_argument("version")
    promote.set_defaults(run=lambda options, repository: repository.promote(options.version))

    publish = commands.add_parser("publish", help="gibt ab, was eine Cloud noch nicht hat")
    _add_address(publish)
    publish.set_defaults(run=_publish)

    withdraw = commands.add_parser(
        "withdraw", help="zieht eine Version zurück: sofort nicht mehr angeboten, dann unterschrieben"
    )
    withdraw.add_argument("versions", nargs="+", metavar="version")
    _add_address(withdraw)
    withdraw.add_argument("--reason", required=True, help="auf Deutsch; die Administratoren lesen ihn")
    withdraw.set_defaults(run=_withdraw)

    rotate = commands.add_parser("rotate", help="ein neues Root, mit neuen Schlüsseln statt der weggelassenen")
    rotate.add_argument(
        "--drop",
        action="append",
        default=[],
        metavar="SCHLÜSSEL[=ORDNER]",
        help="root-2=/media/new, targets, stable …: der Ordner des neuen; ein Root-Schlüssel braucht einen eigenen",
    )
    rotate.add_argument("--cloud-key", help="was stempelwerk-cloud update-key --new gezeigt hat")
    rotate.set_defaults(run=_rotate)
    parser.epilog = "".join(each.format_usage() for each in commands.choices.values())
    return parser


def _add_address(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--url", required=True, help="die Adresse der Cloud, wie in STEMPELWERK_PUBLIC_URL")
    parser.add_argument("--without-tls", action="store_true", help="auch eine Adresse mit http:// nehmen")


def _init(options: argparse.Namespace, repository: Repository) -> None:
    repository.begin(options.cloud_key)
    _report_root(repository)


def _build(options: argparse.Namespace, repository: Repository) -> None:
    version, notes = build.current(), repository.notes(build.current())
    notes.parent.mkdir(parents=True, exist_ok=True)
    notes.write_text(options.notes.read_text("utf-8"), "utf-8")
    with tempfile.TemporaryDirectory(prefix="stempelwerk-release-") as folder:
        own_wheel = wheel_of(EDGE, Path(folder))
        for platform in options.platform or build.PLATFORMS:
            wheels = [own_wheel, *build.fetch_dependencies(platform, Path(folder) / platform)]
            _report(repository.add(options.channel, version, platform, wheels).name)


def _publish(options: argparse.Namespace, repository: Repository) -> None:
    with _client(options) as client, Cloud(client, _ask) as cloud:
        _hand_in(repository, cloud)


def _withdraw(options: argparse.Namespace, repository: Repository) -> None:
    leaving: dict[str, list[str]] = {}
    for version in options.versions:
        for channel in repository.channels_of(version):
            leaving.setdefault(channel, []).append(version)
    for channel, versions in leaving.items():
        repository.check_can_withdraw(versions, channel)
    with _client(options) as client, Cloud(client, _ask) as cloud:
        for version in options.versions:
            cloud.withdraw(version, options.reason)
        _report("Keine Uhr bekommt sie mehr angeboten.")
        for channel, versions in leaving.items():
            repository.withdraw(versions, channel)
        _hand_in(repository, cloud)


def _hand_in(repository: Repository, cloud: Cloud) -> None:
    answer = cloud.publish(repository.bundle(cloud.offered_releases()))
    for row in answer["releases"]:
        state = "zurückgezogen" if row["withdrawn"] else f"{row['clocks']} Uhren"
        _report(f"{row['channel']} {row['version']}: {state}")
    if (answer["root"]["version"], answer["root"]["fingerprint"]) != repository.fingerprint():
        raise Refused("Die Cloud hat ein anderes Root als dieser Ordner.")
    _report_root(repository)


def _rotate(options: argparse.Namespace, repository: Repository) -> None:
    pairs = [argument.partition("=") for argument in options.drop]
    drop = {name: Path(folder) if folder else None for name, _, folder in pairs}
    for name in repository.rotate(drop, options.cloud_key):
        _report(f"Neuer Schlüssel {name}")
    _report_root(repository)


def _rehearse() -> None:
    with tempfile.TemporaryDirectory(prefix="stempelwerk-rehearsal-") as folder:
        wheel = wheel_of(EDGE, Path(folder))
        rehearsal.rehearse(Path(folder), [wheel], _report)


def _report_root(repository: Repository) -> None:
    version, fingerprint = repository.fingerprint()
    _report(f"Root {version}, Fingerabdruck {fingerprint}")


def _client(options: argparse.Namespace) -> httpx.Client:
    """Returns a client for the cloud's address. Raises AddressRefused."""
    check_address(options.url, without_tls=options.without_tls)
    return httpx.Client(base_url=options.url, timeout=_UPLOAD_S)


def _keys(options: argparse.Namespace) -> Keys:
    return Keys([*(options.keys or []), options.dir / "keys"], _ask, _choose)


def _ask(name: str, prompt: str = "{}: ") -> str:
    """Returns an answer from the environment (`RELEASE_ROOT_1` …), or else from the terminal. Raises NoAnswer."""
    variable = _ANSWERS + name.upper().replace("-", "_")
    answer = os.environ.get(variable)
    if answer is not None:
        return answer
    with warnings.catch_warnings():
        # Without a terminal `getpass` would read from a pipe and show what is typed.
        warnings.simplefilter("error", getpass.GetPassWarning)
        try:
            return getpass.getpass(prompt.format(name))
        except (getpass.GetPassWarning, EOFError):
            raise NoAnswer(f"Kein Terminal, um nach {name} zu fragen: Setze {variable}.") from None


def _choose(name: str) -> str:
    """Returns the passphrase of a new key, which is typed twice. Raises NoAnswer if the two differ three times."""
    for _ in range(3):
        passphrase = _ask(name, "{}, neue Passphrase: ")
        if passphrase == _ask(name, "{}, noch einmal: "):
            return passphrase
        _report(f"Die Passphrasen von {name} sind verschieden.")
    raise NoAnswer("Es wurde kein Schlüssel gemacht.")


def _report(line: str) -> None:
    print(line, flush=True)
