"""The command `check`: looks at settings, reader, scanners' lines, disk, files, key, screen, time, connection and
update of a clock and explains in plain words what is wrong.

It is meant for the person who installs the clock, therefore German. It taps nothing, enrols nothing and leaves the
journal as it is; a running agent is not disturbed. `probe.py` has its requests to the cloud.
"""

import errno
import glob
import os
import pwd
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TextIO

import httpx

from stempelwerk_edge.cloud.identity import DAMAGED, FILE_NAME
from stempelwerk_edge.configuration import MOST_LINES, Settings, in_words
from stempelwerk_edge.display.door import own_address
from stempelwerk_edge.errors import Busy, EdgeError, NotConnected, ReaderAbsent, ReaderFault, Refused, SettingsError
from stempelwerk_edge.german import reason_of
from stempelwerk_edge.machine.clock import Quality, SystemClock
from stempelwerk_edge.machine.instance import sole_instance
from stempelwerk_edge.mounts import Durability, storage_of
from stempelwerk_edge.probe import BAD_SIGNATURE, UNREADABLE, Cloud, ask, ask_signed, refused_certificate, why
from stempelwerk_edge.readers import reader_for
from stempelwerk_edge.readers.rivals import rivals
from stempelwerk_edge.updates.launcher import Places, read
from stempelwerk_edge.version import program_version

