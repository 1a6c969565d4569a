"""The rooms' lists of calls equal the application's calls."""

from fastapi.routing import APIRoute
from stempelwerk_cloud.app import CALLS
from stempelwerk_cloud.app import ROOMS as HOUSE
from stempelwerk_cloud.kit.http.routing import guards_of, module_of, who_of

from cloud.tests.matrix import samples

ROUTES = {room: [route for route in calls if isinstance(route, APIRoute)] for room, calls in CALLS.items()}
ROOMS = samples.by_room()
PARTS = (
    *("bodies", "queries", "forms", "uploads", "unlogged", "by_clock", "holders", "left"),
    *("once", "keyless", "tells", "lists"),
)


def _named(room: str) -> dict[str, APIRoute]:
    return {f"{method} {route.path}": route for route in ROUTES[room] for method in route.methods or ()}


def _declared(route: APIRoute) -> str:
    module = module_of(route.dependant)
    return " ".join(who_of(route.dependant)) + ("" if module is None else f" with {module}")


def test_no_two_rooms_have_one_name() -> None:
    assert len(CALLS) == len(HOUSE)


def test_every_room_with_calls_has_a_file_and_every_file_a_room() -> None:
    assert set(ROOMS) == {room for room, routes in ROUTES.items() if routes}


def test_the_calls_that_a_room_declares_are_those_of_its_list() -> None:
    for room, said in ROOMS.items():
        assert {call: _declared(route) for call, route in _named(room).items()} == said.who, room


def test_what_is_expensive_or_can_be_guessed_at_has_a_limit_of_its_own() -> None:
    """Those of a login count by address, which a company may share."""
    for room, said in ROOMS.items():
        guards = {call: guards_of(route.dependant)[0] for call, route in _named(room).items()}
        assert {call: guard.rate for call, guard in guards.items() if getattr(guard, "rate", None)} == said.rates, room


def test_what_is_said_of_a_call_is_said_of_one_of_the_rooms_own() -> None:
    for room, said in ROOMS.items():
        for part in PARTS:
            assert getattr(said, part).keys() <= said.who.keys(), f"{room}: {part}"
