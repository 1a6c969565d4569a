"""A person's calendar address: who has one, its contents, and its end."""

import io
import json
import logging
import os
import subprocess
import sys
from bisect import bisect_right
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import structlog
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar, Event
from sqlalchemy import select
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.domain.roster import Planned, span
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.operations import logs
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.planning.calendar.feed import NAME, Entry, feed, text
from stempelwerk_cloud.planning.calendar.tables import CalendarAddress

from cloud.tests.databases import ON_BOTH
from cloud.tests.planning.rosters import add_duty, assigned, offer, on_leave
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, Somebody, World

ADDRESS = "/api/calendar-address"
BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 20, 8, tzinfo=UTC)


def _new_address(person: Somebody) -> str:
    """The path of a new address."""
    answer = person.post(ADDRESS)
    assert answer.status_code == 201, answer.text
    url: str = answer.json()["url"]
    assert url.startswith("http://testserver/api/calendar/")
    assert url.endswith(".ics")
    return url.removeprefix("http://testserver")


def _events(client: TestClient, path: str) -> list[Event]:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].split(";")[0] == "text/calendar"
    return list(Calendar.from_ical(answer.content).events)


# -- who has one


def test_an_unknown_address_is_not_found(client: TestClient, firm: Firm) -> None:
    _new_address(firm.anna)
    for secret in ("x", "A" * 43, "%00", "ü", "a/b"):
        assert client.get(f"/api/calendar/{secret}.ics").status_code == 404


@ON_BOTH
def test_an_address_is_one_persons_and_a_new_one_takes_the_old_ones_place(client: TestClient, firm: Firm) -> None:
    assert firm.anna.get(ADDRESS).json() == {"active": False, "createdAt": None}
    first = _new_address(firm.anna)
    assert firm.anna.get(ADDRESS).json() == {"active": True, "createdAt": "2026-11-20T08:00:00.000Z"}
    assert firm.ben.get(ADDRESS).json()["active"] is False
    assert client.get(first).status_code == 200
    second = _new_address(firm.anna)
    assert second != first
    assert (client.get(first).status_code, client.get(second).status_code) == (404, 200)
    assert firm.ben.delete(ADDRESS).status_code == 204
    assert client.get(second).status_code == 200
    assert firm.anna.delete(ADDRESS).status_code == 204
    assert client.get(second).status_code == 404
    assert firm.anna.delete(ADDRESS).status_code == 204


def test_what_was_given_and_ended_is_in_the_log(firm: Firm, platform: Platform) -> None:
    _new_address(firm.anna)
    firm.anna.delete(ADDRESS)
    firm.anna.delete(ADDRESS)
    with platform.database.read(SYSTEM) as tx:
        entries = select(AuditEntry).where(AuditEntry.action.startswith("calendar.")).order_by(AuditEntry.no)
        logged = [(entry.action, entry.subject, entry.actor) for entry in tx.scalars(entries)]
    anna = firm.anna.id
    assert logged == [("calendar.address_given", anna, anna), ("calendar.address_ended", anna, anna)]


def test_the_address_begins_as_the_installation_says(
    settings: Settings, clock: SettableClock, platform: Platform, firm: Firm
) -> None:
    changed_settings = settings.model_copy(update={"public_url": "https://zeit.example.org/"})
    with TestClient(create_app(changed_settings, clock=clock)) as elsewhere:
        url = elsewhere.post(ADDRESS, headers=firm.anna.headers).json()["url"]
    assert url.startswith("https://zeit.example.org/api/calendar/")


# -- when it is over


@pytest.mark.parametrize("way", ["deleted", "locked", "left", "promoted", "closed"])
def test_it_is_over_with_its_person(world: World, firm: Firm, way: str) -> None:
    path = _new_address(firm.anna)
    if way == "deleted":
        assert firm.boss.delete(f"/api/users/{firm.anna.id}").status_code == 204
    elif way == "locked":
        assert world.founder.put(f"/api/users/{firm.anna.id}/lock").status_code == 200
    elif way == "left":
        exit_answer = firm.boss.put(f"/api/users/{firm.anna.id}/employment", json={"exitDate": "2026-11-19"})
        assert exit_answer.status_code == 200
    elif way == "promoted":
        assert firm.boss.put(f"/api/users/{firm.anna.id}", json={"role": "companyAdmin"}).status_code == 200
    else:
        assert world.founder.delete(f"/api/companies/{firm.id}").status_code == 204
    assert world.client.get(path).status_code == 404