_LEAST_FREE_MB = 200
_WRONG_TIME = timedelta(minutes=5)
_SOURCES = {Quality.NTP: "aus dem Netz", Quality.RTC: "vom Uhrenbaustein"}


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check: its subject, whether it is well, and the German sentence about it.

    A hint is about something that may fail later; it counts as well.
    """

    subject: str
    well: bool
    sentence: str
    hint: bool = False

    @property
    def word(self) -> str:
        """Returns the word at the beginning of the line."""
        return "FEHLER" if not self.well else "Hinweis" if self.hint else "gut"


def run_checks(settings: Settings, out: TextIO) -> int:
    """Runs all checks and writes one line for each finding; returns 0 if all is well, else 1."""
    all_well, cloud = True, ask(settings)
    for check in (
        check_settings,
        check_reader,
        check_scanners,
        check_disk,
        check_files,
        check_identity,
        check_screen,
        check_time,
        check_connection,
        check_update,
    ):
        for finding in check(settings, cloud):
            all_well = all_well and finding.well
            print(f"{finding.word:<7}  {finding.subject}: {finding.sentence}", file=out)
    print("Alles in Ordnung." if all_well else "Es ist noch etwas zu tun.", file=out)
    return 0 if all_well else 1


def check_settings(settings: Settings, _: Cloud) -> Iterator[Finding]:
    """Lists unknown keys of the file; no line if there are no unknown keys."""
    if settings.unknown:
        unknown = in_words(settings.unknown, "gemeint ist vielleicht")
        yield Finding("Einstellungen", True, f"Unbekannt und ohne Wirkung: {unknown}.", hint=True)


def check_reader(settings: Settings, _: Cloud) -> Iterator[Finding]:
    """Checks whether the reader answers; a running agent has it, and is not disturbed."""
    try:
        with sole_instance(settings.data_dir, make=False) as alone:
            if not alone:
                yield Finding("Leser", True, "Die Stempeluhr läuft und benutzt ihn; ihr Bildschirm zeigt, ob er geht.")
                return
    except OSError:
        pass  # the check of the disk below reports it
    try:
        reader = reader_for(settings.reader)
    except EdgeError as fault:
        yield Finding("Leser", False, str(fault))
        return
    if reader is None and settings.satellites.paths:
        yield Finding("Leser", True, "Diese Basis hat keinen eigenen; gestempelt wird an ihren Scannern.")
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
        yield Finding("Leser", False, f"An {where} ist kein Leser. Kabel und [reader] path prüfen.{_rivals()}")
    except ReaderFault as fault:
        yield Finding(
            "Leser",
            False,
            f"Der Leser an {where} antwortet nicht richtig ({fault}). Kabel und Strom prüfen.{_rivals()}",
        )
    except EdgeError:
        yield Finding("Leser", True, f"Er antwortet an {where}; es liegt etwas darauf, das kein Tag ist.")
    finally:
        reader.close()


def _rivals() -> str:
    """Returns a sentence about each program that runs and takes serial lines to itself."""
    return "".join(
        f" Hier läuft {rival.name}, das serielle Leitungen für {rival.takes_them_for} hält und sich nimmt: "
        f"sudo systemctl disable --now {rival.unit}"
        for rival in rivals()
    )


def check_scanners(settings: Settings, _: Cloud) -> Iterator[Finding]:
    """Checks the devices at the lines of portable scanners; no line for a clock that is no base."""
    paths = settings.satellites.paths
    if not paths:
        return
    devices = {os.path.realpath(name) for pattern in paths for name in glob.glob(pattern)}  # noqa: PTH207 - whole paths
    reader = settings.reader.path
    readers = set() if reader is None else {os.path.realpath(reader)}
    lines = sorted(line for line in devices - readers if Path(line).exists())
    odd = [line for line in lines if not stat.S_ISCHR(Path(line).stat().st_mode)]
    shut = [line for line in lines if line not in odd and not os.access(line, os.R_OK | os.W_OK)]
    if odd:
        yield Finding("Scanner", False, f"Keine serielle Leitung: {', '.join(odd)}. [satellites] paths prüfen.")
    if shut:
        sentence = f"Diese Uhr darf nicht an {', '.join(shut)}: Ihr Benutzer muss in der Gruppe der Leitung sein."
        yield Finding("Scanner", False, sentence)
    if not lines:
        yield Finding("Scanner", True, f"Unter {', '.join(paths)} liegt gerade keiner.{_rivals()}", hint=True)
    elif len(lines) > MOST_LINES:
        sentence = f"An {len(lines)} Leitungen liegt etwas, die Uhr bedient nur {MOST_LINES} zugleich."
        yield Finding("Scanner", True, sentence, hint=True)
    elif not (odd or shut):
        yield Finding("Scanner", True, f"Leitungen, an denen etwas liegt: {len(lines)}.")


def check_disk(settings: Settings, _: Cloud) -> Iterator[Finding]:
    """Checks whether the journal's place can be written, outlasts a power cut and has room."""
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
        sentence = f"In {directory} lässt sich nicht schreiben: {reason_of(fault)}.{_way_out(fault, directory)}"
        yield Finding("Speicher", False, sentence)
        return
    storage = storage_of(directory)
    if storage.durability is Durability.FORGETFUL:
        sentence = (
            f"Dieser Speicher vergisst alles beim Ausschalten: {directory} liegt im Arbeitsspeicher "
            f"({storage.kind} unter {storage.point}). Darum nimmt die Uhr keine Stempel an. Leg data_dir auf eine "
            "Karte oder Platte, die beschrieben wird, oder schalte das Overlay aus, das sie vor dem Schreiben schützt."
        )
        yield Finding("Speicher", False, sentence)
        return
    if storage.durability is Durability.UNKNOWN:
        sentence = (
            f"{directory} liegt auf einem Overlay, dessen beschreibbare Schicht von hier aus nicht zu sehen ist. "
            "Vergisst sie alles beim Ausschalten, gehen Stempel verloren. Leg data_dir auf eine eigene Partition."
        )
        yield Finding("Speicher", True, sentence, hint=True)
        return
    if storage.is_share:
        sentence = (
            f"{directory} liegt auf einer Netzfreigabe ({storage.kind} unter {storage.point}). Ohne Netz nimmt die Uhr "
            "dann keine Stempel an. Leg data_dir auf eine Karte oder Platte der Uhr."
        )
        yield Finding("Speicher", True, sentence, hint=True)
        return
    figures = os.statvfs(directory)
    free_mb = figures.f_bavail * figures.f_frsize >> 20
    if free_mb < _LEAST_FREE_MB:
        yield Finding(
            "Speicher", False, f"In {directory} sind nur noch {free_mb} MB frei, {_LEAST_FREE_MB} sollten es sein."
        )
    else:
        yield Finding("Speicher", True, f"{directory} ist beschreibbar, {free_mb} MB sind frei.")


def check_files(settings: Settings, _: Cloud) -> Iterator[Finding]:
    """Yields a finding if the data folder has files that the clock's user cannot read and write."""
    directory = settings.data_dir
    if not directory.exists() or os.statvfs(directory).f_flag & os.ST_RDONLY:
        return  # check_disk reports it
    shut = [path for path in _list_data_files(directory) if not os.access(path, os.R_OK | os.W_OK)]
    if shut:
        names = ", ".join(map(str, shut))
        sentence = f"Die Uhr darf {names} nicht lesen oder nicht ändern.{_given_back(directory)}"
        yield Finding("Dateien", False, sentence)


