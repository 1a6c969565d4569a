"""A month's export by mail: to those who were named, encrypted or not at all, and what became of it."""

import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import pyzipper
from sqlalchemy import select, text
from stempelwerk_cloud import jobs
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.monthly_mail.mails import sending
from stempelwerk_cloud.office.monthly_mail.room import ROOM
from stempelwerk_cloud.office.monthly_mail.tables import ExportSettings
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.work import UnitOfWork

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.mailbox import Mailbox, text_of
from cloud.tests.office.mailing import (
    ADVISER,
    OFFICE,
    PASSWORD,
    attached,
    change,
    comes_round,
    deliver,
    list_mails,
    mail_server,
    path,
)
from cloud.tests.room import inbox, logged
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import ANNA, Site
from cloud.tests.world import Firm

FIRST = datetime(2026, 12, 1, 2, tzinfo=UTC)
"""03:00 in Berlin, when November is due."""


@pytest.fixture
def mailbox(platform: Platform) -> Iterator[Mailbox]:
    with mail_server(platform) as mailbox:
        yield mailbox


def send_now(firm: Firm, month: str = "2026-10") -> list[dict[str, Any]]:
    answer = firm.boss.post(path(firm, "export-send-now"), json={"month": month})
    assert answer.status_code == 202, answer.text
    rows: list[dict[str, Any]] = answer.json()
    deliver(firm.world.platform)
    return rows


def refused(firm: Firm, **body: Any) -> tuple[int, str]:
    settings = {"active": True, "useGmail": False, "recipients": []} | body
    answer = firm.boss.put(path(firm, "export-settings"), json=settings)
    return answer.status_code, answer.json()["message"]


@ON_SQLITE
def test_what_cannot_be_sent_to_or_opened_is_not_taken(firm: Firm) -> None:
    assert refused(firm, recipients=[{"email": "büro"}])[0] == 422
    assert refused(firm, recipients=[{"email": "a@b.de\r\nBcc: c@d.de"}])[0] == 422
    many = refused(firm, recipients=[{"email": f"a{number}@b.de"} for number in range(21)])
    assert many == (422, "Ungültige Eingabe. recipients: Zu viele (höchstens 20).")
    assert refused(firm, delivery="zip") == (422, "Für eine ZIP-Datei brauchst du ein Passwort.")
    assert refused(firm, delivery="zip", zipPassword="zu kurz")[0] == 422
    assert "Umlaute" in refused(firm, delivery="zip", zipPassword="ein schönes Passwort")[1]
    assert firm.boss.get(path(firm, "export-settings")).json() == {
        "active": False,
        "useGmail": False,
        "recipients": [],
        "declined": [],
        "delivery": "file",
        "hasZipPassword": False,
        "mailAvailable": False,
    }


@ON_SQLITE
def test_sending_now_says_in_detail_why_it_does_not(firm: Firm, mailbox: Mailbox) -> None:
    def refusal_reason(month: str = "2026-10") -> str:
        answer = firm.boss.post(path(firm, "export-send-now"), json={"month": month})
        assert answer.status_code in {409, 422}
        assert answer.json()["detail"] == answer.json()["message"]
        return str(answer.json()["detail"])

    assert refusal_reason() == "Der monatliche Versand ist nicht aktiv."
    change(firm)
    assert refusal_reason() == "Es ist noch kein Empfänger eingetragen."
    change(firm, OFFICE)
    assert refusal_reason("2026-12") == "Dieser Monat hat noch nicht begonnen."
    assert refusal_reason("heuer") == "Kein Monat (JJJJ-MM)."
    platform = firm.world.platform
    platform.settings = platform.settings.model_copy(update={"smtp_url": None})
    assert refusal_reason() == "Für diese Installation ist kein Mailserver eingerichtet."
    assert (mailbox.mails, list_mails(firm)) == ([], [])


@ON_BOTH
def test_what_is_set_is_told_but_for_the_password_which_nobody_reads_again(firm: Firm, mailbox: Mailbox) -> None:
    answer = change(firm, OFFICE, ADVISER, OFFICE, useGmail=True, delivery="zip", zipPassword=PASSWORD)
    assert answer == {
        "active": True,
        "useGmail": True,
        "recipients": [OFFICE, ADVISER],
        "declined": [],
        "delivery": "zip",
        "hasZipPassword": True,
        "mailAvailable": True,
    }
    assert firm.boss.get(path(firm, "export-settings")).json() == answer
    change(firm, OFFICE)
    alone = {"active": True, "recipients": [ADVISER]}
    assert firm.boss.put(path(firm, "export-settings"), json=alone).json()["delivery"] == "zip"
    with firm.world.platform.database.read(SYSTEM) as session:
        settings_rows = session.execute(text("SELECT * FROM export_settings")).all()
        words = session.execute(text("SELECT * FROM audit_entries")).all()
    assert PASSWORD not in str(settings_rows) + str(words)
    assert OFFICE not in str(words)
    assert logged(firm.world, firm.id, "monthly_mail") == ["monthly_mail.changed"] * 3


