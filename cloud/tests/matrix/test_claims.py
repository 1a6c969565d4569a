"""Claims about every room's calls: unknown is 404, a repeat acts once, one decision wins, lists are paged, refusals are
German.

Each claim covers all declarations of the rooms (`samples.py`), so a new room is included.
"""

import itertools
import re
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from functools import partial
from importlib import import_module
from inspect import getmembers, isfunction, signature
from pkgutil import walk_packages
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin
from urllib.parse import parse_qs, urlsplit

import pytest
import stempelwerk_cloud
from fastapi import FastAPI
from httpx2 import Response
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from stempelwerk_cloud.domain.entries.corrections import Refusal
from stempelwerk_cloud.kit.database.pages import MOST
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.http.paging import PagingDep
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.limits.rates import Rates
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.people.directory.people import find_user
from stempelwerk_cloud.people.users import service as users
from stempelwerk_cloud.people.work import UnitOfWork

from cloud.tests.databases import ON_BOTH, ON_POSTGRESQL, ON_SQLITE
from cloud.tests.matrix import fillings, promises, samples
from cloud.tests.matrix.promises import BOSS, COUNCIL, FOUNDER, SELF, Actor, Call
from cloud.tests.matrix.scene import Scene, Town
from cloud.tests.meeting import all_at_once, interrupted
from cloud.tests.paging import pages
from cloud.tests.people.noticing import settle
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Somebody, World

ONCE = samples.all_of("once")
UNLOGGED = samples.all_of("unlogged")
KEYLESS = samples.all_of("keyless")
LISTS = samples.all_of("lists")
ARGUMENTS: dict[Any, Any] = {
    str: "Ein Satz.",
    str | None: "anna",
    int: 1,
    date: date(2026, 11, 20),
    datetime: datetime(2026, 11, 20, tzinfo=UTC),
    Refusal: Refusal.OVERLAP,
    Problem: Problem(409, "code", "Ein Satz."),
}
"""Arguments of refusals, by type."""
NOBODYS = ("01a208c7-c81f-74b8-9be0-df102cd864c6", "nonsense")


@pytest.fixture
def town(world: World, clock: SettableClock) -> Town:
    platform = world.platform
    platform.settings = platform.settings.model_copy(update=samples.all_of("settings"))
    return Town(world, clock)


def _decisions(world: World) -> int:
    with world.platform.database.read(SYSTEM) as tx:
        return tx.scalar(select(func.count()).select_from(AuditEntry)) or 0


def _let_in(call: Call) -> list[Actor]:
    """Returns the admitted actors with a session, an administrator first."""
    return [actor for actor in (BOSS, FOUNDER, SELF, COUNCIL) if promises.promised(call, actor) is None]


def _caller(scene: Scene, actor: Actor) -> Somebody:
    scene.world.platform.rates = Rates()
    found = scene.somebody(actor)
    assert found is not None
    return found


@ON_SQLITE
def test_what_nobody_knows_is_not_found_and_what_is_no_month_is_malformed(app: FastAPI, town: Town) -> None:
    wrong, scene = [], Scene(town)
    for call in promises.calls(app):
        names = promises.parameters(call.path)
        for actor in _let_in(call)[:1] if names and call.who in promises.GUARDED else ():
            caller = _caller(scene, actor)
            path, more = fillings.filled(call, scene, caller)
            start, _, _ = call.path.rpartition(f"{{{names[-1]}}}")
            known = path.split("/")[start.count("/")]
            for nobodys in NOBODYS:
                unknown = path.replace(known, nobodys)
                answer = caller.request(call.method, unknown, **more)
                refusal = (422, "invalid") if names[-1] == "month" else (404, "not_found")
                if (answer.status_code, answer.json().get("code")) != refusal:
                    wrong.append(f"{call} as {actor.name}: {unknown}: {answer.status_code} {answer.text[:100]}")
    assert not wrong, "\n" + "\n".join(wrong)


@ON_SQLITE
def test_what_is_sent_again_by_its_key_is_done_once_and_answered_alike(app: FastAPI, town: Town) -> None:
    wrong = []
    for call in promises.calls(app):
        if call.method != "POST" or call.who not in promises.GUARDED or str(call) in UNLOGGED.keys() | KEYLESS.keys():
            continue
        for actor in _let_in(call)[:1]:
            scene = Scene(town)
            caller = _caller(scene, actor)
            path, more = fillings.filled(call, scene, caller)
            ask = partial(caller.post, path, headers={"Idempotency-Key": str(uuid.uuid4())}, **more)
            first = ask()
            settle(town.world.platform)
            decided = _decisions(town.world)
            again = ask()
            if (first.status_code, first.content) != (again.status_code, again.content):
                wrong.append(f"{call}: {first.status_code} {first.text[:100]}, then {again.status_code}")
            if _decisions(town.world) != decided:
                wrong.append(f"{call}: done twice")
    assert not wrong, "\n" + "\n".join(wrong)


YEAR_26, NO_TEXT = "0026", "a\0b"