def _way_out(fault: OSError, directory: Path) -> str:
    """Returns advice for a folder that cannot be written; empty for an unknown fault."""
    if isinstance(fault, PermissionError):
        return _given_back(directory)
    if fault.errno == errno.EROFS:
        return " Der Schreibschutz muss weg, oder data_dir auf eine Partition, die beschrieben wird."
    if fault.errno == errno.ENOSPC:
        return " Dort muss Platz werden: Auch neue Stempel passen nicht mehr hinein."
    return ""


def _given_back(directory: Path) -> str:
    """Returns a sentence with the command that makes the clock's user the owner of the folder again."""
    user = pwd.getpwuid(os.geteuid()).pw_name
    return f" Danach geht es wieder: sudo chown -R {user}: {directory} && sudo systemctl restart stempelwerk-edge"


def _list_data_files(directory: Path) -> Iterator[Path]:
    """Yields the files and folders of the data folder, without the `lost+found` of a separate partition."""
    for folder, folders, files in os.walk(directory):
        folders[:] = sorted(name for name in folders if name != "lost+found")
        yield from (Path(folder, name) for name in (*folders, *sorted(files)))


def check_identity(settings: Settings, _: Cloud) -> Iterator[Finding]:
    """Lists damaged key files, a line each."""
    for path in sorted(settings.data_dir.glob(f"{FILE_NAME}.{DAMAGED}-*")):
        day = datetime.fromtimestamp(path.stat().st_ctime, UTC).strftime("%d.%m.%Y")
        sentence = (
            f"Die Schlüsseldatei war beschädigt. Seit dem {day} hat die Uhr einen neuen Schlüssel und zählt als neue "
            "Uhr. Zeigt sie ihren Code, weise sie damit ihrer Firma wieder zu; ihre wartenden Stempel hat sie noch. "
            f"Die beschädigte Datei liegt als {path} da und kann danach gelöscht werden."
        )
        yield Finding("Schlüssel", True, sentence, hint=True)


def check_screen(settings: Settings, _: Cloud) -> Iterator[Finding]:
    """Checks that the touchscreen's page is offered to this machine only, as the agent demands. Does not listen."""
    host, port = settings.display.host, settings.display.port
    try:
        own_address(host)
    except SettingsError as fault:
        yield Finding("Bildschirm", False, str(fault))
    else:
        yield Finding("Bildschirm", True, f"Die Uhr bietet ihn nur sich selbst an ({host}, Port {port}).")


def check_update(_: Settings, __: Cloud) -> Iterator[Finding]:
    """Shows which version runs, and the outcome of a newer one; no line where nothing is updated."""
    places, version = Places.from_environment(), program_version()
    if places is None:
        return
    record, report = read(places.record), read(places.base / "slots" / "report.json")
    trial, failed, postponed = record.get("trial"), record.get("failed"), record.get("postponed")
    if not (places.base / "root.json").is_file():
        sentence = (
            f"Es läuft Version {version}. Diese Uhr nimmt keine Updates über das Netz an, weil ihrem Paket die "
            "Vertrauenswurzel fehlt (root.json). Neue Versionen kommen nur als Paket."
        )
        yield Finding("Update", True, sentence, hint=True)
    elif trial:
        yield Finding("Update", True, f"Version {trial['version']} wird gerade erprobt.", hint=True)
    elif failed:
        sentence = f"Es läuft Version {version}. Version {failed['version']} hat sich nicht bewährt."
        yield Finding("Update", True, sentence, hint=True)
    elif postponed:
        sentence = (
            f"Es läuft Version {version}. Version {postponed['version']} erreichte bei ihrer Erprobung die Cloud "
            "nicht und wird später noch einmal erprobt."
        )
        yield Finding("Update", True, sentence, hint=True)
    elif report.get("state") == "refused":
        sentence = f"Es läuft Version {version}. Eine neue wurde nicht angenommen ({report.get('why')})."
        yield Finding("Update", True, sentence, hint=True)
    else:
        yield Finding("Update", True, f"Es läuft Version {version}.")