def test_a_lock_ends_it_for_good(world: World, firm: Firm, platform: Platform) -> None:
    path = _new_address(firm.anna)
    assert world.founder.put(f"/api/users/{firm.anna.id}/lock").status_code == 200
    assert world.founder.put(f"/api/users/{firm.anna.id}/password-reset").status_code == 200
    with platform.database.read(SYSTEM) as tx:
        assert not tx.get_one(User, (firm.id, firm.anna.id)).is_locked
    assert world.client.get(path).status_code == 404
    assert world.again(firm.anna).get(ADDRESS).json()["active"] is False


def test_another_name_leaves_it_as_it_is(world: World, firm: Firm) -> None:
    path = _new_address(firm.anna)
    assert firm.boss.put(f"/api/users/{firm.anna.id}", json={"username": "anne"}).status_code == 200
    assert "anne" in world.client.get(path).text


# -- contents of the file


def test_ones_own_duties_stand_there_and_nobody_elses(
    client: TestClient, world: World, firm: Firm, platform: Platform
) -> None:
    other_firm = world.firm("Andere")
    path = _new_address(firm.anna)
    duty = assigned(firm, firm.anna, "2026-12-01")
    for person, where in ((firm.ben, firm), (other_firm.anna, other_firm)):
        assigned(where, person, "2026-12-01")
    for day in ("2026-08-19", "2027-11-21"):
        add_duty(firm.anna, day)
    edges = [add_duty(firm.anna, day) for day in ("2026-08-20", "2027-11-20")]
    on_leave(firm.anna, "2026-12-24", "2026-12-31")
    events = _events(client, path)
    assert {str(event["uid"]) for event in events} == {f"{duty_id}@stempelwerk" for duty_id in (duty["id"], *edges)}
    assert {str(event["summary"]) for event in events} == {"Dienst"}
    assert [str(event["uid"]) for event in _events(client, path)] == [str(event["uid"]) for event in events]


def test_a_duty_without_times_takes_the_day_and_one_with_times_its_hours(client: TestClient, firm: Firm) -> None:
    path = _new_address(firm.anna)
    assigned(firm, firm.anna, "2026-12-01")
    assigned(firm, firm.anna, "2026-12-03", start="22:00", end="06:00")
    assigned(firm, firm.anna, "2026-12-06", start="08:00")
    whole_day, night, begun = sorted(_events(client, path), key=lambda event: str(event["dtstart"].to_ical()))
    assert (whole_day["dtstart"].dt, whole_day["dtend"].dt) == (date(2026, 12, 1), date(2026, 12, 2))
    assert night["dtstart"].dt == datetime(2026, 12, 3, 22, tzinfo=BERLIN)
    assert night["dtend"].dt == datetime(2026, 12, 4, 6, tzinfo=BERLIN)
    assert night["dtstart"].params["TZID"] == "Europe/Berlin"
    assert begun["dtstart"].dt == datetime(2026, 12, 6, 8, tzinfo=BERLIN)
    assert begun["dtend"].dt == datetime(2026, 12, 6, 9, tzinfo=BERLIN), "an hour, as long as nobody says more"
    assert {event["dtstamp"].dt for event in (whole_day, night, begun)} == {NOW}


def test_the_file_says_what_it_is_and_when_to_come_again(client: TestClient, firm: Firm) -> None:
    lines = client.get(_new_address(firm.anna)).text.split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR"
    assert {
        "VERSION:2.0",
        f"NAME:{NAME}",
        f"X-WR-CALNAME:{NAME}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "X-PUBLISHED-TTL:PT1H",
        "DESCRIPTION:anna\\, Tischlerei Holzmann",
        "X-WR-CALDESC:anna\\, Tischlerei Holzmann",
    } <= set(lines)


@ON_BOTH
def test_the_file_stays_byte_for_byte_until_a_duty_changes(
    client: TestClient, firm: Firm, clock: SettableClock
) -> None:
    path = _new_address(firm.anna)
    first = assigned(firm, firm.anna, "2026-12-01", start="08:00", end="16:00")
    clock.advance(minutes=5)
    second = assigned(firm, firm.anna, "2026-12-02")
    first_answer = client.get(path)
    for later in ({"seconds": 1}, {"hours": 3}, {"days": 1}):
        clock.advance(**later)
        assert client.get(path).content == first_answer.content
    clock.advance(minutes=5)
    anna, ben = firm.world.again(firm.anna), firm.world.again(firm.ben)
    request = offer(anna, ben, "2026-12-01")
    assert ben.post(f"/api/schedule/swap-requests/{request}/accept").status_code == 200
    assert client.get(path).content != first_answer.content
    stamps = {str(event["uid"]).partition("@")[0]: event["dtstamp"].dt for event in _events(client, path)}
    assert stamps == {second["id"]: NOW + timedelta(minutes=5)}
    bens_events = _events(client, _new_address(ben))
    moved = clock.now().replace(microsecond=0)
    assert [(str(event["uid"]), event["dtstamp"].dt) for event in bens_events] == [
        (f"{first['id']}@stempelwerk", moved)
    ]


