"""The command `stempelwerk-edge`: `run` is the agent on a clock, `check` explains in plain words what is wrong with
one, `rescue` takes over what the previous clock's card still holds, `adopt` lets a base take in new scanners. `fill`
unpacks a new version that the agent has fetched; systemd calls it, under another user. systemd asks `is-set-up` before
`run`.

Exit status of all: 0 all well, 1 something is wrong, 2 the configuration cannot be read (also for `run` on a machine
without an identifier of its own). `is-set-up` also has 3: the cloud's address is missing.
"""

import asyncio
import logging
import signal
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from stempelwerk_edge.configuration import Settings
from stempelwerk_edge.errors import IdentityError, NotSetUp, SettingsError
from stempelwerk_edge.german import GermanParser, reason_of
from stempelwerk_edge.machine.instance import keep_private, sole_instance
from stempelwerk_edge.machine.names import run
from stempelwerk_edge.machine.notify import ServiceManager
from stempelwerk_edge.machine.system_log import SystemLog, is_journal, set_up_log, with_priority
from stempelwerk_edge.satellites.adoption import Adoption
from stempelwerk_edge.version import program_version

if TYPE_CHECKING:
    from stempelwerk_edge.agent import Agent

_NOT_SET_UP = 3
_CONFIGURATION = "die Konfiguration (TOML); der Befehl des Pakets setzt /etc/stempelwerk-edge/stempelwerk-edge.toml ein"


def main(arguments: list[str] | None = None) -> int:
    """Runs a command; returns its exit status."""
    parser = GermanParser(prog="stempelwerk-edge", description="Das Programm einer Stempeluhr.")
    version = f"{parser.prog} {program_version()}"
    parser.add_argument("--version", action="version", version=version, help="nennt die Version")
    commands = parser.add_subparsers(dest="command", required=True, metavar="BEFEHL", title="Befehle")
    for name, explanation in (
        ("run", "läuft, bis ihm jemand Halt sagt"),
        ("check", "sieht die ganze Uhr an, vom Leser bis zur Verbindung, und sagt, was nicht stimmt"),
        ("rescue", "übernimmt die Stempel von der Karte der Uhr, die diese ersetzt"),
        ("is-set-up", "sagt mit dem Status, ob die Adresse der Cloud gesetzt ist: 0, oder 3, wenn sie fehlt"),
        ("adopt", "nimmt tragbare Scanner auf, die in den nächsten fünf Minuten in die Basis kommen"),
    ):
        command = commands.add_parser(name, help=explanation, description=explanation)
        command.add_argument("--config", type=Path, required=True, metavar="DATEI", help=_CONFIGURATION)
        if name == "rescue":
            command.add_argument(
                "card", type=Path, metavar="KARTE", help="eine eingehängte Karte, ein Datenordner oder ein Journal"
            )
    explanation = "packt eine neue Version aus, die geholt wurde und unterschrieben ist (das tut systemd)"
    commands.add_parser("fill", help=explanation, description=explanation)
    options = parser.parse_args(arguments)
    if options.command == "fill":
        return _fill()
    try:
        settings = Settings.load(options.config)
        if options.command == "rescue":
            return _rescue(options.card, settings)
        return {"run": _run, "check": _check, "adopt": _adopt, "is-set-up": _is_set_up}[options.command](settings)
    except NotSetUp as fault:
        _refuse(str(fault))
        return _NOT_SET_UP if options.command == "is-set-up" else 2
    except (SettingsError, IdentityError) as fault:
        _refuse(str(fault))
        return 2


def _refuse(why: str) -> None:
    print(with_priority(why, logging.ERROR) if is_journal(sys.stderr) else why, file=sys.stderr)


def _is_set_up(_: Settings) -> int:
    return 0


def _check(settings: Settings) -> int:
    from stempelwerk_edge.check import run_checks  # noqa: PLC0415 - not needed by the agent

    return run_checks(settings, sys.stdout)


def _rescue(card: Path, settings: Settings) -> int:
    from stempelwerk_edge.rescue import run_rescue  # noqa: PLC0415 - not needed by the agent

    return run_rescue(card, settings, sys.stdout)


def _adopt(settings: Settings) -> int:
    if not settings.satellites.paths:
        _refuse("Diese Uhr ist keine Basis: [satellites] paths fehlt in der Konfiguration.")
        return 1
    try:
        Adoption(settings.data_dir).allow()
    except OSError as fault:
        _refuse(
            f"In {settings.data_dir} lässt sich nicht schreiben: {reason_of(fault)}. Was zu tun ist, zeigt `check`."
        )
        return 1
    print("Neue Scanner, die in den nächsten fünf Minuten in die Basis gesteckt werden, gehören dann zu dieser Uhr.")
    return 0


def _fill() -> int:
    from stempelwerk_edge.updates.launcher import Places  # noqa: PLC0415 - not needed by the agent's own start
    from stempelwerk_edge.updates.slots import fill  # noqa: PLC0415

    set_up_log(sys.stderr)
    places = Places.from_environment()
    if places is None:
        _refuse("STEMPELWERK_UPDATES sagt nicht, wo Updates liegen; die Unit stempelwerk-edge-update setzt es.")
        return 2
    return 0 if fill(places) else 1


def _run(settings: Settings) -> int:
    # Reports a wrong configuration before anything is loaded.
    from stempelwerk_edge.agent import Agent, system_ports  # noqa: PLC0415

    log = set_up_log(sys.stderr)
    for name in ("httpx", "uvicorn"):
        logging.getLogger(name).setLevel(logging.WARNING)
    with ExitStack() as stack:
        try:
            if not stack.enter_context(sole_instance(settings.data_dir)):
                _refuse(f"In {settings.data_dir} läuft schon eine Uhr (systemctl status stempelwerk-edge).")
                return 1
            keep_private(settings.data_dir)
        except OSError as fault:  # a disk that cannot be written now: the clock starts and shows that on its screen
            logging.getLogger("stempelwerk_edge").error("data_dir %s cannot be used: %s", settings.data_dir, fault)
        manager = ServiceManager()
        run(_run_until_signal(Agent(settings, system_ports(settings, manager.ready)), manager, log))
    return 0


async def _run_until_signal(agent: "Agent", manager: ServiceManager, log: SystemLog) -> None:
    """Runs until SIGTERM or SIGINT."""
    running = asyncio.current_task()
    assert running is not None

    def stop() -> None:
        manager.stopping()
        running.cancel()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop)
    beside = [
        asyncio.create_task(manager.keep_alive(), name="watchdog"),
        asyncio.create_task(log.run(), name="log"),
    ]
    with suppress(asyncio.CancelledError):
        await agent.run()
    for task in beside:
        task.cancel()
    logging.getLogger("stempelwerk_edge").info("stopped")


if __name__ == "__main__":
    sys.exit(main())