def _spoilt(part: Any) -> Iterator[Any]:
    """Yields parts of a body with an invalid text, or with a day or an instant in an implausible year."""
    if isinstance(part, str):
        yield NO_TEXT
        yield from [YEAR_26 + part[4:]] if re.match(r"\d{4}-\d\d-\d\d", part) else []
    elif isinstance(part, dict):
        yield from ({**part, name: spoilt} for name, value in part.items() for spoilt in _spoilt(value))
        yield {**part, NO_TEXT: None}
    elif isinstance(part, list):
        yield from ([spoilt, *part[1:]] for spoilt in _spoilt(part[0])) if part else ()


def _parts(kind: Any) -> set[Any]:
    """Returns the kinds of a value: members of a union and annotated types."""
    return (
        {kind}.union(*map(_parts, get_args(kind)))
        if get_origin(kind) in {None, Union, UnionType, Annotated}
        else {kind}
    )


def _mistaken(model: Any, body: Any) -> Iterator[Any]:
    """Yields the body with a word for one of its switches, or with an invalid day."""
    for field in getattr(model, "model_fields", {}).values():
        types = _parts(field.annotation)
        if bool in types:
            yield {**body, field.alias: "yes"}
        if date in types:
            yield {**body, field.alias: f"{YEAR_26}-11-01"}
        if datetime in types:
            yield {**body, field.alias: f"{YEAR_26}-11-01T00:00:00.000Z"}


@ON_SQLITE
def test_what_is_no_text_no_switch_and_no_day_of_anybodys_is_malformed_wherever_it_stands(
    app: FastAPI, town: Town
) -> None:
    wrong, scene = [], Scene(town)
    for call in promises.calls(app):
        if call.route.body_field is None or call.who not in promises.GUARDED:
            continue
        for actor in _let_in(call)[:1]:
            path, more = fillings.filled(call, scene, _caller(scene, actor))
            body = more.get("json", {})
            model = call.route.body_field.field_info.annotation
            bads = [*_spoilt(body), *(bad for kind in _parts(model) for bad in _mistaken(kind, body))]
            for bad in bads:
                answer = _caller(scene, actor).request(call.method, path, json=bad)
                if answer.status_code != 422:
                    wrong.append(f"{call}: {answer.status_code} for {bad}")
    assert not wrong, "\n" + "\n".join(wrong)


def _pairs(app: FastAPI) -> Iterator[tuple[Call, Call]]:
    """Calls that decide of one thing, each with itself and with each other."""
    of_thing: dict[str, list[Call]] = {}
    for call in promises.calls(app):
        if str(call) in ONCE:
            of_thing.setdefault(call.path.rpartition("}")[0], []).append(call)
    for calls in of_thing.values():
        yield from itertools.combinations_with_replacement(calls, 2)


@ON_POSTGRESQL
def test_of_two_who_decide_at_once_one_does_and_the_other_hears_who(app: FastAPI, town: Town) -> None:
    assert {str(call) for pair in _pairs(app) for call in pair} == ONCE.keys()
    wrong = []
    for pair in _pairs(app):
        scene, things = Scene(town), set()
        sent: list[Callable[[], Response]] = []
        for number, call in enumerate(pair):
            actors = _let_in(call)
            caller = _caller(scene, actors[min(number, len(actors) - 1)])
            path, more = fillings.filled(call, scene, caller)
            things.add(path.split("/")[call.path.rpartition("}")[0].count("/")])
            sent.append(partial(caller.request, call.method, path, **more))
        if len(things) > 1:  # they decide of what is in different hands
            continue
        settle(town.world.platform)
        before = _decisions(town.world)
        answers = all_at_once(town.world.platform, *sent)
        won = [one for one in answers if one.is_success]
        lost = [(one.status_code, one.json()["code"]) for one in answers if not one.is_success]
        unsaid = [one for one in answers if one.status_code == 409 and not one.json().get("decidedBy", "withdrawn")]
        refusals = {(404, "not_found"), *((409, code) for call in pair for code in ONCE[str(call)].split())}
        if unsaid or len(won) != 1 or len(lost) != 1 or lost[0] not in refusals or _decisions(town.world) != before + 1:
            wrong.append(f"{pair[0]} and {pair[1]}: {[one.text[:100] for one in answers]}")
    assert not wrong, "\n" + "\n".join(wrong)


def _refusals() -> Iterator[tuple[str, Problem]]:
    """Yields each refusal of each `words.py`, with its place."""
    for module in walk_packages(stempelwerk_cloud.__path__, "stempelwerk_cloud."):
        if module.name.endswith(".words") and ".kit." not in module.name:
            found = import_module(module.name)
            for name, make in getmembers(found, isfunction):
                needed = [one.annotation for one in signature(make).parameters.values() if one.default is one.empty]
                if make.__annotations__.get("return") is Problem and set(needed) <= ARGUMENTS.keys():
                    yield f"{module.name}.{name}", make(*(ARGUMENTS[kind] for kind in needed))


def test_every_refusal_has_a_sentence() -> None:
    refusals = list(_refusals())
    assert len({place for place, _ in refusals}) > 100
    wrong = [
        f"{place}: {problem.message}"
        for place, problem in refusals
        if len(problem.message.split()) < 2 or not 400 <= problem.status < 600
    ]
    assert not wrong, "\n" + "\n".join(wrong)


