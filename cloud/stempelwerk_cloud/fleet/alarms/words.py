"""Errors of calls about alarms, and German texts of alarms and of the mails about them."""

from datetime import datetime
from typing import Final, Literal

from stempelwerk_cloud.domain.alarms import INSTALLATION_KINDS
from stempelwerk_cloud.fleet.alarms.tables import AnyKind
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import Problem, invalid
from stempelwerk_cloud.kit.mail_templates import Letter, render
from stempelwerk_cloud.kit.operations import faults


def half_a_span(field: str) -> Problem:
    return invalid(field, "Nenne Beginn und Ende der Ruhezeit, oder keines von beiden.")


def empty_span() -> Problem:
    return invalid("quietTo", "Beginn und Ende der Ruhezeit sind gleich.")


WORDS: Final[dict[AnyKind, str]] = {
    "silent": "meldet sich nicht",
    "network": "Netz der Firma weg",
    "few_stamps": "stempelt viel weniger als sonst",
    "gap": "Lücke seit über einem Tag",
    "queue": "Warteschlange wächst",
    "disk": "Speicher fast voll",
    "reader": "Leser arbeitet nicht",
    "storage": "Speicher gestört",
    "clocktime": "Uhrzeit der Uhr unsicher",
    "fork": "Uhr gibt es zweimal",
    "conflict": "Identität der Uhr unklar",
    "update": "Update fehlgeschlagen",
    "version": "Version veraltet",
    "withdrawn": "Zurückgezogene Version im Einsatz",
    "cert": "Zertifikat des Servers läuft ab",
    "time": "Uhrzeit des Servers ist zweifelhaft",
    "collation": "Sortierung der Datenbank hat sich geändert",
    "share": "Datenbank liegt auf einer Netzfreigabe",
    "space": "Platte des Servers ist fast voll",
    "keys": "Schlüsseldatei des Servers fehlt oder ist beschädigt",
    "expiring": "Unterschriften der Uhren-Updates laufen bald ab",
    "expired": "Unterschriften der Uhren-Updates sind abgelaufen",
}
HINTS: Final[dict[AnyKind, str]] = {
    "silent": "Prüfe Strom und Netz der Uhr. Hat sie Strom, nimmt sie weiter Stempel an und schickt sie später.",
    "network": "Keine Uhr der Firma meldet sich. Prüfe Internet und Router. Die Uhren nehmen weiter Stempel an und"
    " schicken sie später.",
    "few_stamps": "Am letzten Arbeitstag kamen viel weniger Stempel als sonst. Prüfe, ob die Uhr Chips erkennt.",
    "gap": "Stempel, die die Uhr gezählt hat, sind nicht angekommen. Lass die Uhr eingeschaltet am Netz; sie schickt"
    " sie nach, wenn sie sie noch hat. Sonst trag die fehlenden Zeiten als Korrektur nach.",
    "queue": "Die Uhr meldet sich, ihre Stempel kommen aber seit Stunden nicht an. Starte sie neu; bleibt es so,"
    " schreib dem Support.",
    "disk": "Ist der Speicher voll, nimmt die Uhr keine Stempel mehr an. Schreib dem Support.",
    "reader": "Niemand kann an der Uhr stempeln. Steck das Kabel des Lesers fest und starte die Uhr neu. Bleibt es so,"
    " muss der Leser getauscht werden. Stempelt solange an einer anderen Uhr, oder tragt Zeiten als Korrektur nach.",
    "storage": "Die Uhr kann Stempel nicht sicher speichern, oder eine Speicherdatei war beschädigt. Zeigt sie, dass"
    " nicht gespeichert wurde, stempelt an einer anderen Uhr. Lass sie eingeschaltet, bis alles gesendet"
    " ist, und schreib dem Support: Die Speicherkarte muss wohl getauscht werden.",
    "clocktime": "Nach einem Neustart weiß die Uhr nicht sicher, wie spät es ist. Frag, wer euer Netz betreut, ob die"
    " Uhr einen Zeitserver erreicht (NTP, UDP 123), oder lass ihre Batterie tauschen."
    " Warten Stempel wegen ihrer Uhrzeit, entscheide sie unter „Prüfliste“.",
    "fork": "Dieselbe Uhr meldet sich zweimal, oder ihre Speicherkarte ist auf einem alten Stand. Stempel zählen"
    " trotzdem. Betreib von zwei gleichen Karten nur eine, und schreib dem Support: Er setzt den Schlüssel"
    " der Uhr zurück.",
    "conflict": "Zwei Uhren melden sich unter einer Seriennummer, oder ein Schlüssel läuft in anderer Hardware. Kläre"
    " auf der Seite der Uhr, welche die echte ist, sperr die andere, und wähle „Schlüssel zurücksetzen“.",
    "update": "Die Uhr hat ein Update versucht und läuft mit der alten Version weiter. Lies ihre Meldungen und"
    " behebe die Ursache, oder nimm das Rollout zurück.",
    "version": "Die Uhr läuft seit über einer Woche mit einer Version, die abgelöst oder zurückgezogen ist. Prüfe,"
    " ob sie Updates laden kann (Platz, Netz, Kanal), und starte sie neu.",
    "withdrawn": "Uhren laufen mit einer Version, die zurückgezogen ist, und es gibt keine andere für sie."
    " Veröffentliche einen Nachfolger, und starte sein Rollout. Welche Versionen laufen,"
    " steht unter „Globale Updates“.",
    "cert": "Ist es abgelaufen, senden die Uhren nichts mehr; sie nehmen weiter Stempel an. Erneuere das"
    " Zertifikat des Servers, oder prüfe, warum es sich nicht von selbst erneuert. Ein Proxy, der"
    " Verbindungen aufbricht, zeigt den Uhren sein eigenes.",
    "time": "Die Uhrzeit des Servers ist um Wochen gesprungen. Bis das geklärt ist, löscht der Dienst nichts, schließt"
    " nichts ab und erinnert an nichts. Prüfe Datum und Uhrzeit des Servers. Stimmen sie, bestätige sie auf dem Server"
    " mit „stempelwerk-cloud confirm-time“.",
    "collation": "Indizes über Texte können falsch sein, dann wird nicht gefunden, was da ist. Was zu tun ist, steht"
    " unter /api/health.",
    "share": "SQLite kann auf Netzfreigaben Daten verlieren. Zieh mit einer Sicherung um, auf eine Platte des Servers"
    " oder nach PostgreSQL.",
    "space": "Ist die Platte voll, speichert der Dienst nichts mehr; die Uhren behalten ihre Stempel, bis wieder Platz"
    " ist. Lösch, was nicht gebraucht wird, oder vergrößere die Platte. Welcher Ordner es ist, steht unter"
    " /api/health.",
    "keys": "Ohne sie gehen Authenticator, Nachweise, Push oder Updates nicht; gestempelt wird weiter. Welche Datei es"
    " ist und wie sie zurückkommt, steht unter /api/health und im Protokoll des Servers.",
    "expiring": "Danach nehmen Uhren keine Updates mehr an; gestempelt wird weiter. Welche Unterschrift bis wann gilt"
    " und wer sie wie erneuert, steht unter „Globale Updates“. Sind mehrere Personen nötig, verabredet euch jetzt.",
    "expired": "Uhren nehmen keine Updates mehr an; gestempelt wird weiter. Welche Unterschrift abgelaufen ist und wer"
    " sie wie erneuert, steht unter „Globale Updates“.",
}