def test_each_recipient_gets_the_file_in_a_mail_of_their_own(firm: Firm, mailbox: Mailbox) -> None:
    change(firm, OFFICE, ADVISER)
    rows = send_now(firm)
    assert [(row["recipients"], row["state"]) for row in rows] == [([OFFICE], "waiting"), ([ADVISER], "waiting")]
    assert sorted(recipient for recipient, _ in mailbox.mails) == [[OFFICE], [ADVISER]]
    assert len({mail["Message-ID"] for _, mail in mailbox.mails}) == 2
    for _, mail in mailbox.mails:
        assert mail["Subject"] == "Arbeitszeiten Oktober 2026, Tischlerei Holzmann"
        name, content = attached(mail)
        assert (name, content[:2]) == ("times_2026-10.xlsx", b"PK")
        assert "Entwurf" not in text_of(mail)
    assert [(row["state"], row["detail"]) for row in list_mails(firm)] == [("sent", None)] * 2
    assert logged(firm.world, firm.id, "monthly_mail.sent") == ["monthly_mail.sent"]


@ON_SQLITE
def test_a_month_that_runs_is_a_draft_and_says_so(firm: Firm, mailbox: Mailbox) -> None:
    change(firm, OFFICE)
    send_now(firm, "2026-11")
    ((_, mail),) = mailbox.mails
    assert mail["Subject"].startswith("Entwurf: ")
    assert "Das ist ein Entwurf" in text_of(mail)
    assert "Das ist ein Entwurf" in text_of(mail, "html")
    assert [row["draft"] for row in list_mails(firm)] == [True]


@ON_SQLITE
def test_a_zip_opens_with_the_password_alone(firm: Firm, mailbox: Mailbox) -> None:
    change(firm, OFFICE, delivery="zip", zipPassword=PASSWORD)
    send_now(firm)
    name, content = attached(mailbox.mails[0][1])
    assert name == "times_2026-10.zip"
    with pyzipper.AESZipFile(io.BytesIO(content)) as archive:
        (inside,) = archive.infolist()
        assert (inside.filename, inside.wz_aes_strength) == ("times_2026-10.xlsx", 3)
        with pytest.raises(RuntimeError):
            archive.read(inside, pwd=b"geraten")
        assert archive.read(inside, pwd=PASSWORD.encode())[:2] == b"PK"


@ON_BOTH
def test_a_link_leads_behind_the_login_and_for_thirty_days(
    firm: Firm, mailbox: Mailbox, clock: SettableClock, platform: Platform
) -> None:
    platform.settings = platform.settings.model_copy(update={"public_url": "https://zeit.example.de"})
    change(firm, OFFICE, delivery="link")
    (row,) = send_now(firm)
    ((_, mail),) = mailbox.mails
    assert list(mail.iter_attachments()) == []
    link = f"https://zeit.example.de/company-dashboard?tab=monthly_mail&monat=2026-10&mail={row['id']}"
    assert link in text_of(mail)
    file = path(firm, f"export-mails/{row['id']}/file")
    answer = firm.boss.get(file)
    assert answer.content[:2] == b"PK"
    assert 'filename="times_2026-10.xlsx"' in answer.headers["Content-Disposition"]
    assert firm.anna.get(file).status_code == 403
    assert firm.world.firm("Nebenan").boss.get(file).status_code == 404
    clock.advance(days=30)
    (purge,) = (job for job in ROOM.jobs if job.name == "purge_mailed_files")
    jobs.run_once(platform, purge)
    later_answer = firm.world.again(firm.boss).get(file)
    assert (later_answer.status_code, later_answer.json()["code"]) == (404, "file_gone")
    with platform.database.read(SYSTEM) as session:
        assert session.execute(text("SELECT count(*) FROM files")).scalar_one() == 0
    assert [row["hasFile"] for row in list_mails(firm)] == [False]


def test_the_month_before_goes_out_on_the_first_at_three_and_once(
    firm: Firm, mailbox: Mailbox, clock: SettableClock, platform: Platform
) -> None:
    change(firm, OFFICE)
    comes_round(platform, clock, FIRST - timedelta(milliseconds=1))
    assert mailbox.mails == []
    for minutes in (0, 5, 60 * 24 * 20):
        comes_round(platform, clock, FIRST + timedelta(minutes=minutes))
    assert [mail["Subject"] for _, mail in mailbox.mails] == ["Arbeitszeiten November 2026, Tischlerei Holzmann"]
    assert [(row["month"], row["state"]) for row in list_mails(firm)] == [("2026-11", "sent")]


@ON_SQLITE
def test_a_night_shift_at_three_makes_a_draft(
    firm: Firm, mailbox: Mailbox, clock: SettableClock, platform: Platform, site: Site
) -> None:
    firm.boss = site.somebody(firm.boss)
    change(firm, OFFICE)
    clock.set(FIRST - timedelta(hours=5))
    site.device.deliver(site.device.tap(ANNA, clock.now()))
    comes_round(platform, clock, FIRST)
    ((_, mail),) = mailbox.mails
    assert mail["Subject"].startswith("Entwurf: Arbeitszeiten November 2026")


