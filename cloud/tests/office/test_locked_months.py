"""A month that is locked stays what it was; what comes later is a difference, and export and differences sum up."""

import itertools
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as drawn
from hypothesis import strategies as st
from sqlalchemy import select
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.payroll import decimal, differences, hundredths, spread
from stempelwerk_cloud.kit import outbox
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.outbox import OutboxRow
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.subprocesses import child
from stempelwerk_cloud.office.exports import service
from stempelwerk_cloud.office.exports.files import making
from stempelwerk_cloud.office.exports.month import content
from stempelwerk_cloud.office.exports.month.months import unpacked
from stempelwerk_cloud.office.exports.month.paying import paid_kinds
from stempelwerk_cloud.office.exports.schemas import Mapping
from stempelwerk_cloud.office.exports.tables import Export
from stempelwerk_cloud.planning.facts.tables import Absence, VacationRequest

from cloud.tests.correcting import hang_since, stamped
from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.forked_children import ForkingPool
from cloud.tests.meeting import all_at_once
from cloud.tests.office.exporting import (
    MAPPING,
    MAY,
    difference,
    export,
    exports,
    file,
    findings,
    hours,
    lock,
    mapped,
    read_lodas,
    table,
)
from cloud.tests.office.people import away, employ, on_leave, set_company, set_weekly, worked
from cloud.tests.room import given, logged
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import Site
from cloud.tests.waiting import until
from cloud.tests.world import Firm, Somebody

OCTOBER = "2026-10"
PAID = paid_kinds(Mapping.model_validate(MAPPING).model_dump_json())


@pytest.fixture
def busy(firm: Firm) -> Firm:
    """Anna has worked on 4 May, and has been on vacation on the 5th and the 6th."""
    set_weekly(firm, 2400)
    mapped(firm)
    employ(firm.anna, personnel_number="26", entry_date="2025-01-01")
    worked(firm.anna, "2026-05-04", "08:00", "16:30")
    on_leave(firm.anna, "2026-05-05", "2026-05-06")
    return firm


def difference_rows(firm: Firm, export_id: str) -> list[tuple[Any, ...]]:
    names = ("username", "date", "kind", "before", "after", "reason")
    answer = difference(firm, export_id)
    assert answer.status_code == 200, answer.text
    return [tuple(row[name] for name in names) for row in answer.json()]


def cancel_leave(firm: Firm, user_id: str) -> None:
    with firm.world.platform.database.write(SYSTEM) as tx:
        for row in tx.scalars(select(VacationRequest).where(VacationRequest.user_id == user_id)):
            row.status, row.decided_at = "cancelled", firm.world.platform.clock.now()


def test_a_month_is_locked_once_it_has_ended_and_for_good(busy: Firm) -> None:
    path = f"/api/companies/{busy.id}/months"
    assert busy.boss.get(f"{path}/{MAY}/lock").json() == {"month": MAY, "lockedAt": None, "lockedBy": None}
    for month in ("2026-11", "2026-12"):
        refused = lock(busy.boss, month)
        assert (refused.status_code, refused.json()["code"]) == (409, "month_not_ended")
    answers = [lock(busy.boss).json(), lock(busy.boss).json(), busy.boss.get(f"{path}/{MAY}/lock").json()]
    assert answers[0]["lockedAt"]
    assert answers[0]["lockedBy"] == "chefin"
    assert answers == answers[:1] * 3
    assert logged(busy.world, busy.id, "month") == ["month.locked"]
    stranger = busy.world.firm("Andere GmbH").boss
    assert stranger.get(f"{path}/{MAY}/lock").status_code == 404


def test_a_locked_month_answers_what_it_was_also_in_a_format_that_is_asked_for_first(busy: Firm) -> None:
    initial = table(file(busy.boss, "csv"))
    worked(busy.anna, "2026-05-07", "08:00", "12:00")
    assert lock(busy.boss).status_code == 200
    locked = table(file(busy.boss, "csv"))
    assert locked != initial
    worked(busy.anna, "2026-05-08", "08:00", "12:00")
    assert table(file(busy.boss, "csv")) == locked
    assert [row["bs_wert_butab"] for row in read_lodas(file(busy.boss, "lodas"))[1]] == ["12,00", "16,00"]
    assert {export["format"]: export["changed"] for export in exports(busy)} == {"csv": True, "lodas": True}


