"""A company with people of all roles, made directly in the database, and requests in their name.

`tests/people` shows that the API makes the same; other tests start here.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from fastapi.testclient import TestClient
from httpx2 import Response
from stempelwerk_cloud.kit.passwords import hash_password
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.scopes import HOUSE
from stempelwerk_cloud.people.access.callers import ADMIN, COMPANY_ADMIN, USER, Role
from stempelwerk_cloud.people.access.sessions import open_session
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.users import service as users
from stempelwerk_cloud.people.users import tags
from stempelwerk_cloud.people.users.tables import User

PASSWORD = "ein gutes Passwort"


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


@dataclass
class World:
    client: TestClient
    platform: Platform
    founder: Somebody = field(init=False)

    def __post_init__(self) -> None:
        with self.platform.database.write(HOUSE) as tx:
            user = users.create_protected(tx, self.platform, "gründer", password_hash())
        self.founder = self.session(user)

    @property
    def operator_id(self) -> str:
        return self.founder.company_id

    def session(self, user: User) -> Somebody:
        """A session without the login's cost."""
        with self.platform.database.write(HOUSE) as tx:
            token = open_session(tx, self.platform, user.company_id, user.id, "tests")
        return Somebody(self, user.id, user.company_id, user.username, token)

    def again(self, somebody: Somebody) -> Somebody:
        """The same person with a new session."""
        with self.platform.database.read(HOUSE) as tx:
            user = users.find_user(tx, somebody.company_id, somebody.id)
        return self.session(user)

    def user(self, company_id: str, username: str, role: Role = USER, tag: str | None = None) -> Somebody:
        with self.platform.database.write(HOUSE) as tx:
            user = users.insert(tx, self.platform, company_id, username, password_hash(), role)
            if tag is not None:
                tags.give(tx, self.platform, user, tag, None)
        return self.session(user)

    def admin(self, username: str = "admin") -> Somebody:
        """A system administrator who is no founder."""
        return self.user(self.operator_id, username, ADMIN)

    def company(self, name: str | None = None) -> str:
        """An empty company; its id."""
        with self.platform.database.write(HOUSE) as tx:
            return companies.create(tx, self.platform, name or self.platform.ids.new()).id

    def firm(self, name: str = "Tischlerei Holzmann") -> Firm:
        company_id = self.company(name)
        return Firm(
            company_id,
            name,
            self,
            boss=self.user(company_id, "chefin", COMPANY_ADMIN, "04B05500"),
            anna=self.user(company_id, "anna", USER, "04A1B2C3"),
            ben=self.user(company_id, "ben", USER, "04D4E5F6"),
        )
