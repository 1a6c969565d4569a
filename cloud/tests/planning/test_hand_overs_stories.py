"""Random sequences of assigning, removing, offering, answering and departures: each duty has one holder.

A model predicts each answer and each duty's holder; the service is compared with it after every step.
"""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from hypothesis.strategies import data, sampled_from
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.planning.hand_overs.tables import HandOver
from stempelwerk_tools.untimed import examples

from cloud.tests.planning.rosters import holders, path
from cloud.tests.world import Firm, Somebody, World

DAYS = ("2026-11-20", "2026-12-01", "2026-12-02")


@dataclass
class Request:
    duty: str
    giver: Somebody
    taker: Somebody
    status: str = "pending"


class Stories(RuleBasedStateMachine):
    """One company's plan; people come and go."""

    world: World
    created_count = 0

    def __init__(self) -> None:
        super().__init__()
        type(self).created_count += 1
        self.firm: Firm = self.world.firm(f"Firma {self.created_count}")
        self.people = [self.firm.anna, self.firm.ben, self.world.user(self.firm.id, "carla")]
        self.duties: dict[str, tuple[str, str]] = {}
        self.requests: dict[str, Request] = {}

    @rule(data=data(), day=sampled_from(DAYS))
    def assign(self, data: Any, day: str) -> None:
        person = data.draw(sampled_from(self.people))
        answer = self.firm.boss.post(path(self.firm), json={"date": day, "userId": person.id})
        if self._busy(person, day):
            assert answer.status_code == 409
        else:
            assert answer.status_code == 201
            self.duties[answer.json()["id"]] = (person.id, day)

    @precondition(lambda self: self.duties)
    @rule(data=data())
    def take_away(self, data: Any) -> None:
        duty = data.draw(sampled_from(sorted(self.duties)))
        assert self.firm.boss.delete(f"{path(self.firm)}/{duty}").status_code == 204
        del self.duties[duty]
        self._void(lambda request: request.duty == duty)

    @precondition(lambda self: self.duties)
    @rule(data=data())
    def offer(self, data: Any) -> None:
        duty = data.draw(sampled_from(sorted(self.duties)))
        holder, day = self.duties[duty]
        giver = next(person for person in self.people if person.id == holder)
        taker = data.draw(sampled_from(self.people))
        answer = giver.post("/api/schedule/swap-request", json={"date": day, "to": taker.id})
        waits = any(request.duty == duty and request.status == "pending" for request in self.requests.values())
        if taker is giver:
            assert answer.status_code == 422
        elif waits or self._busy(taker, day):
            assert answer.status_code == 409
        else:
            assert answer.status_code == 201
            self.requests[answer.json()["id"]] = Request(duty, giver, taker)

    @precondition(lambda self: self.requests)
    @rule(data=data(), word=sampled_from(["accept", "decline", "withdraw"]))
    def decide(self, data: Any, word: str) -> None:
        request_id = data.draw(sampled_from(sorted(self.requests)))
        request = self.requests[request_id]
        address = f"/api/schedule/swap-requests/{request_id}"
        actor = request.giver if word == "withdraw" else request.taker
        answer = actor.delete(address) if word == "withdraw" else actor.post(f"{address}/{word}")
        if actor not in self.people:
            assert answer.status_code == 401
        elif request.status != "pending" or (
            word == "accept" and (actor.id, self.duties[request.duty][1]) in self.duties.values()
        ):
            assert answer.status_code == 409
        else:
            assert answer.is_success
            request.status = {"accept": "accepted", "decline": "declined", "withdraw": "withdrawn"}[word]
            if word == "accept":
                self.duties[request.duty] = (actor.id, self.duties[request.duty][1])

    @precondition(lambda self: len(self.people) > 1)
    @rule(data=data(), promoted=sampled_from([False, True]))
    def goes(self, data: Any, promoted: bool) -> None:
        person = data.draw(sampled_from(self.people))
        address = f"/api/users/{person.id}"
        if promoted:
            assert self.firm.boss.put(address, json={"role": "companyAdmin"}).status_code == 200
        else:
            assert self.firm.boss.delete(address).status_code == 204
        self.people.remove(person)
        self.duties = {duty: holder for duty, holder in self.duties.items() if holder[0] != person.id}
        self._void(lambda request: person in (request.giver, request.taker))

    @precondition(lambda self: len(self.people) < 4)
    @rule()
    def comes(self) -> None:
        self.people.append(self.world.user(self.firm.id, f"neu {self.world.platform.ids.new()}"))

    @invariant()
    def every_duty_is_there_once_and_whose_it_should_be(self) -> None:
        stored = holders(self.world.platform, self.firm.id)
        assert {duty: holder for holder, duty in stored.items()} == self.duties

    @invariant()
    def every_request_stands_as_it_should(self) -> None:
        with self.world.platform.database.read(SYSTEM) as tx:
            for request_id, request in self.requests.items():
                assert tx.get_one(HandOver, (self.firm.id, request_id)).status == request.status

    def _busy(self, person: Somebody, day: str) -> bool:
        return (person.id, day) in self.duties.values()

    def _void(self, concerned: Any) -> None:
        for request in self.requests.values():
            if request.status == "pending" and concerned(request):
                request.status = "void"


@pytest.mark.parametrize("database_url", ["sqlite", pytest.param("postgresql", marks=pytest.mark.prove)], indirect=True)
def test_every_duty_has_one_holder_whatever_happens(world: World) -> None:
    machine = type("Machine", (Stories,), {"world": world})
    quiet = [HealthCheck.too_slow, HealthCheck.data_too_large]
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples(10), stateful_step_count=25, deadline=None, suppress_health_check=quiet
        ),
    )