@ON_SQLITE
def test_after_an_outage_every_month_goes_out_that_fell_into_it(
    firm: Firm, mailbox: Mailbox, clock: SettableClock, platform: Platform
) -> None:
    change(firm, OFFICE)
    comes_round(platform, clock, datetime(2027, 3, 15, tzinfo=UTC))
    assert [row["month"] for row in list_mails(firm)] == ["2026-11", "2026-12", "2027-01", "2027-02"]
    assert len(mailbox.mails) == 4


@ON_SQLITE
@pytest.mark.parametrize("off", ["inactive", "nobody", "module", "closed"])
def test_what_nobody_wanted_when_it_was_due_is_not_sent_later(
    off: str, firm: Firm, mailbox: Mailbox, clock: SettableClock, platform: Platform
) -> None:
    change(firm, *([] if off == "nobody" else [OFFICE]), active=off != "inactive")
    if off in {"module", "closed"}:
        with platform.database.write(SYSTEM) as session:
            work = UnitOfWork(session, platform)
            if off == "closed":
                companies.close(work, firm.id)
            else:
                companies.set_features(work, firm.id, [])
    comes_round(platform, clock, FIRST)
    assert mailbox.mails == []
    if off == "closed":
        return
    firm.boss = firm.world.again(firm.boss)
    with platform.database.write(SYSTEM) as session:
        companies.set_features(UnitOfWork(session, platform), firm.id, ["monthly_mail"])
        assert session.scalars(select(ExportSettings.planned_to)).one().isoformat() == "2026-11-01"
    change(firm, OFFICE)
    comes_round(platform, clock, FIRST + timedelta(days=1))
    assert mailbox.mails == []


@ON_SQLITE
def test_who_switches_it_on_late_gets_no_month_that_was_due_before(
    firm: Firm, mailbox: Mailbox, clock: SettableClock, platform: Platform
) -> None:
    clock.set(FIRST + timedelta(minutes=1))
    firm.boss = firm.world.again(firm.boss)
    change(firm, OFFICE)
    comes_round(platform, clock, FIRST + timedelta(minutes=2))
    assert list_mails(firm) == []


@ON_SQLITE
def test_a_company_that_fails_holds_up_no_other(
    firm: Firm, mailbox: Mailbox, clock: SettableClock, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    other_firm = firm.world.firm("Nebenan")
    for company in (firm, other_firm):
        change(company, OFFICE)
    come_to = sending.come_to

    def fails(of: Platform, company_id: str) -> None:
        if company_id == firm.id:
            raise RuntimeError
        come_to(of, company_id)

    monkeypatch.setattr(sending, "come_to", fails)
    comes_round(platform, clock, FIRST)
    assert [mail["Subject"] for _, mail in mailbox.mails] == ["Arbeitszeiten November 2026, Nebenan"]


@ON_SQLITE
def test_a_refused_mail_is_tried_again_by_the_same_id_and_in_the_end_administrators_are_told(
    firm: Firm, mailbox: Mailbox, clock: SettableClock, platform: Platform
) -> None:
    change(firm, OFFICE)
    mailbox.refusal = "451 later"
    send_now(firm)
    (row,) = list_mails(firm)
    assert (row["state"], row["detail"]) == ("waiting", "Der Mailserver nimmt die E-Mail gerade nicht an.")
    mailbox.refusal = "550 no"
    comes_round(platform, clock, clock.now() + timedelta(hours=35))
    assert "abgelehnt" in list_mails(firm)[0]["detail"]
    assert inbox(firm.boss, "monthly_mail") == []
    for minutes in (60, 5):
        comes_round(platform, clock, clock.now() + timedelta(minutes=minutes))
    assert [row["state"] for row in list_mails(firm)] == ["failed"]
    (message,) = inbox(firm.boss, "monthly_mail")
    assert message.payload == {"month": "2026-10"}
    assert message.body.startswith("Eine E-Mail mit dem Export für Oktober 2026 ging nicht raus.")
    mailbox.refusal = None
    comes_round(platform, clock, clock.now() + timedelta(days=1))
    assert mailbox.mails == []


@ON_SQLITE
def test_what_waited_while_the_service_was_down_for_days_is_sent_before_it_is_given_up(
    firm: Firm, mailbox: Mailbox, clock: SettableClock, platform: Platform
) -> None:
    change(firm, OFFICE, ADVISER)
    mailbox.refusal = "451 later"
    comes_round(platform, clock, FIRST)
    mailbox.refusal = None
    for minutes in (60 * 24 * 3, 5, 60 * 24 * 2):
        comes_round(platform, clock, clock.now() + timedelta(minutes=minutes))
    assert sorted(recipient for recipient, _ in mailbox.mails) == [[OFFICE], [ADVISER]]
    assert [row["state"] for row in list_mails(firm)] == ["sent", "sent"]
    assert inbox(firm.boss, "monthly_mail") == []
