"""The PDF pages of a statement. Only child processes load this module."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.statement import Statement
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.paper import PALE, Column
from stempelwerk_cloud.kit.paper.pages import Paper
from stempelwerk_cloud.office.statement import words


class Pages(Paper):
    def __init__(self, document: Statement, digest: str, text: str) -> None:
        title = f"Zeitnachweis {words.month_name(document['month'])}, {document['person']['username']}"
        super().__init__(title, datetime.fromisoformat(document["madeAt"]), text)
        self._told = document
        self._digest = digest
        self._zone = ZoneInfo(document["zone"])

    def draw_all(self) -> bytes:
        self.add_page()
        self._head()
        self._sums()
        self._days()
        self._bookings()
        self._corrections()
        self._deletions()
        self._stamps()
        return bytes(self.output())

    def footer(self) -> None:
        document = self._told
        where = f"{document['installation']}/pruefen" if document["installation"] else "/pruefen"
        self.numbers(
            str(self.title),
            f"SHA-256 der unterschriebenen Datei: {self._digest}",
            f"Schlüssel {document['kid']} · prüfbar unter {where}",
        )

    def _head(self) -> None:
        document = self._told
        self.set_text_style(20, bold=True)
        self.line_of(f"Zeitnachweis {words.month_name(document['month'])}", 10)
        self.set_text_style(12, bold=True)
        self.paragraph(document["person"]["username"], 7)
        self.set_text_style(10)
        self.paragraph(document["company"]["name"], 6)
        self.set_text_style(8.5, colour=PALE)
        previous = document["previous"]
        previous_text = (
            "keiner" if previous is None else f"{words.month_name(previous['month'])}, {previous['digest'][:16]}…"
        )
        for line in (
            f"Ausgestellt am {words.written_moment(document['madeAt'], self._zone)} (Zeitzone {document['zone']}),"
            " unterschrieben vom Betreiber der Anlage.",
            "Maßgeblich ist die unterschriebene Datei, aus der diese Seiten gemacht sind."
            f" Vorheriger Nachweis: {previous_text}.",
        ):
            self.paragraph(line, 4.6)

    def _sums(self) -> None:
        sums = self._told["sums"]
        lengths = [("Soll", sums["target"]), ("Arbeitszeit (ohne Pausen)", sums["actual"])]
        lengths += [(f"Gutschrift {words.CREDITS[credit['kind']]}", credit["minutes"]) for credit in sums["credits"]]
        changes = [("Buchungen", sums["bookings"])] if self._told["bookings"] else []
        changes += [("Saldo des Monats", sums["balance"]), ("Übertrag aus den Vormonaten", sums["carried"])]
        changes += [("Saldo am Monatsende", sums["balance"] + sums["carried"])]
        self.grid(
            "Summen",
            (("", 100, "LEFT"), ("Stunden", 78, "RIGHT")),
            [(name, german.duration(minutes)) for name, minutes in lengths]
            + [(name, german.difference(minutes)) for name, minutes in changes],
        )

    def _days(self) -> None:
        columns: Sequence[Column] = (
            ("Tag", 20, "LEFT"),
            ("Kommen", 15, "LEFT"),
            ("Gehen", 14, "LEFT"),
            ("Anwesend", 18, "RIGHT"),
            ("Abzug", 16, "RIGHT"),
            ("Arbeitszeit", 19, "RIGHT"),
            ("Soll", 16, "RIGHT"),
            ("Hinweise", 60, "LEFT"),
        )
        self.grid("Tage", columns, (row for day in self._told["days"] for row in self._day(day)))

    def _day(self, day: dict[str, Any]) -> Iterable[Sequence[str]]:
        entries = [entry for entry in self._told["entries"] if entry["date"] == day["date"]]
        credits_ = [
            f"{words.CREDITS[credit['kind']]} {german.duration(credit['minutes'])}" for credit in day["credits"]
        ]
        target = german.duration(day["target"]) if day["target"] else ""
        if not entries and (credits_ or day["target"]):
            yield (words.day(day["date"]), "", "", "", "", "", target, "; ".join(credits_))
        for index, entry in enumerate(entries):
            notes = [*(credits_ if index == 0 else ()), *filter(None, [words.hints(entry)])]
            yield (
                words.day(day["date"]) if index == 0 else "",
                entry["startLocal"] or "–",
                entry["endLocal"] or "–",
                *("–" if minutes is None else german.duration(minutes) for minutes in (entry["raw"], entry["break"])),
                "–" if entry["net"] is None else german.duration(entry["net"]),
                target if index == 0 else "",
                "; ".join(notes),
            )

    def _bookings(self) -> None:
        self.grid(
            "Buchungen",
            (("Tag", 24, "LEFT"), ("Stunden", 24, "RIGHT"), ("Grund", 130, "LEFT")),
            (
                (words.day(booking["date"]), german.difference(booking["minutes"]), booking["reason"])
                for booking in self._told["bookings"]
            ),
        )

    def _corrections(self) -> None:
        self.grid(
            "Genehmigte Korrekturen",
            (
                ("Tag", 24, "LEFT"),
                ("Von", 42, "LEFT"),
                ("Bis", 42, "LEFT"),
                ("Pause", 18, "RIGHT"),
                ("Entschieden", 52, "LEFT"),
            ),
            (
                (
                    words.day(correction["date"]),
                    words.moment(correction["start"], self._zone),
                    words.moment(correction["end"], self._zone),
                    "–" if correction["breakMinutes"] is None else german.duration(correction["breakMinutes"]),
                    words.moment(correction["decidedAt"], self._zone),
                )
                for correction in self._told["corrections"]
            ),
        )

    def _deletions(self) -> None:
        self.grid(
            "Gelöschte Einträge",
            (("Von", 60, "LEFT"), ("Bis", 60, "LEFT"), ("Gelöscht", 58, "LEFT")),
            (
                tuple(words.moment(deletion[name], self._zone) for name in ("start", "end", "decidedAt"))
                for deletion in self._told["deletions"]
            ),
        )

    def _stamps(self) -> None:
        self.grid(
            "Stempel",
            (("Zeitpunkt", 40, "LEFT"), ("Richtung", 28, "LEFT"), ("Uhr", 56, "LEFT"), ("Gezählt", 54, "LEFT")),
            (
                (
                    words.tap(stamp["at"], self._zone),
                    words.DIRECTIONS.get(stamp["direction"], stamp["direction"]),
                    stamp["clock"],
                    "ja" if stamp["counted"] else words.UNCOUNTED.get(stamp["reason"], "nein"),
                )
                for stamp in self._told["stamps"]
            ),
        )