def test_numbers_block_a_locked_month_until_they_are_settled_and_it_is_made_anew(
    busy: Firm, platform: Platform
) -> None:
    employ(busy.ben, entry_date="2025-01-01")
    set_company(busy, "holiday_region", '"DE-NI"')
    worked(busy.ben, "2026-05-04", "08:00", "16:30")
    assert lock(busy.boss).status_code == 200
    assert findings(busy) == [("no_personnel_number", busy.ben.id, None)]
    path = f"/api/companies/{busy.id}/exports"
    body = {"month": MAY, "format": "lodas"}
    assert export(busy.boss, "lodas").status_code == 409
    assert busy.boss.post(path, json=body).status_code == 409
    employ(busy.ben, personnel_number="27")
    first = file(busy.boss, "lodas")
    employ(busy.ben, personnel_number="28")
    assert file(busy.boss, "lodas") == first
    begun = busy.boss.post(path, json=body)
    assert begun.status_code == 202
    until(lambda: busy.boss.get(f"{path}/{begun.json()['id']}").json()["state"] == "done")
    assert {row["pnr"] for row in read_lodas(file(busy.boss, "lodas"))[1]} == {"26", "28"}


def waiting(firm: Firm, form: str) -> str:
    """Stores an ordered file without a task; returns its id."""
    row = {"month": MAY, "format": form, "progress": "waiting", "keep_until": "2032-12-31"}
    return given(firm.boss, Export, **row)


@ON_BOTH
def test_a_file_that_nobody_makes_any_more_has_failed(busy: Firm, platform: Platform) -> None:
    job = waiting(busy, "csv")
    path = f"/api/companies/{busy.id}/exports/{job}"
    assert busy.boss.get(path).json()["state"] == "failed"
    with platform.database.write(SYSTEM) as tx:
        outbox.add(tx, platform, busy.id, service.MAKE, {"exportId": job}, platform.clock.now() + DAY, coalesce_key=job)
    assert busy.boss.get(path).json()["state"] == "waiting"
    with platform.database.write(SYSTEM) as tx:
        tx.scalars(select(OutboxRow)).one().failed_at = platform.clock.now()
    assert busy.boss.get(path).json()["state"] == "failed"


@ON_BOTH
def test_a_file_is_made_behind_the_scenes(busy: Firm) -> None:
    path = f"/api/companies/{busy.id}/exports"
    begun = busy.boss.post(path, json={"month": MAY, "format": "pdf"})
    assert begun.status_code == 202
    job = begun.json()
    assert (job["state"], job["done"], job["sha256"]) == ("waiting", 0, None)
    until(lambda: busy.boss.get(f"{path}/{job['id']}").json()["state"] == "done")
    done = busy.boss.get(f"{path}/{job['id']}").json()
    assert (done["done"], done["of"]) == (1, 1)
    assert busy.boss.get(f"{path}/{job['id']}/file").content == file(busy.boss, "pdf")
    assert [export["id"] for export in exports(busy)] == [job["id"]]