def test_a_file_that_is_known_is_not_sent_again_and_its_head_can_be_asked_for(client: TestClient, firm: Firm) -> None:
    path = _new_address(firm.anna)
    assigned(firm, firm.anna, "2026-12-01")
    full_answer, head = client.get(path), client.head(path)
    tag = full_answer.headers["etag"]
    assert (head.status_code, head.content) == (200, b"")
    assert {name: head.headers[name] for name in ("etag", "content-type", "content-length", "cache-control")} == {
        "etag": tag,
        "content-type": full_answer.headers["content-type"],
        "content-length": str(len(full_answer.content)),
        "cache-control": "private, no-cache",
    }
    for sent_tag in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        for method in ("GET", "HEAD"):
            repeated = client.request(method, path, headers={"If-None-Match": sent_tag})
            assert (repeated.status_code, repeated.content, repeated.headers["etag"]) == (304, b"", tag)
    assert client.get(path, headers={"If-None-Match": '"other"'}).content == full_answer.content
    assigned(firm, firm.anna, "2026-12-02")
    changed = client.get(path, headers={"If-None-Match": tag})
    assert (changed.status_code, len(list(Calendar.from_ical(changed.content).events))) == (200, 2)
    assert firm.anna.delete(ADDRESS).status_code == 204
    assert client.get(path, headers={"If-None-Match": "*"}).status_code == 404
    assert client.head(path).status_code == 404


def test_a_company_in_another_zone_has_its_own_hours(client: TestClient, firm: Firm) -> None:
    settings = {"timeZone": "America/New_York", "validFrom": "2026-11-20"}
    assert firm.boss.put(f"/api/companies/{firm.id}/settings", json=settings).status_code == 200
    assigned(firm, firm.anna, "2026-12-01", start="08:00", end="16:00")
    assigned(firm, firm.anna, "2026-11-19", start="08:00", end="16:00")
    path = _new_address(firm.anna)
    start_times = sorted(event["dtstart"].dt.astimezone(UTC) for event in _events(client, path))
    assert start_times == [datetime(2026, 11, 19, 7, tzinfo=UTC), datetime(2026, 12, 1, 13, tzinfo=UTC)]


# -- the file itself

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]))
DUTIES = st.builds(
    Planned,
    st.dates(date(2026, 8, 20), date(2027, 11, 20)),
    st.integers(0, 24 * 60 - 1),
    st.one_of(st.none(), st.integers(0, 24 * 60 - 1)),
)
ZONES_OF_THE_WORLD = [
    "Europe/Berlin",
    "Europe/Dublin",
    "Europe/Istanbul",
    "Europe/Moscow",
    "America/New_York",
    "America/Sao_Paulo",
    "America/Santiago",
    "America/Nuuk",
    "Africa/Cairo",
    "Africa/Casablanca",
    "Asia/Jerusalem",
    "Asia/Gaza",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Pacific/Chatham",
]
WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def rule_onsets(file: bytes) -> list[tuple[datetime, timedelta]]:
    """Returns the onsets of a file's time zone with the new offset, as a calendar reads them that ignores RDATE."""
    lines = file.decode().replace("\r\n ", "").split("\r\n")
    onsets: list[tuple[datetime, timedelta]] = []
    properties: dict[str, str] = {}
    for line in lines[: lines.index("END:VTIMEZONE")]:
        name, _, value = line.partition(":")
        properties[name] = value
        if line in ("END:STANDARD", "END:DAYLIGHT"):
            old, new = (_offset(properties[name]) for name in ("TZOFFSETFROM", "TZOFFSETTO"))
            onsets += [(local - old, new) for local in _local_onsets(properties, old)]
            properties = {}
    return sorted(onsets)


def _offset(value: str) -> timedelta:
    return timedelta(hours=int(value[:3]), minutes=int(value[0] + value[3:5]))