def certificate_hint(serial: str, company: str, days_left: int, affected: int, clocks: int) -> str:
    """Returns what to do about the certificate. `serial` and `company` are those of the clock whose certificate expires
    first.
    """
    count = f"{affected} von {clocks} Uhren sehen" if affected > 1 else f"Eine von {clocks} Uhren sieht"
    if clocks == 1:
        count = "Die einzige Uhr sieht"
    days = {0: "in weniger als einem Tag", 1: "in einem Tag"}.get(days_left, f"in {days_left} Tagen")
    return (
        f"{HINTS['cert']} {count} ein Zertifikat, das bald abläuft; am frühesten die Uhr {serial}"
        f" der Firma „{company}“: {days}."
    )


GONE: Final = (
    "Die Firma hat die Uhr nicht mehr. Ob die Ursache behoben ist, weiß deshalb niemand. Fehlen Stempel von ihr, trag"
    " die Zeiten als Korrektur nach."
)
End = Literal["over", "gone"]
"""Why an alarm ended: the cause is over (`over`), or the company no longer has the clock (`gone`)."""
_LEADS: Final[dict[End | None, str]] = {
    None: "es gibt einen Alarm:",
    "over": "Entwarnung, das besteht nicht mehr:",
    "gone": "ein Alarm ist beendet:",
}
_SUBJECTS: Final[dict[End | None, str]] = {None: "Alarm", "over": "Entwarnung", "gone": "Alarm beendet"}


def subject(kind: AnyKind, name: str, end: End | None) -> str:
    """Returns the subject of the mail in one line. `name` is the name of the clock, or of the company."""
    return f"{_SUBJECTS[end]}: {' '.join(name.split())} – {WORDS[kind]}"


def rollout_stopped(version: str, channel: str) -> str:
    return f"Rollout gestoppt: {version} ({channel})"


def letter(
    kind: AnyKind,
    name: str,
    company: str,
    began_at: datetime,
    ended_at: datetime | None,
    end: End | None,
    hint: str,
    link: str | None,
) -> Letter:
    """Renders the mail about an alarm. `began_at` and `ended_at` are local times of the reader's company.

    An alarm that has ended (`ended_at`, `end`) needs no action, so its mail does not contain `hint`.
    """
    return render(
        "alarm",
        lead=_LEADS[end],
        clock=None if kind in (*INSTALLATION_KINDS, "network") or kind in faults.KINDS else name,
        company=company,
        words=WORDS[kind],
        since=_format_moment(began_at),
        until=None if ended_at is None else _format_moment(ended_at),
        hint={None: hint, "over": None, "gone": GONE}[end],
        link=link,
    )


def _format_moment(moment: datetime) -> str:
    return f"{german.day_in_table(moment.date())}, {moment:%H:%M} Uhr"
