"""The command `check`: looks at reader, disk, screen, time and connection of a clock and says in plain words what is
wrong.

For the person who installs it, therefore German. It taps nothing, enrols nothing and leaves the journal as it is; a
running agent is not disturbed.
"""

import asyncio
import os
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import TextIO
from urllib.parse import urlsplit

import httpx

from stempelwerk_edge.cloud.client import tls_context
from stempelwerk_edge.display.door import own_address
from stempelwerk_edge.errors import EdgeError, ReaderAbsent, ReaderFault, SettingsError
from stempelwerk_edge.machine.clock import Quality, SystemClock
from stempelwerk_edge.machine.instance import sole_instance
from stempelwerk_edge.readers import reader_for
from stempelwerk_edge.settings import Settings

_LEAST_FREE_MB = 200
_WRONG_TIME = timedelta(minutes=5)
_TIMEOUT_S = 10.0
_SOURCES = {Quality.NTP: "aus dem Netz", Quality.RTC: "vom Uhrenbaustein"}


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, whether it is well, and the sentence about it; a hint is about something that could fail."""

    what: str
    well: bool
    sentence: str
    hint: bool = False

    @property
    def word(self) -> str:
        """What the line begins with."""
        return "FEHLER" if not self.well else "Hinweis" if self.hint else "gut"


@dataclass(frozen=True, slots=True)
class Cloud:
    """What the cloud answered, or why it did not."""

    answer: httpx.Response | None = None
    fault: Exception | None = None

    def time(self) -> datetime | None:
        """Its time, if it said so."""
        try:
            return None if self.answer is None else parsedate_to_datetime(self.answer.headers["Date"])
        except (KeyError, ValueError, TypeError):
            return None


def run_checks(settings: Settings, out: TextIO) -> int:
    """Look at everything, write a line for each; 0 if all is well, else 1."""
    all_well, cloud = True, ask(settings)
    for check in (check_reader, check_disk, check_screen, check_time, check_connection):
        for finding in check(settings, cloud):
            all_well = all_well and finding.well
            print(f"{finding.word:<7}  {finding.what}: {finding.sentence}", file=out)
    print("Alles in Ordnung." if all_well else "Es ist noch etwas zu tun.", file=out)
    return 0 if all_well else 1


def check_reader(settings: Settings, _: Cloud) -> Iterator[Finding]:
    """Whether the reader answers; a running agent has it, and is not disturbed."""
    try:
        with sole_instance(settings.data_dir) as alone:
            if not alone:
                yield Finding("Leser", True, "Die Stempeluhr läuft und benutzt ihn; ihr Bildschirm zeigt, ob er geht.")
                return
    except OSError:
        pass  # what is wrong with the disk is said below
    try:
        reader = reader_for(settings.reader)
    except EdgeError as fault:
        yield Finding("Leser", False, str(fault))
        return
    if reader is None:
        yield Finding("Leser", False, 'In der Konfiguration ist keiner eingetragen ([reader] kind = "none").')
        return
    where = settings.reader.path
    try:
        reader.open()
        reader.poll()
        yield Finding("Leser", True, f"Er antwortet an {where}.")
    except ReaderAbsent:
        yield Finding("Leser", False, f"An {where} ist kein Leser. Kabel und [reader] path prüfen.")
    except ReaderFault as fault:
        yield Finding(
            "Leser",
            False,
            f"Der Leser an {where} antwortet nicht richtig ({fault}). Kabel und Strom prüfen.",
        )
    except EdgeError:
        yield Finding("Leser", True, f"Er antwortet an {where}; es liegt etwas darauf, das kein Tag ist.")
    finally:
        reader.close()


def check_disk(settings: Settings, _: Cloud) -> Iterator[Finding]:
    """Whether the journal's place can be written and has room."""
    directory = settings.data_dir
    probe = directory / ".check"
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            os.write(descriptor, b"stempelwerk")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
            probe.unlink()
    except OSError as fault:
        yield Finding("Speicher", False, f"In {directory} lässt sich nicht schreiben: {fault.strerror}.")
        return
    figures = os.statvfs(directory)
    free_mb = figures.f_bavail * figures.f_frsize >> 20
    if free_mb < _LEAST_FREE_MB:
        yield Finding(
            "Speicher", False, f"In {directory} sind nur noch {free_mb} MB frei, {_LEAST_FREE_MB} sollten es sein."
        )
    else:
        yield Finding("Speicher", True, f"{directory} ist beschreibbar, {free_mb} MB sind frei.")