def _is_paged(call: Call) -> bool:
    (paging,) = PagingDep.__metadata__
    return any(part.call is paging.dependency for part in call.route.dependant.dependencies)


def _place(asker: Somebody, path: str) -> str:
    """Where the first page of one row ends."""
    following = asker.get(f"{path}?limit=1").headers["Link"].partition(">")[0]
    return parse_qs(urlsplit(following).query)["before"][0]


def test_a_list_is_paged_by_limit_and_before_and_whole_without_them(app: FastAPI, town: Town) -> None:
    """At most 5,000 rows; no page starts at a foreign row."""
    wrong, found = [], [call for call in promises.calls(app) if _is_paged(call)]
    assert {str(call) for call in found} == LISTS.keys()
    for call in found:
        parts = app.openapi()["paths"][call.path]["get"]["parameters"]
        (limit,) = (one["schema"] for one in parts if one["name"] == "limit")
        assert (limit["default"], limit["maximum"]) == (MOST, MOST) == (5000, 5000)
        scene, strangers, longest = Scene(town), Scene(town), 0
        for one, number in itertools.product((scene, strangers), range(3)):
            LISTS[str(call)](one.firm.anna, number)
        for actor in _let_in(call):
            caller = _caller(scene, actor)
            path = fillings.path_of(call, scene, caller)
            whole = caller.get(path).json()
            longest = max(longest, len(whole))
            for size in (1, 2, max(1, len(whole)), 5000):
                told = list(pages(caller, f"{path}?limit={size}"))
                if [row for page in told for row in page] != whole or {len(page) for page in told[:-1]} - {size}:
                    wrong.append(f"{call} as {actor.name}: pages of {size} are {told}, not {whole}")
            places = ["gestern", str(uuid.uuid4())]
            if whole and (promises.parameters(call.path) or actor is not FOUNDER):
                stranger = _caller(strangers, actor)
                places.append(_place(stranger, fillings.path_of(call, strangers, stranger)))
            for name, value in (("limit", "0"), ("limit", "5001"), *(("before", place) for place in places)):
                answer = caller.get(f"{path}?{name}={value}")
                if answer.status_code != 422 or [error["field"] for error in answer.json()["errors"]] != [name]:
                    wrong.append(f"{call} as {actor.name}: {name}={value}: {answer.status_code} {answer.text[:100]}")
        if longest < 3:
            wrong.append(f"{call}: {longest} rows")
    assert not wrong, "\n" + "\n".join(wrong)


NO_PLACE = "Diese Stelle der Liste gibt es nicht mehr. Bitte die Liste neu laden."


@ON_BOTH
def test_what_is_no_row_is_no_place_of_any_list(app: FastAPI, town: Town) -> None:
    """Also of those that go on in another way than `Paging`: one sentence for what is no id and for an unknown one."""
    wrong, found, scene = [], Counter[str](), Scene(town)
    places = {"before": ("gestern", str(uuid.uuid4())), "after": ("gestern", str(uuid.uuid4()))}
    for call in promises.calls(app):
        operation = app.openapi()["paths"][call.path].get(call.method.lower(), {})
        names = places.keys() & {parameter["name"] for parameter in operation.get("parameters", ())}
        found.update(names)
        for actor, name in itertools.product(_let_in(call), sorted(names)):
            caller = _caller(scene, actor)
            for place in places[name]:
                answer = caller.get(f"{fillings.path_of(call, scene, caller)}?{name}={place}")
                refusals = [(error["field"], error["message"]) for error in answer.json().get("errors", ())]
                if answer.status_code != 422 or refusals != [(name, NO_PLACE)]:
                    wrong.append(f"{call} as {actor.name}: {name}={place}: {answer.status_code} {answer.text[:100]}")
    assert found["before"] > len(LISTS)
    assert found["after"] > 0
    assert not wrong, "\n" + "\n".join(wrong)


OF_THE_DELETED = {"PUT /api/companies/{companyId}/personnel-numbers"}
"""Their last wage is still to be paid."""


@ON_SQLITE
def test_nothing_is_decided_about_whoever_was_deleted_after_the_guard(app: FastAPI, town: Town) -> None:
    wrong, found = [], 0
    for call in promises.calls(app):
        if call.method == "GET" or str(call) in UNLOGGED or BOSS not in _let_in(call):
            continue
        scene = Scene(town)
        caller = _caller(scene, BOSS)
        path, more = fillings.filled(call, scene, caller)
        anna = scene.firm.anna
        if anna.id not in path + str(more.get("json")):
            continue
        found += 1

        def leave(tx: Session, anna: Somebody = anna) -> None:
            users.remove(UnitOfWork(tx, town.world.platform), find_user(tx, anna.company_id, anna.id))

        answer = interrupted(town.world.platform, partial(caller.request, call.method, path, **more), leave)
        if answer.status_code != (200 if str(call) in OF_THE_DELETED else 404):
            wrong.append(f"{call}: {answer.status_code} {answer.text[:100]}")
    assert found
    assert not wrong, "\n" + "\n".join(wrong)
