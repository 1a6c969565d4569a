"""A world for calls: a company with people and a clock, another company, and their callers."""

import random
from collections.abc import Callable
from datetime import datetime
from functools import cached_property

from sqlalchemy.orm import Session
from stempelwerk_cloud.fleet.devices.changes import assignments
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.access.identity import sessions
from stempelwerk_cloud.people.access.tables import WebSession
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.directory.callers import ADMIN, COMPANY_ADMIN, USER, Role
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.users import service as users
from stempelwerk_cloud.people.work import UnitOfWork

from cloud.tests.device_client import Clock, SetNow
from cloud.tests.matrix import promises
from cloud.tests.matrix.promises import Actor
from cloud.tests.world import Firm, Somebody, World, password_hash


class Town:
    """The common part of all scenes: the installation, and a calling clock."""

    def __init__(self, world: World, clock: SetNow) -> None:
        self.world = world
        self.clock = clock
        self.device = self.hung_up(world.company("Schreinerei Span"), "SW-T-1")
        self._made = 0

    def number(self) -> int:
        self._made += 1
        return self._made

    def stranger(self) -> Clock:
        """A clock that is not enrolled."""
        return self._clock(f"SW-X-{self.number()}")

    def hung_up(self, company_id: str, serial: str) -> Clock:
        """A clock that calls, assigned to a company."""
        clock = self._clock(serial)
        assert clock.enrol().status_code == 200
        with self.world.platform.database.write(SYSTEM) as tx:
            assignments.assign(UnitOfWork(tx, self.world.platform), clock.device_id, company_id, None)
        assert clock.beat().status_code == 200
        return clock

    def _clock(self, serial: str) -> Clock:
        return Clock(self.world.client, self.clock, serial, random.Random(serial))


class Scene:
    """Companies for one call, or for several calls that change nothing. People are created on demand."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self.world = town.world
        self.number = town.number()
        self._made: dict[Callable[[Scene], str], str] = {}
        self._known: dict[Actor, Somebody | None] = {}

    @cached_property
    def firm(self) -> Firm:
        return self._firm(f"Firma {self.number}")

    @cached_property
    def elsewhere(self) -> Firm:
        return self._firm(f"Nachbarin {self.number}")

    def once(self, make: "Callable[[Scene], str]") -> str:
        """Creates a prerequisite of a room's sample, such as a clock, at the first call."""
        if make not in self._made:
            self._made[make] = make(self)
        return self._made[make]

    def somebody(self, actor: Actor) -> Somebody | None:
        """Returns the person of an actor, with a session; None for a clock or an anonymous caller."""
        with_session = {
            promises.SELF: lambda: self.firm.anna,
            promises.COLLEAGUE: lambda: self.firm.ben,
            promises.STRANGER: lambda: self.elsewhere.anna,
            promises.COUNCIL: lambda: self._into_council(self.firm.ben),
            promises.OTHER_COUNCIL: lambda: self._into_council(self.elsewhere.anna),
            promises.BOSS: lambda: self.firm.boss,
            promises.OTHER_BOSS: lambda: self.elsewhere.boss,
            promises.SWITCHED_OFF: self._without_modules,
            promises.ADMIN: lambda: self._newcomer(self.world.operator_id, ADMIN),
            promises.FOUNDER: lambda: self._newcomer(self.world.operator_id, ADMIN, protected_as="FOUNDER"),
            promises.EXPIRED: lambda: self._newcomer(self.firm.id, COMPANY_ADMIN),
            promises.LOCKED: lambda: self._newcomer(self.firm.id, COMPANY_ADMIN, is_locked=True),
        }
        if actor not in with_session:
            return None
        found = with_session[actor]()
        now = self.world.platform.clock.now()
        found.token = self._session(found, now if actor is promises.EXPIRED else now + sessions.SESSION_LIFE)
        return found

    def shared_person(self, actor: Actor) -> Somebody | None:
        """Returns the actor's person of the first call: the same session for calls that change nothing."""
        if actor not in self._known:
            self._known[actor] = self.somebody(actor)
        return self._known[actor]

    def session_id(self, somebody: Somebody) -> str:
        """Returns the id of the person's session."""
        platform = self.world.platform
        with platform.database.read(SYSTEM) as tx:
            found = sessions.caller_of(tx, somebody.token, platform.clock.now())
        assert found is not None
        return found[0].session_id

    def _firm(self, name: str) -> Firm:
        """Creates a company like `World.firm`, in one transaction and without sessions."""
        platform = self.world.platform
        with platform.database.write(SYSTEM) as tx:
            company_id = companies.create(UnitOfWork(tx, platform), name).id
            boss = self._person(tx, company_id, "chefin", COMPANY_ADMIN)
            anna, ben = (self._person(tx, company_id, username, USER) for username in ("anna", "ben"))
        return Firm(company_id, name, self.world, boss, anna, ben)

    def _person(self, tx: Session, company_id: str, username: str, role: Role) -> Somebody:
        user = users.insert(UnitOfWork(tx, self.world.platform), company_id, username, password_hash(), role)
        return Somebody(self.world, user.id, company_id, username, "")

    def _newcomer(self, company_id: str, role: Role, **more: object) -> Somebody:
        with self.world.platform.database.write(SYSTEM) as tx:
            found = self._person(tx, company_id, f"neu {self.town.number()}", role)
            user = tx.get_one(User, (company_id, found.id))
            for name, value in more.items():
                setattr(user, name, value)
        return found

    def _into_council(self, somebody: Somebody) -> Somebody:
        """The same person, of the works council from now on."""
        with self.world.platform.database.write(SYSTEM) as tx:
            tx.get_one(User, (somebody.company_id, somebody.id)).works_council = True
        return somebody

    def _without_modules(self) -> Somebody:
        """An administrator of the firm, which has no module from now on."""
        company_id = self.firm.id
        with self.world.platform.database.write(SYSTEM) as tx:
            companies.set_features(UnitOfWork(tx, self.world.platform), company_id, [])
        return self._newcomer(company_id, COMPANY_ADMIN)

    def _session(self, somebody: Somebody, until: datetime) -> str:
        """A session's token, good until then."""
        platform = self.world.platform
        with platform.database.write(SYSTEM) as tx:
            token = sessions.open_session(UnitOfWork(tx, platform), somebody.company_id, somebody.id, "tests")
            (row,) = (one for one in tx.new if isinstance(one, WebSession))
            row.expires_at = until
        return token