def check_screen(settings: Settings, _: Cloud) -> Iterator[Finding]:
    """Whether the touchscreen's page is offered to this machine alone, as the agent demands; nothing is listened on."""
    host, port = settings.display.host, settings.display.port
    try:
        own_address(host)
    except SettingsError as fault:
        yield Finding("Bildschirm", False, str(fault))
    else:
        yield Finding("Bildschirm", True, f"Die Uhr bietet ihn nur sich selbst an ({host}, Port {port}).")


def check_connection(settings: Settings, cloud: Cloud) -> Iterator[Finding]:
    """Whether the cloud answers, and is the right program."""
    url, answer = settings.cloud.url, cloud.answer
    if answer is None:
        yield Finding("Verbindung", False, _why(cloud.fault, settings))
    elif answer.status_code >= httpx.codes.INTERNAL_SERVER_ERROR:
        yield Finding("Verbindung", False, f"{url} ist erreichbar, meldet aber einen Fehler ({answer.status_code}).")
    elif "json" not in answer.headers.get("Content-Type", ""):
        sentence = f"Unter {url} antwortet etwas anderes als die Cloud. Ist das WLAN angemeldet?"
        yield Finding("Verbindung", False, sentence)
    else:
        yield Finding("Verbindung", True, f"Die Cloud unter {url} antwortet.")


def check_time(_: Settings, cloud: Cloud) -> Iterator[Finding]:
    """Where the time comes from, and whether it is the cloud's."""
    clock = SystemClock()
    quality, there = clock.quality(), cloud.time()
    apart = None if there is None else abs(clock.wall() - there)
    if apart is not None and apart > _WRONG_TIME:
        minutes = int(apart / timedelta(minutes=1))
        yield Finding("Uhrzeit", False, f"Sie weicht um {minutes} Minuten von der Uhrzeit der Cloud ab.")
    elif quality in _SOURCES:
        yield Finding("Uhrzeit", True, f"Sie kommt {_SOURCES[quality]}.")
    elif apart is not None:
        sentence = "Sie stimmt mit der Cloud überein, wird aber von keinem Zeitdienst gestellt. NTP einschalten."
        yield Finding("Uhrzeit", True, sentence, hint=True)
    else:
        yield Finding(
            "Uhrzeit",
            False,
            "Sie wird weder aus dem Netz gestellt noch von einem Uhrenbaustein. Was vor dem ersten Kontakt mit der "
            "Cloud gestempelt wird, muss von Hand bestätigt werden. Zeitdienst (NTP) einschalten.",
        )


def ask(settings: Settings) -> Cloud:
    """Ask the cloud how it is; the dates of its certificate are not judged, for the time may be what is wrong."""

    async def request() -> httpx.Response:
        verify = tls_context(settings.cloud.ca_file, check_dates=False)
        async with httpx.AsyncClient(verify=verify, timeout=_TIMEOUT_S, trust_env=False) as client:
            return await client.get(f"{settings.cloud.url}/api/health")

    try:
        return Cloud(answer=asyncio.run(request()))
    except (httpx.HTTPError, OSError, ValueError) as fault:
        return Cloud(fault=fault)


def _why(fault: BaseException | None, settings: Settings) -> str:
    """The likely reason in plain words."""
    url, host = settings.cloud.url, urlsplit(settings.cloud.url).hostname
    causes = list(_causes(fault))
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return f"Das Zertifikat von {url} ist von keiner Stelle, der diese Uhr vertraut ([cloud] ca_file prüfen)."
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return f"Der Name {host} lässt sich nicht auflösen. Netzwerk und [cloud] url prüfen."
    if any(isinstance(cause, httpx.TimeoutException) for cause in causes):
        return f"{url} antwortet nicht rechtzeitig. Netzwerk und Firewall prüfen."
    if any(isinstance(cause, FileNotFoundError | PermissionError) for cause in causes):
        return f"Die Datei {settings.cloud.ca_file} ([cloud] ca_file) lässt sich nicht lesen."
    return f"{url} ist nicht erreichbar ({fault})."


def _causes(fault: BaseException | None) -> Iterator[BaseException]:
    cause = fault
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__