def check_connection(settings: Settings, cloud: Cloud) -> Iterator[Finding]:
    """Checks whether a Stempelwerk cloud answers at the address, and whether it accepts this clock's signatures for
    it.
    """
    url, answer = settings.cloud.url, cloud.answer
    if answer is None:
        yield Finding("Verbindung", False, why(cloud.fault, settings))
    elif answer.status_code >= httpx.codes.INTERNAL_SERVER_ERROR:
        yield Finding("Verbindung", False, f"{url} ist erreichbar, meldet aber einen Fehler ({answer.status_code}).")
    elif "json" not in answer.headers.get("Content-Type", ""):
        sentence = f"Unter {url} antwortet etwas anderes als die Cloud. Ist das WLAN angemeldet?"
        yield Finding("Verbindung", False, sentence)
    else:
        yield _signature(settings, cloud)


def _signature(settings: Settings, cloud: Cloud) -> Finding:
    """Sends a signed request, with the agent's rules for certificates; returns whether the cloud accepts the signature.

    The signature covers the address in the settings, so a different public address of the cloud makes it invalid.
    """
    url, verdict = settings.cloud.url, ask_signed(settings, cloud.own_time)
    refused = refused_certificate(verdict)
    if refused is not None:
        return Finding("Verbindung", False, _out_of_date(url, cloud, refused.verify_message))
    if isinstance(verdict, Refused) and verdict.code == UNREADABLE:
        return Finding("Verbindung", True, f"Die Cloud unter {url} antwortet.")
    if isinstance(verdict, NotConnected) and verdict.code == BAD_SIGNATURE:
        sentence = (
            "Die Cloud antwortet, erkennt aber die Unterschrift nicht an: [cloud] url muss genau die Adresse sein, "
            f"die bei der Cloud als STEMPELWERK_PUBLIC_URL eingetragen ist ({url})."
        )
        return Finding("Verbindung", False, sentence)
    if isinstance(verdict, Busy) and verdict.reached:
        sentence = (
            f"Die Cloud unter {url} antwortet, lässt aber gerade keine weiteren Anfragen zu. Ob sie die Unterschrift "
            "anerkennt, zeigt ein zweiter Versuch in einigen Minuten."
        )
        return Finding("Verbindung", True, sentence, hint=True)
    sentence = f"Die Cloud unter {url} antwortet auf eine unterschriebene Anfrage nicht wie erwartet ({verdict})."
    return Finding("Verbindung", False, sentence)


def _out_of_date(url: str, cloud: Cloud, why_refused: str) -> str:
    """Returns a sentence about a certificate that the agent refuses as soon as it knows the date for certain."""
    validity, now = cloud.certificate, cloud.own_time.now()
    if validity is not None and validity.not_after < now:
        message = f"Das Zertifikat von {url} ist seit dem {validity.not_after:%d.%m.%Y} abgelaufen."
    elif validity is not None and validity.not_before > now:
        message = f"Das Zertifikat von {url} gilt erst ab dem {validity.not_before:%d.%m.%Y}."
    else:
        message = f"Das Zertifikat einer Stelle, die {url} beglaubigt, gilt heute nicht ({why_refused})."
    return f"{message} Darum ist die Uhr offline, ihre Stempel warten. Auf dem Server das Zertifikat erneuern."


def check_time(_: Settings, cloud: Cloud) -> Iterator[Finding]:
    """Checks whether a time service or a hardware clock sets the time, and whether it is the cloud's within five
    minutes.
    """
    clock = SystemClock()
    quality, untold, cloud_time = clock.quality(), clock.untold(), cloud.time()
    apart = None if cloud_time is None else abs(clock.wall() - cloud_time)
    if apart is not None and apart > _WRONG_TIME:
        minutes = int(apart / timedelta(minutes=1))
        yield Finding("Uhrzeit", False, f"Sie weicht um {minutes} Minuten von der Uhrzeit der Cloud ab.")
    elif quality in _SOURCES:
        yield Finding("Uhrzeit", True, f"Sie kommt {_SOURCES[quality]}.")
    elif untold is not None:
        sentence = f"Ob ein Zeitdienst sie stellt, darf dieses Programm den Kernel nicht fragen ({untold})."
        if apart is None:
            yield Finding("Uhrzeit", False, f"{sentence} Auch mit der Cloud ließ sie sich nicht vergleichen.")
        else:
            yield Finding("Uhrzeit", True, f"Sie stimmt mit der Cloud überein. {sentence}", hint=True)
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
