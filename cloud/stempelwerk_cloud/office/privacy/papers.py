"""A company's papers, filled from what really holds: its settings, modules and clocks, the periods that the rooms
declare, and what the operator says of itself. What only the operator or the company can know is marked as open.

Their words stand in `texts/`: paragraphs, `#` before a heading, `@` before a table.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from stempelwerk_cloud.domain.instants import local_day
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.dated import Setting
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.paper import PALE, Column, Paper
from stempelwerk_cloud.office.privacy import words
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.site import service as site
from stempelwerk_cloud.people.work import Work

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
"""Millimetres of a line, and of one in which somebody writes."""

Rows = Sequence[Sequence[str]]


def made(work: Work, company_id: str, name: str, settings: Sequence[Setting[Any]]) -> bytes:
    """The paper of that name as of now. 404 for any other name."""
    if name not in TITLES:
        raise not_found()
    session, now = work.session, work.now()
    today = local_day(now, directory.zone_of(session, company_id, now))
    in_force = directory.settings_on(session, company_id, today)
    company = directory.company_name(session, company_id)
    operator = {
        key: f"[{said.text}]" if said.sample else said.text for key, said in site.operator_of(work.platform.settings)
    }
    modules = [feature.label for feature in directory.features_of(session, company_id)]
    told = {"company": company, "modules": ", ".join(modules) or "keine", **operator}
    periods = [(words.PERIODS[key], words.period(life)) for key, life in work.platform.periods.items()]
    periods += [(words.KEPT[one.name][0], f"{in_force[one]} {words.KEPT[one.name][1]}") for one in _kept(settings)]
    clocks = [(one.name or one.serial, one.serial, one.version) for one in devices.of_company(work, company_id)]
    tables: dict[str, tuple[str, Sequence[Column], Rows]] = {
        "clocks": ("Uhren", _CLOCKS, clocks),
        "settings": (
            "Einstellungen der Firma",
            _SETTINGS,
            [(words.SETTINGS[one.name], words.setting(one.name, in_force[one])) for one in settings],
        ),
        "periods": ("Fristen", _PERIODS, sorted(periods, key=words.in_order)),
        "duties": ("Wer wofür zuständig ist", _DUTIES, [(one, "") for one in words.DUTIES]),
        "signature": ("Unterschrift", _SIGNATURES, [(company, "", "")]),
        "signatures": ("Unterschriften", _SIGNATURES, [(company, "", ""), (told["name"], told["represented"], "")]),
    }
    to_fill = {"duties", "signature", "signatures"}
    paper = _Written(f"{TITLES[name]}, {company}", now, repr((told, clocks)))
    paper.write_down(
        (TITLES[name], company, german.written_day(today)),
        (_TEXTS / f"{name}.txt").read_text("utf-8").format_map(told),
        {
            key: partial(paper.grid, *table, height=_BY_HAND if key in to_fill else _LINE)
            for key, table in tables.items()
        },
    )
    return bytes(paper.output())


def _kept(settings: Sequence[Setting[Any]]) -> list[Setting[Any]]:
    """Those that say how long something is kept."""
    return [one for one in settings if one.name in words.KEPT]


class _Written(Paper):
    """A paper of numbered sections."""

    def write_down(self, head: tuple[str, str, str], text: str, tables: Mapping[str, Callable[[], None]]) -> None:
        """`head`: title, company and day; `text` as `texts/` has it."""
        title, company, day = head
        self.add_page()
        self.ink(20, bold=True)
        self.line_of(title, 10)
        self.ink(12, bold=True)
        self.paragraph(company, 7)
        self.ink(8.5, colour=PALE)
        self.paragraph(
            f"Stand: {day}, Stempelwerk {version('stempelwerk-cloud')}. Erzeugt aus dem, was an diesem Tag eingestellt"
            " war. Angaben in eckigen Klammern hat der Betreiber noch nicht gemacht. Dies ist keine Rechtsberatung.",
            4.6,
        )
        number = 0
        for part in text.strip().split("\n\n"):
            if part.startswith("@"):
                tables[part.removeprefix("@")]()
            elif part.startswith("# "):
                number += 1
                if self.get_y() > self.eph - 20:
                    self.add_page()
                self.ln(4)
                self.ink(11, bold=True)
                self.paragraph(f"{number}. {part.removeprefix('# ')}", 7)
            else:
                self.ink(9.5)
                self.paragraph(part, 5)
                self.ln(1.5)

    def footer(self) -> None:
        self.numbers(str(self.title))
