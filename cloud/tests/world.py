"""A company with people of all roles, made directly in the database, and requests in their name.

`tests/people` shows that the API makes the same; other tests start here.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from fastapi.testclient import TestClient
from httpx2 import Response
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security.passwords import hash_password
from stempelwerk_cloud.people.access.identity.sessions import open_session
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.directory.callers import ADMIN, COMPANY_ADMIN, USER, Role
from stempelwerk_cloud.people.directory.people import find_user
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.users import commands, tags
from stempelwerk_cloud.people.users import service as users
from stempelwerk_cloud.people.work import UnitOfWork

PASSWORD = "ein gutes Passwort"
FOUNDER = "gründer"
FIRM = "Tischlerei Holzmann"
STAFF: tuple[tuple[str, Role, str], ...] = (
    ("chefin", COMPANY_ADMIN, "04B05500"),
    ("anna", USER, "04A1B2C3"),
    ("ben", USER, "04D4E5F6"),
)


@cache
def password_hash() -> str:
    return hash_password(PASSWORD)


@dataclass
class Somebody:
    """A person with a session; `get`, `post`, `put`, `delete` call the API in their name."""

    world: "World"
    id: str
    company_id: str
    username: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def request(self, method: str, path: str, **more: Any) -> Response:
        headers = self.headers | more.pop("headers", {})
        return self.world.client.request(method, path, headers=headers, **more)

    def get(self, path: str, **more: Any) -> Response:
        return self.request("GET", path, **more)

    def post(self, path: str, **more: Any) -> Response:
        return self.request("POST", path, **more)

    def put(self, path: str, **more: Any) -> Response:
        return self.request("PUT", path, **more)

    def delete(self, path: str, **more: Any) -> Response:
        return self.request("DELETE", path, **more)


@dataclass
class Firm:
    """A company with a companyAdmin (`boss`) and two employees (`anna`, tag 04A1B2C3; `ben`, tag 04D4E5F6)."""

    id: str
    name: str
    world: "World"
    boss: Somebody
    anna: Somebody
    ben: Somebody

    def seen_from(self, world: "World") -> "Firm":
        """The same firm in a copy of its world."""
        boss, anna, ben = (replace(one, world=world) for one in (self.boss, self.anna, self.ben))
        return replace(self, world=world, boss=boss, anna=anna, ben=ben)


class World:
    """An installation with a founder. Without one, one is made."""

    def __init__(self, client: TestClient, platform: Platform, founder: Somebody | None = None) -> None:
        self.client = client
        self.platform = platform
        self.firms: dict[str, Firm] = {}
        self.founder = replace(founder, world=self) if founder is not None else self._found()

    def _found(self) -> Somebody:
        with self.platform.database.write(SYSTEM) as tx:
            user = commands.create(UnitOfWork(tx, self.platform), FOUNDER, password_hash())
        return self.session(user)

    @property
    def operator_id(self) -> str:
        return self.founder.company_id

    def session(self, user: User) -> Somebody:
        """A session without the login's cost."""
        with self.platform.database.write(SYSTEM) as tx:
            token = open_session(UnitOfWork(tx, self.platform), user.company_id, user.id, "tests")
        return Somebody(self, user.id, user.company_id, user.username, token)

    def again(self, somebody: Somebody) -> Somebody:
        """The same person with a new session."""
        with self.platform.database.read(SYSTEM) as tx:
            user = find_user(tx, somebody.company_id, somebody.id)
        return self.session(user)

    def user(self, company_id: str, username: str, role: Role = USER, tag: str | None = None) -> Somebody:
        with self.platform.database.write(SYSTEM) as tx:
            user = users.insert(UnitOfWork(tx, self.platform), company_id, username, password_hash(), role)
            if tag is not None:
                tags.give(UnitOfWork(tx, self.platform), user, tag, None)
        return self.session(user)

    def admin(self, username: str = "admin") -> Somebody:
        """A system administrator who is no founder."""
        return self.user(self.operator_id, username, ADMIN)

    def company(self, name: str | None = None) -> str:
        """An empty company; its id."""
        with self.platform.database.write(SYSTEM) as tx:
            return companies.create(UnitOfWork(tx, self.platform), name or self.platform.ids.new()).id

    def firm(self, name: str = FIRM) -> Firm:
        """Returns a company with people, created here unless it exists."""
        if name not in self.firms:
            company_id = self.company(name)
            boss, anna, ben = (self.user(company_id, *person) for person in STAFF)
            self.firms[name] = Firm(company_id, name, self, boss=boss, anna=anna, ben=ben)
        return self.firms[name]
