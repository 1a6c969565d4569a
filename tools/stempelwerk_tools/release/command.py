"""The command `stempelwerk release`: what is done to bring a version of the clock's program to the clocks."""

import argparse
import getpass
import os
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path

import httpx

from stempelwerk_tools.demo.children import ChildFailed
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
    Busy,
    NoAnswer,
    NoKey,
    NotSigned,
    NotBuilt,
    NotLocked,
    Refused,
    rehearsal.Failed,
    ChildFailed,
    OSError,
    httpx.HTTPError,
)
_ANSWERS = "RELEASE_"
_UPLOAD_S = 300


def main(arguments: Sequence[str]) -> int:
    """Exit status 1 where a step is refused, 2 for a wrong call."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if not options.rehearse and options.run is None:
        parser.error("say what is to be done, or --rehearse")
    try:
        if options.rehearse:
            _rehearse()
        else:
            with locked(options.dir):
                options.run(options, Repository(options.dir, _keys(options)))
    except _REFUSALS as fault:
        print(f"stempelwerk release: {fault}")
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="stempelwerk release", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rehearse", action="store_true", help="try all of it in a folder that goes away")
    parser.add_argument("--dir", type=Path, default=ROOT / "var" / "release", help="where it lies (var/release)")
    parser.add_argument("--keys", type=Path, action="append", help="a folder of keys; several, if they lie apart")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(metavar="command")

    init = commands.add_parser("init", help="the ceremony: make the keys, sign root, targets and two empty channels")
    init.add_argument("--cloud-key", required=True, help="what 'stempelwerk-cloud update-key' printed")
    init.set_defaults(run=_init)

    made = commands.add_parser("build", help="lay the source's version into a channel, for each platform")
    made.add_argument("--channel", choices=CHANNELS, default="beta")
    made.add_argument("--notes", type=Path, required=True, help="a file: what is new, in German")
    made.add_argument("--platform", action="append", help=f"{', '.join(build.PLATFORMS)} without any")
    made.set_defaults(run=_build)

    sign = commands.add_parser("sign", help="sign what lies in a channel; a channel expires after a year")
    sign.add_argument("--channel", choices=CHANNELS, required=True)
    sign.set_defaults(run=lambda options, repository: _said(f"version {repository.sign(options.channel)}"))

    promote = commands.add_parser("promote", help="put a version of beta into stable too, and sign it")
    promote.add_argument("version")
    promote.set_defaults(run=lambda options, repository: repository.promote(options.version))

    publish = commands.add_parser("publish", help="hand in what a cloud does not have")
    publish.add_argument("--url", required=True)
    publish.set_defaults(run=_publish)

    withdraw = commands.add_parser("withdraw", help="take a version out of use: told to nobody at once, then signed")
    withdraw.add_argument("versions", nargs="+", metavar="version")
    withdraw.add_argument("--url", required=True)
    withdraw.add_argument("--reason", required=True, help="in German; administrators read it")
    withdraw.set_defaults(run=_withdraw)

    rotate = commands.add_parser("rotate", help="a new root, with new keys for those that are dropped")
    rotate.add_argument(
        "--drop",
        action="append",
        default=[],
        metavar="KEY[=FOLDER]",
        help="root-2=/media/new, targets, stable …: the folder is the new key's, a key of root needs one of its own",
    )
    rotate.add_argument("--cloud-key", help="what 'stempelwerk-cloud update-key --new' printed")
    rotate.set_defaults(run=_rotate)
    parser.epilog = "".join(each.format_usage() for each in commands.choices.values())
    return parser


def _init(options: argparse.Namespace, repository: Repository) -> None:
    repository.begin(options.cloud_key)
    _say_root(repository)


def _build(options: argparse.Namespace, repository: Repository) -> None:
    version, notes = build.current(), repository.notes(build.current())
    notes.parent.mkdir(parents=True, exist_ok=True)
    notes.write_text(options.notes.read_text("utf-8"), "utf-8")
    with tempfile.TemporaryDirectory(prefix="stempelwerk-release-") as folder:
        own = wheel_of(EDGE, Path(folder))
        for platform in options.platform or build.PLATFORMS:
            wheels = [own, *build.others(platform, Path(folder) / platform)]
            _said(repository.add(options.channel, version, platform, wheels).name)


def _publish(options: argparse.Namespace, repository: Repository) -> None:
    with _client(options.url) as client, Cloud(client, _ask) as cloud:
        _hand_in(repository, cloud)


def _withdraw(options: argparse.Namespace, repository: Repository) -> None:
    leaving: dict[str, list[str]] = {}
    for version in options.versions:
        for channel in repository.channels_of(version):
            leaving.setdefault(channel, []).append(version)
    for channel, versions in leaving.items():
        repository.check_can_withdraw(versions, channel)
    with _client(options.url) as client, Cloud(client, _ask) as cloud:
        for version in options.versions:
            cloud.withdraw(version, options.reason)
        _said("told to nobody any more")
        for channel, versions in leaving.items():
            repository.withdraw(versions, channel)
        _hand_in(repository, cloud)


def _hand_in(repository: Repository, cloud: Cloud) -> None:
    answer = cloud.publish(repository.bundle(cloud.known()))
    for row in answer["releases"]:
        state = "withdrawn" if row["withdrawn"] else f"{row['clocks']} clocks"
        _said(f"{row['channel']} {row['version']}: {state}")
    if (answer["root"]["version"], answer["root"]["fingerprint"]) != repository.fingerprint():
        raise Refused("the cloud has another root than this folder")
    _say_root(repository)


def _rotate(options: argparse.Namespace, repository: Repository) -> None:
    named = [one.partition("=") for one in options.drop]
    drop = {name: Path(folder) if folder else None for name, _, folder in named}
    for name in repository.rotate(drop, options.cloud_key):
        _said(f"new key {name}")
    _say_root(repository)


def _rehearse() -> None:
    with tempfile.TemporaryDirectory(prefix="stempelwerk-rehearsal-") as folder:
        wheel = wheel_of(EDGE, Path(folder))
        rehearsal.rehearse(Path(folder), [wheel], _said)


def _say_root(repository: Repository) -> None:
    version, fingerprint = repository.fingerprint()
    _said(f"root {version}, fingerprint {fingerprint}")


def _client(url: str) -> httpx.Client:
    return httpx.Client(base_url=url, timeout=_UPLOAD_S)


def _keys(options: argparse.Namespace) -> Keys:
    return Keys([*(options.keys or []), options.dir / "keys"], _ask, _choose)


def _ask(name: str, prompt: str = "{}: ") -> str:
    """Returns an answer of the environment (`RELEASE_ROOT_1` …), else of the terminal. NoAnswer."""
    variable = _ANSWERS + name.upper().replace("-", "_")
    given = os.environ.get(variable)
    if given is not None:
        return given
    with warnings.catch_warnings():
        # Without a terminal `getpass` would read from a pipe and show what is typed.
        warnings.simplefilter("error", getpass.GetPassWarning)
        try:
            return getpass.getpass(prompt.format(name))
        except (getpass.GetPassWarning, EOFError):
            raise NoAnswer(f"no terminal to ask for {name}: set {variable}") from None


def _choose(name: str) -> str:
    """Returns the passphrase of a new key, typed twice. NoAnswer if the two differ three times."""
    for _ in range(3):
        passphrase = _ask(name, "{}, a new passphrase: ")
        if passphrase == _ask(name, "{}, once more: "):
            return passphrase
        _said(f"the passphrases of {name} differ")
    raise NoAnswer("no key was made")


def _said(line: str) -> None:
    print(line, flush=True)
