"""Two callers read the same messages in parallel: both succeed, without a deadlock."""

from fastapi.testclient import TestClient
from sqlalchemy import select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.messages import service
from stempelwerk_cloud.people.messages.tables import Message
from stempelwerk_cloud.people.work import unit_of_work

from cloud.tests.meeting import all_at_once
from cloud.tests.world import Firm, Somebody


def _ids(platform: Platform, recipient: Somebody, count: int) -> list[str]:
    with unit_of_work(platform, SYSTEM) as work:
        for _ in range(count):
            service.send(work, recipient.company_id, [recipient.id], "schedule", "Dienstplan", "Neue Dienste.")
        return list(work.session.scalars(select(Message.id).filter_by(user_id=recipient.id)))


def test_two_pages_read_the_same_messages(firm: Firm, platform: Platform, client: TestClient) -> None:
    ids = _ids(platform, firm.anna, 20)
    answers = all_at_once(
        platform,
        lambda: firm.anna.post("/api/messages/read", json={"ids": ids}),
        lambda: firm.anna.post("/api/messages/read", json={"ids": ids[::-1]}),
        lambda: firm.anna.post(f"/api/messages/{ids[7]}/read"),
    )
    assert [answer.status_code for answer in answers] == [204, 204, 204]
    assert firm.anna.get("/api/messages").json() == []
    with platform.database.read(SYSTEM) as session:
        assert None not in set(session.scalars(select(Message.read_at)))
