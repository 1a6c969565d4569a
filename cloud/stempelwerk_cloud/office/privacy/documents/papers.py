"""A company's papers, filled in from its settings, modules and clocks, the retention periods of the rooms, and the
operator's details.

Details that only the operator or the company can know are marked as open. The texts are in `texts/`: paragraphs, `#`
before a heading, `@` before a table.
"""

from collections.abc import Sequence
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any

from stempelwerk_cloud.domain.instants import local_day
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.dated import Setting
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.paper import Column
from stempelwerk_cloud.office.privacy.documents.written import Table, WrittenPaper
from stempelwerk_cloud.people.directory.companies import company_name, features_of, settings_on, zone_of
from stempelwerk_cloud.people.site import service as site
from stempelwerk_cloud.people.work import UnitOfWork

TITLES = {
    "verfahrensdokumentation": "Verfahrensdokumentation",
    "auftragsverarbeitung": "Vertrag zur Auftragsverarbeitung",
}
_TEXTS = Path(__file__).parent / "texts"
_CLOCKS: Sequence[Column] = (("Name", 78, "LEFT"), ("Seriennummer", 60, "LEFT"), ("Version", 40, "LEFT"))
_SETTINGS: Sequence[Column] = (("Einstellung", 108, "LEFT"), ("Wert", 70, "LEFT"))
_PERIODS: Sequence[Column] = (("Was", 108, "LEFT"), ("Wie lange", 70, "LEFT"))
_SIGNATURES: Sequence[Column] = (("Für", 60, "LEFT"), ("Name", 48, "LEFT"), ("Ort, Datum, Unterschrift", 70, "LEFT"))
_DUTIES: Sequence[Column] = (("Aufgabe", 108, "LEFT"), ("Name", 70, "LEFT"))
_LINE, _BY_HAND = 4.6, 11.0
"""Millimetres of a printed line, and of a line for handwriting."""

_DUTIES_TO_ASSIGN = (
    "Mitarbeiter und Chips anlegen, Austritte eintragen",
    "Korrekturen und zurückgehaltene Stempel entscheiden",
    "Urlaub und Abwesenheiten entscheiden",
    "Einstellungen und Rechte ändern",
    "Den Monat prüfen und sperren",
    "Exporte an die Lohnabrechnung geben",
    "Diese Dokumentation pflegen",
)
"""Duties in a company. Only the company knows the persons."""

Rows = Sequence[Sequence[str]]


def ordered(work: UnitOfWork, company_id: str, name: str, settings: Sequence[Setting[Any]]) -> WrittenPaper:
    """Returns the paper of that name as of now. Raises 404 for any other name."""
    if name not in TITLES:
        raise not_found()
    session, now = work.session, work.now()
    today = local_day(now, zone_of(session, company_id, now))
    in_force = settings_on(session, company_id, today)
    company = company_name(session, company_id)
    operator = {
        key: f"[{detail.text}]" if detail.sample else detail.text
        for key, detail in site.operator_of(work.platform.settings)
    }
    modules = [feature.label for feature in features_of(session, company_id)]
    values = {"company": company, "modules": ", ".join(modules) or "keine", **operator}
    periods = [(line, _period(life)) for line, life in work.platform.periods.items()]
    for setting in settings:
        if setting.retention is not None:
            line, unit = setting.retention
            periods.append((line, f"{in_force[setting]} {unit}"))
    clocks = [
        (device.name or device.serial, device.serial, device.version) for device in devices.of_company(work, company_id)
    ]
    contents: dict[str, tuple[str, Sequence[Column], Rows]] = {
        "clocks": ("Uhren", _CLOCKS, clocks),
        "settings": (
            "Einstellungen der Firma",
            _SETTINGS,
            [(setting.label, setting.in_words(in_force[setting])) for setting in settings],
        ),
        "periods": ("Fristen", _PERIODS, sorted(periods, key=lambda row: german.alphabetical(row[0]))),
        "duties": ("Wer wofür zuständig ist", _DUTIES, [(duty, "") for duty in _DUTIES_TO_ASSIGN]),
        "signature": ("Unterschrift", _SIGNATURES, [(company, "", "")]),
        "signatures": ("Unterschriften", _SIGNATURES, [(company, "", ""), (values["name"], values["represented"], "")]),
    }
    to_fill = {"duties", "signature", "signatures"}
    return WrittenPaper(
        title=TITLES[name],
        company=company,
        day=german.written_day(today),
        version=version("stempelwerk-cloud"),
        made_at=now,
        text=(_TEXTS / f"{name}.txt").read_text("utf-8").format_map(values),
        letters=repr((values, clocks)),
        tables={
            key: Table(title, tuple(columns), tuple(map(tuple, rows)), _BY_HAND if key in to_fill else _LINE)
            for key, (title, columns, rows) in contents.items()
        },
    )


def _period(life: timedelta | int) -> str:
    """Returns a retention period in the largest unit that fits; an int counts months."""
    if isinstance(life, int):
        return f"{life} Monate"
    hours = life // timedelta(hours=1)
    if life.days % 366 == 0 and life.days:
        return f"{life.days // 366} Jahre"
    if life.days:
        return "1 Tag" if life.days == 1 else f"{life.days} Tage"
    return f"{hours} Stunden" if hours else f"{life // timedelta(minutes=1)} Minuten"