def _moment(value: str) -> datetime:
    return datetime.strptime(f"{value.removesuffix('Z')}Z", "%Y%m%dT%H%M%S%z")


def _local_onsets(properties: dict[str, str], old: timedelta) -> Iterator[datetime]:
    start = _moment(properties["DTSTART"])
    yield start
    if "RRULE" not in properties:
        return
    rule = dict(part.split("=") for part in properties["RRULE"].split(";"))
    assert rule.pop("FREQ") == "YEARLY"
    limit = rule.pop("UNTIL", None)
    last = datetime(2040, 1, 1, tzinfo=UTC) if limit is None else _moment(limit) + old
    day = start + timedelta(days=1)
    while day <= last:
        if all(_fits(day, name, values.split(",")) for name, values in rule.items()):
            yield day
        day += timedelta(days=1)


def _fits(day: datetime, name: str, values: list[str]) -> bool:
    if name == "BYMONTH":
        return str(day.month) in values
    if name == "BYMONTHDAY":
        return str(day.day) in values
    if name == "BYYEARDAY":
        return str((day.date() - date(day.year, 12, 31)).days - 1) in values
    assert name == "BYDAY"
    weekday, nth = WEEKDAYS[day.weekday()], (day.day - 1) // 7 + 1
    is_last = (day + timedelta(days=7)).month != day.month
    return bool({weekday, f"{nth}{weekday}", f"-1{weekday}" if is_last else weekday} & set(values))


ZONES = st.sampled_from(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"])


def _feed_of(owner_text: str, *entries: Entry) -> bytes:
    return feed(entries, owner_text)


@given(TEXTS)
def test_any_name_survives_folding_and_escaping(owner_text: str) -> None:
    content = _feed_of(owner_text)
    assert str(Calendar.from_ical(content)["description"]) == owner_text
    assert all(len(line) <= 75 for line in content.split(b"\r\n"))


@given(st.text(st.characters(codec="utf-8")))
def test_no_name_breaks_the_file(owner_text: str) -> None:
    parsed = Calendar.from_ical(_feed_of(owner_text))
    assert str(parsed["description"]) == text(owner_text)
    assert (str(parsed["name"]), list(parsed.events)) == (NAME, [])


@given(DUTIES, ZONES)
def test_start_and_end_survive_at_their_instants(duty: Planned, zone: str) -> None:
    """Read by the time zone that the file itself describes, and by the one that the reader knows."""
    parsed = Calendar.from_ical(_feed_of("", Entry("1", duty, ZoneInfo(zone), NOW)))
    (event,) = parsed.events
    described = {zone_part.tz_name: zone_part.to_tz(lookup_tzid=False) for zone_part in parsed.timezones}
    start, end = span(duty, ZoneInfo(zone))
    assert start is not None
    end = start + timedelta(hours=1) if end is None else end
    expected = {"dtstart": start} | ({"dtend": end} if end > start else {})
    for name, instant in expected.items():
        field_value = event[name]
        assert field_value.dt.astimezone(UTC) == instant
        if "TZID" in field_value.params:
            naive = field_value.dt.replace(tzinfo=None)
            assert naive - described[field_value.params["TZID"]].utcoffset(naive) == instant.replace(tzinfo=None)
    assert ("dtend" in event) == ("dtend" in expected)


@pytest.mark.parametrize("first", [date(1999, 6, 1), date(2006, 6, 1), date(2015, 6, 1), date(2026, 11, 20)])
@pytest.mark.parametrize("key", ZONES_OF_THE_WORLD)
def test_a_calendar_that_ignores_lists_of_dates_shows_ten_years_right(key: str, first: date) -> None:
    zone, last = ZoneInfo(key), first + timedelta(days=3653)
    content = _feed_of("", *(Entry(f"{day}", Planned(day, 720, 1080), zone, NOW) for day in (first, last)))
    assert b"RDATE" not in content
    onsets = rule_onsets(content)
    instants = [instant for instant, _ in onsets]
    moment = datetime(first.year, first.month, first.day, tzinfo=UTC)
    while moment.date() <= last:
        assert onsets[bisect_right(instants, moment) - 1][1] == moment.astimezone(zone).utcoffset(), moment
        moment += timedelta(hours=1)


def test_summer_in_berlin_is_two_rules() -> None:
    content = _feed_of("", Entry("1", Planned(date(2026, 12, 1), 480, 960), BERLIN, NOW)).decode()
    timezone = content.partition("BEGIN:VTIMEZONE")[2].partition("END:VTIMEZONE")[0]
    rules = sorted(line for line in timezone.splitlines() if line.startswith("RRULE"))
    assert rules == ["RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3"]
    assert timezone.count("BEGIN:") == 2


def test_the_description_of_a_zone_does_not_depend_on_which_duties_there_are() -> None:
    timezones = {
        _feed_of("", *(Entry("1", Planned(day, 480, 960), BERLIN, NOW) for day in days)).partition(b"END:VTIMEZONE")[0]
        for days in ([date(2026, 12, 1)], [date(2026, 8, 20), date(2027, 11, 20)], [date(2027, 7, 1)])
    }
    assert len(timezones) == 1


@pytest.mark.parametrize(("day", "hours"), [(date(2027, 3, 27), 7), (date(2026, 10, 24), 9)])
def test_a_night_across_a_clock_change_keeps_its_true_length(day: date, hours: int) -> None:
    parsed = Calendar.from_ical(_feed_of("", Entry("1", Planned(day, 22 * 60, 6 * 60), BERLIN, NOW)))
    (event,) = parsed.events
    assert event["dtend"].dt.astimezone(UTC) - event["dtstart"].dt.astimezone(UTC) == timedelta(hours=hours)


def test_two_processes_write_the_same_file() -> None:
    """Sets of names have an order of their own in each."""
    program = """
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo
from stempelwerk_cloud.domain.roster import Planned
from stempelwerk_cloud.planning.calendar.feed import Entry, feed
days = enumerate(["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"], 1)
now = datetime(2026, 11, 20, tzinfo=UTC)
duties = [Entry(str(n), Planned(date(2026, 12, n), 480, 960), ZoneInfo(zone), now) for n, zone in days]
print(feed(duties, "anna").decode(), end="")
"""
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program], env=os.environ | {"PYTHONHASHSEED": seed}, check=True, capture_output=True
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1