def test_a_file_whose_drawing_dies_is_drawn_again_later(
    busy: Firm, platform: Platform, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(ForkingPool, "_start")
    monkeypatch.setattr(child, "__name__", "stempelwerk_cloud.no_such_program")
    path = f"/api/companies/{busy.id}/exports"
    assert export(busy.boss, "pdf").json()["code"] == "unavailable"
    inspection = busy.boss.get(f"/api/companies/{busy.id}/inspection?from={MAY}-01&to={MAY}-31")
    assert inspection.json()["code"] == "unavailable"
    assert export(busy.boss, "csv").status_code == 200
    job = busy.boss.post(path, json={"month": MAY, "format": "pdf"}).json()["id"]
    until(lambda: put_off(platform))
    assert busy.boss.get(f"{path}/{job}").json()["state"] == "running"
    monkeypatch.undo()
    clock.advance(minutes=2)
    platform.outbox.wake()
    until(lambda: busy.boss.get(f"{path}/{job}").json()["state"] == "done")


def put_off(platform: Platform) -> bool:
    """Returns whether the task has been tried and waits for a retry."""
    with platform.database.read(SYSTEM) as tx:
        row = tx.scalars(select(OutboxRow)).one()
        return row.attempts == 1 and row.due_at > platform.clock.now() and row.leased_until is None


def test_what_is_not_made_yet_is_no_file_and_what_became_wrong_has_failed(busy: Firm, platform: Platform) -> None:
    path = f"/api/companies/{busy.id}/exports/{(job := waiting(busy, 'lug'))}"
    for kind in ("file", "difference"):
        assert busy.boss.get(f"{path}/{kind}").json()["code"] == "export_not_made"
    employ(busy.anna, personnel_number=None)
    service.do(platform, busy.id, {"exportId": job}, "")
    assert busy.boss.get(path).json()["state"] == "failed"
    assert exports(busy) == []


def corrected(firm: Firm, day: str, start: str, end: str) -> None:
    """Creates Anna's only shift of that day, by the administrator."""
    wish = {"date": day, "newStart": start, "newEnd": end, "userId": firm.anna.id, "reason": "So war es."}
    answer = firm.boss.post("/api/time-corrections", json=wish)
    assert answer.status_code == 201, answer.text


def test_what_comes_after_an_export_is_a_difference_with_its_reason(busy: Firm, clock: SettableClock) -> None:
    file(busy.boss, "csv")
    (first_export,) = exports(busy)
    assert (first_export["changed"], difference_rows(busy, first_export["id"])) == (False, [])
    clock.advance(minutes=5)
    corrected(busy, "2026-05-04", "09:00", "16:30")
    cancel_leave(busy, busy.anna.id)
    away(busy.ben, "2026-05-04")
    assert exports(busy)[0]["changed"] is True
    rows = difference_rows(busy, first_export["id"])
    assert ("anna", "2026-05-04", "work", 480, 420, "correction") in rows
    assert {row for row in rows if row[2] == "vacation"} == {
        ("anna", "2026-05-05", "vacation", 480, None, "leave"),
        ("anna", "2026-05-06", "vacation", 480, None, "leave"),
    }
    assert {row[2] for row in rows} == {"work", "vacation", "sick"}


def test_a_late_stamp_is_a_difference_of_the_exported_month(site: Site, clock: SettableClock) -> None:
    firm = site.firm
    assert site.boss.id == firm.boss.id
    hang_since(site, "2026-10-01 05:00")
    stamped(site, "2026-10-05 08:00", "2026-10-05 12:00")
    file(firm.boss, "csv", OCTOBER)
    (first_export,) = exports(firm)
    clock.advance(days=1)
    boss = site.boss
    assert late(boss, firm.anna) == {"2026-10-05": False}
    stamped(site, "2026-10-06 08:00", "2026-10-06 12:00")
    (row,) = boss.get(f"/api/companies/{firm.id}/exports/{first_export['id']}/difference").json()
    assert (row["date"], row["before"], row["after"], row["reason"]) == ("2026-10-06", None, 240, "late_stamp")
    assert row["at"] > first_export["createdAt"]
    assert late(boss, firm.anna) == {"2026-10-05": False, "2026-10-06": True}


def late(boss: Somebody, anna: Somebody) -> dict[str, bool]:
    """Returns by day of Anna's October whether its entry is flagged as late."""
    rows = boss.get(f"/api/users/{anna.id}/times?from=2026-10-01&to=2026-11-19").json()
    return {row["date"]: "late" in row["flags"] for row in rows if row["date"] < "2026-11"}


def test_an_entry_is_late_that_a_locked_or_exported_month_did_not_know_until_its_difference_is_exported(
    busy: Firm, clock: SettableClock
) -> None:
    def late_days() -> list[str]:
        path = f"/api/users/{busy.anna.id}/times?from=2026-05-01&to=2026-06-30"
        return [row["date"] for row in busy.anna.get(path).json() if "late" in row["flags"]]

    worked(busy.anna, "2026-05-07", "08:00", "12:00")
    assert late_days() == []
    assert lock(busy.boss).status_code == 200
    worked(busy.anna, "2026-05-08", "08:00", "12:00")
    worked(busy.anna, "2026-06-08", "08:00", "12:00")
    assert late_days() == ["2026-05-08"]
    file(busy.boss, "csv")
    clock.advance(minutes=5)
    corrected(busy, "2026-05-07", "08:00", "11:00")
    assert late_days() == ["2026-05-07", "2026-05-08"]
    difference(busy, exports(busy)[0]["id"], "csv")
    assert late_days() == []


def test_a_difference_of_a_draft_is_one_until_the_month_has_ended_and_then_tells_what_payroll_knows(
    busy: Firm, clock: SettableClock
) -> None:
    def month() -> dict[str, Any]:
        path = f"/api/companies/{busy.id}/settings?dryRun=true"
        (body,) = busy.boss.put(path, json={"breakPolicy": "none", "validFrom": "2026-11-01"}).json()["months"]
        return dict(body)

    worked(busy.anna, "2026-11-03", "08:00", "16:30")
    file(busy.boss, "csv", "2026-11")
    draft = exports(busy)[0]["id"]
    for day, exported in (("2026-11-04", False), ("2026-11-05", True)):
        worked(busy.anna, day, "08:00", "16:30")
        assert difference(busy, draft, "csv").is_success
        assert exports(busy)[0]["draft"] is not exported
        assert month() == {"month": "2026-11", "exported": exported, "locked": False}
        clock.set(datetime(2026, 12, 2, 8, tzinfo=UTC))
        busy.boss = busy.world.again(busy.boss)


def test_an_exported_difference_is_an_export_and_the_next_one_counts_from_it(busy: Firm) -> None:
    file(busy.boss, "csv")
    (first_export,) = exports(busy)
    assert len(table(difference(busy, first_export["id"], "csv").content)) == 1
    assert len(exports(busy)) == 1
    worked(busy.anna, "2026-05-07", "08:00", "12:00")
    first = difference(busy, first_export["id"], "csv")
    assert first.headers["content-disposition"].endswith('"difference_2026-05.csv"')
    (row,) = table(first.content)[1:]
    assert row[:7] == ["26", "anna", "07.05.2026", "Arbeit", "", "4,00", "4,00"]
    assert difference(busy, first_export["id"], "csv").content == first.content
    assert [(export["format"], export["changed"]) for export in exports(busy)] == [
        ("difference", False),
        ("csv", False),
    ]
    assert difference_rows(busy, first_export["id"]) == []
    corrected(busy, "2026-05-07", "08:00", "11:00")
    assert [row[:5] for row in difference_rows(busy, first_export["id"])] == [("anna", "2026-05-07", "work", 240, 180)]
    newest = exports(busy)[0]["id"]
    assert difference_rows(busy, newest) == difference_rows(busy, first_export["id"])


def test_a_question_says_which_of_the_months_were_exported_and_locked(busy: Firm) -> None:
    file(busy.boss, "csv", "2026-04")
    lock(busy.boss)
    body = {"breakPolicy": "none", "validFrom": "2026-05-01"}
    answer = busy.boss.put(f"/api/companies/{busy.id}/settings?dryRun=true", json=body)
    assert answer.json()["months"][0] == {"month": MAY, "exported": False, "locked": True}
    body = {"mode": "uniform", "uniformWeeklyTargetMinutes": 1800, "validFrom": "2026-04-01"}
    answer = busy.boss.put(f"/api/companies/{busy.id}/working-hours-config?dryRun=true", json=body)
    assert answer.json()["months"][:2] == [
        {"month": "2026-04", "exported": True, "locked": False},
        {"month": MAY, "exported": False, "locked": True},
    ]


def test_of_two_who_lock_or_export_at_once_one_does(busy: Firm, platform: Platform) -> None:
    def make() -> bytes:
        return making.make(platform, busy.id, "2026-04", "csv").content

    assert len(set(all_at_once(platform, make, make))) == 1
    assert len(exports(busy)) == 1
    answers = all_at_once(platform, lambda: lock(busy.boss), lambda: lock(busy.boss))
    assert len({answer.json()["lockedAt"] for answer in answers}) == 1
    assert logged(busy.world, busy.id, "month") == ["month.locked"]


def test_whatever_comes_at_once_with_a_lock_is_in_its_files_or_a_difference_of_them(
    busy: Firm, platform: Platform
) -> None:
    answers = all_at_once(
        platform,
        lambda: lock(busy.boss).status_code,
        lambda: len(making.make(platform, busy.id, MAY, "csv").content),
        lambda: len(worked(busy.anna, "2026-05-07", "08:00", "12:00")),
    )
    assert answers[0] == 200
    files = [file(busy.boss, form) for form in ("csv", "lodas")]
    total = sum(hours(row[7]) for row in table(files[0])[1:] if row[2] == "Summe")
    (paid,) = (hours(row["bs_wert_butab"]) for row in read_lodas(files[1])[1] if row["la_eigene"] == "101")
    assert total == paid
    newest = next(export for export in exports(busy) if export["format"] == "csv")
    later = sum((row["after"] or 0) - (row["before"] or 0) for row in difference(busy, newest["id"]).json())
    assert total + Decimal(later) / 60 == 12
    assert [file(busy.boss, form) for form in ("csv", "lodas")] == files


MONTHS = itertools.cycle(f"{year}-{month:02d}" for year in (2025, 2026) for month in range(1, 11))
DAYS = st.integers(1, 20)
LATER = st.one_of(
    st.tuples(st.just("correct"), DAYS, st.integers(1, 9)),
    st.tuples(st.just("night"), DAYS, st.just(0)),
    st.tuples(st.just("ill"), DAYS, st.just(0)),
    st.tuples(st.just("cancel"), st.just(0), st.just(0)),
    st.tuples(st.just("export"), st.just(0), st.just(0)),
)


@ON_SQLITE
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@drawn(st.lists(LATER, max_size=6))
def test_export_and_differences_sum_up_to_what_stands(busy: Firm, later: list[tuple[str, int, int]]) -> None:
    month, platform = next(MONTHS), busy.world.platform
    ben = busy.world.user(busy.id, platform.ids.new())
    employ(ben, entry_date="2025-01-01")
    worked(ben, f"{month}-03", "08:00", "16:30")
    on_leave(ben, f"{month}-10", f"{month}-12")
    assert lock(busy.boss, month).status_code == 200
    making.make(platform, busy.id, month, "csv")
    with platform.database.read(SYSTEM) as tx:
        row = tx.scalars(select(Export).where(Export.month == month, Export.format == "csv")).first()
        assert row is not None
        assert row.told is not None
        export_id, stands = row.id, dict(unpacked(row.told).figures(PAID))

    def follow() -> None:
        for difference_row in difference(busy, export_id).json():
            key = difference_row["userId"], date.fromisoformat(difference_row["date"]), difference_row["kind"]
            assert stands.pop(key, None) == difference_row["before"]
            if difference_row["after"] is not None:
                stands[key] = difference_row["after"]

    minutes = itertools.count()
    ill: set[int] = set()
    for where, day, hours_ in later:
        on = f"{month}-{day:02d}"
        if where == "correct":
            worked(ben, on, "08:00", f"{8 + hours_:02d}:00", requested_at=f"2026-11-20T12:{next(minutes):02d}:00+00:00")
        elif where == "night":
            worked(ben, on, "19:00", "02:00", requested_at=f"2026-11-20T12:{next(minutes):02d}:00+00:00")
        elif where == "ill" and day not in ill:
            ill.add(day)
            away(ben, on)
        elif where == "cancel":
            cancel_leave(busy, ben.id)
        elif where == "export":
            follow()
            difference(busy, export_id, "csv")
    follow()
    with platform.database.read(SYSTEM) as tx:
        now = content.of_month(tx, busy.id, date.fromisoformat(f"{month}-01"), platform.clock.now())
    assert stands == now.figures(PAID)


@drawn(st.lists(st.integers(0, 1440), max_size=31))
def test_days_in_hundredths_sum_up_to_the_months(days: list[int]) -> None:
    assert sum(spread(days)) == hundredths(sum(days))
    assert all(abs(amount * 60 - 100 * minutes) <= 60 for amount, minutes in zip(spread(days), days, strict=True))
    assert decimal(hundredths(130 * 60)) == "130,00"
    assert decimal(-5) == "-0,05"


KEYS = st.tuples(st.sampled_from("ab"), st.dates(date(2026, 5, 1), date(2026, 5, 3)), st.sampled_from(["work", "sick"]))
FIGURES = st.dictionaries(KEYS, st.integers(0, 600))


@drawn(FIGURES, FIGURES)
def test_differences_lead_from_one_to_the_other(before: dict[Any, int], after: dict[Any, int]) -> None:
    figures = dict(before)
    for user_id, day, kind, was, new_minutes in differences(before, after):
        assert was != new_minutes
        assert figures.pop((user_id, day, kind), None) == was
        if new_minutes is not None:
            figures[user_id, day, kind] = new_minutes
    assert figures == after


def test_absences_of_other_kinds_are_never_ill(busy: Firm) -> None:
    platform = busy.world.platform
    with platform.database.write(SYSTEM) as tx:
        missed = {"kind": "missing", "status": "excused", "date": date(2026, 5, 7), "report_id": busy.id}
        row = {"company_id": busy.id, "id": platform.ids.new(), "user_id": busy.anna.id}
        tx.add(Absence(**row, **missed, created_at=platform.clock.now()))
    assert [row["la_eigene"] for row in read_lodas(file(busy.boss, "lodas"))[1]] == ["101", "301"]


def test_leave_of_who_was_deleted_since_stays_in_the_month(firm: Firm) -> None:
    set_weekly(firm, 2400)
    employ(firm.anna, entry_date="2025-01-01")
    on_leave(firm.anna, "2026-05-04", "2026-05-06")
    file(firm.boss, "csv")
    assert firm.boss.delete(f"/api/users/{firm.anna.id}").status_code == 204
    (row,) = exports(firm)
    assert row["changed"] is False
    assert difference_rows(firm, row["id"]) == []


def test_of_an_open_month_no_kept_payroll_file_is_given_out_once_there_is_something_to_settle(busy: Firm) -> None:
    file(busy.boss, "lodas")
    correction = {"date": "2026-05-04", "newStart": "08:00", "newEnd": "17:00", "reason": "Vergessen"}
    assert busy.anna.post("/api/time-corrections", json=correction).status_code == 201
    assert ("pending_correction", busy.anna.id, "2026-05-04") in findings(busy)
    assert export(busy.boss, "lodas").status_code == 409
    assert lock(busy.boss).status_code == 200
    assert export(busy.boss, "lodas").status_code == 200


@ON_SQLITE
@pytest.mark.parametrize("month", ["0001-01", "0001-02", "1969-12"])
def test_a_month_before_all_times_is_empty(firm: Firm, month: str) -> None:
    company = f"/api/companies/{firm.id}"
    assert export(firm.boss, "csv", month).status_code == 200
    assert lock(firm.boss, month).status_code == 200
    first = f"{month}-01"
    assert firm.boss.get(f"{company}/inspection?from={first}&to={month}-28&format=csv").status_code == 200
    assert firm.boss.get(f"{company}/compensation-costs?month={month}").status_code == 200
    assert firm.boss.get(f"{company}/export-check?month={month}&format=lodas").status_code == 200


def test_a_file_that_would_be_the_same_is_not_made_again(busy: Firm) -> None:
    csv_file = file(busy.boss, "csv")
    body = {"month": MAY, "format": "csv"}
    ordered = [busy.boss.post(f"/api/companies/{busy.id}/exports", json=body) for _ in range(2)]
    (row,) = exports(busy)
    assert [(answer.status_code, answer.json()["id"], answer.json()["state"]) for answer in ordered] == [
        (202, row["id"], "done")
    ] * 2
    assert busy.boss.get(f"/api/companies/{busy.id}/exports/{row['id']}/file").content == csv_file