# -- the secret


def test_the_secret_is_kept_as_a_hash(firm: Firm, platform: Platform) -> None:
    secret = _new_address(firm.anna).removeprefix("/api/calendar/").removesuffix(".ics")
    assert len(secret) == 43
    repeated_url = firm.anna.post(ADDRESS, headers={"Idempotency-Key": "einmal"}).json()["url"]
    assert secret not in repeated_url
    with platform.database.read(SYSTEM) as tx:
        (row,) = tx.scalars(select(CalendarAddress)).all()
        assert len(row.secret_hash) == 32
        kept_answers = tx.connection().exec_driver_sql("SELECT count(*) FROM kept_answers").scalar_one()
    assert kept_answers == 0


@pytest.fixture
def json_logs() -> Iterator[io.StringIO]:
    """Yields the service's log, formatted as in production."""
    root = logging.getLogger()
    level = root.level
    config_before = structlog.get_config()
    log_stream = io.StringIO()
    handler = logs.configure(stream=log_stream)
    yield log_stream
    root.removeHandler(handler)
    root.setLevel(level)
    structlog.configure(**config_before)


def test_the_secret_reaches_no_log(app: FastAPI, client: TestClient, firm: Firm, json_logs: io.StringIO) -> None:
    path = _new_address(firm.anna)
    secret = path.removeprefix("/api/calendar/").removesuffix(".ics")
    tried_paths = [
        path,
        f"/api/calendar/{secret}",
        f"{path}/",
        f"//api/calendar/{secret}.ics",
        f"/API/Calendar/{secret}.ics",
    ]
    tried_paths += [f"/api/calendar/x%0A{secret}.ics", f"/api/calendar/x%20{secret}", f"/x/calendar/{secret}.ics?a=b"]
    for tried_path in tried_paths:
        client.get(tried_path)
        client.post(tried_path, json={"secret": "x", "secret}.ics": "y"})

    @app.get("/api/calendar/bug/{secret}")
    def bug(secret: str) -> None:
        raise LookupError(f"nothing at /api/calendar/{secret}.ics")

    assert client.get(f"/api/calendar/bug/{secret}").status_code == 500
    logging.getLogger("uvicorn.error").warning("GET /api/calendar/%s.ics is strange", secret)
    lines = [line for line in json_logs.getvalue().splitlines() if '"logger":"httpx2"' not in line]  # our own client's
    log_text = "\n".join(lines)
    assert secret not in log_text
    paths = [json.loads(line).get("path") for line in lines]
    assert "/api/calendar/…" in paths
    assert ADDRESS in paths
    assert "LookupError: nothing at /api/calendar/…" in log_text
    assert "GET /api/calendar/… is strange" in log_text
