"""The Idempotency-Key of a POST: the same key and body give the same answer for 30 days; the same key with another
request is refused.

The answer is stored in the transaction of its effect, so that both commit or neither.
"""

from datetime import datetime, timedelta
from typing import Protocol

from fastapi import Request, Response
from python_multipart.multipart import parse_options_header
from sqlalchemy import Index, Integer, LargeBinary, String, delete, func, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import PERSON, NotShown, Part, describe_table
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.rows import upsert
from stempelwerk_cloud.kit.http.off_loop import off_loop
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.platform import Platform

ANSWER_RETENTION = timedelta(days=30)
KEY_HEADER = "idempotency-key"
KEY_LIMIT = 200
DAY = timedelta(days=1)
KEYS_A_DAY = 2000
BYTES_A_DAY = 4 * 1024 * 1024
"""The most stored answers of a person in 24 hours, in number and bytes. Planning a roster by hand makes a fraction of
them within a day. The last answer may exceed the bound, so an answer of any size can be stored.
"""


@describe_table(
    NotShown("answers for who repeats a call, wages among them"),
    Part(
        "Antworten auf wiederholte Anfragen",
        PERSON,
        rank=330,
        left_out="enthalten nichts, was nicht auch in den anderen Tabellen steht",
    ),
)
class StoredAnswer(Base):
    """The stored answer to a user's POST with an Idempotency-Key. Purged after 30 days."""

    __tablename__ = "kept_answers"
    __table_args__ = (Index("ix_kept_answers_person", "company_id", "user_id", "created_at"),)

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, primary_key=True)
    key: Mapped[str] = mapped_column(String(KEY_LIMIT), primary_key=True)
    digest: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime] = mapped_column(Instant, index=True)
    status: Mapped[int | None] = mapped_column(Integer)
    media_type: Mapped[str | None] = mapped_column(String(100))
    body: Mapped[bytes | None] = mapped_column(LargeBinary)


class AlreadyAnswered(Exception):
    """Raised by `KeyedAnswer.claim` when the Idempotency-Key was answered before. It ends the transaction and carries
    the first answer.
    """

    def __init__(self, response: Response) -> None:
        super().__init__("answered before")
        self.response = response


def too_many_keys(retry_after_s: int) -> Problem:
    """Returns 429 for a person whose stored answers have reached the day's bound."""
    sentence = (
        "Von dir sind in den letzten 24 Stunden sehr viele Änderungen gekommen; gerade wird keine weitere angenommen. "
        "Gespeichert ist alles, was bestätigt wurde. Versuch es später noch einmal."
    )
    return Problem(429, "too_many_keys", sentence, headers={"Retry-After": str(max(1, retry_after_s))})


class KeyOwner(Protocol):
    """The caller whose key it is: a key belongs to a person."""

    @property
    def company_id(self) -> str: ...

    @property
    def user_id(self) -> str: ...


class KeyedAnswer:
    """The answer to one request with an Idempotency-Key: claims the key, and stores the answer for it."""

    def __init__(self, platform: Platform, key: str, digest: bytes) -> None:
        self._platform = platform
        self._key = key
        self._digest = digest

    def claim(self, session: Session, owner: KeyOwner, *, is_sealed: bool) -> None:
        """Claims the key. Raises AlreadyAnswered if the same request was answered before, 422 if the key belongs to
        another one.

        The claim is a row, so a second request with the same key waits for the first one's commit. `is_sealed`: the
        answer is stored encrypted.
        """
        now = self._platform.clock.now()
        row_key = self._row_key(owner)
        locks.record_row_lock(session, Lock.KEPT_ANSWER, [tuple(row_key.values())])
        session.execute(
            delete(StoredAnswer).filter_by(**row_key).where(StoredAnswer.created_at <= now - ANSWER_RETENTION)
        )
        claim = upsert(session, StoredAnswer).values(**row_key, digest=self._digest, created_at=now)
        if session.execute(claim.on_conflict_do_nothing().returning(StoredAnswer.key)).first() is not None:
            self._ensure_room(session, owner, now)
            return
        stored = session.execute(select(StoredAnswer).filter_by(**row_key)).scalar_one()
        if stored.digest != self._digest:
            raise Problem(422, "idempotency_key_reused", "Der Idempotency-Key gehört zu einer anderen Anfrage.")
        body = stored.body
        if body is not None and is_sealed:
            body = self._platform.vault.decrypt(body).encode()
        raise AlreadyAnswered(Response(body, stored.status or 200, media_type=stored.media_type))

    def store(self, session: Session, owner: KeyOwner, response: Response, *, is_sealed: bool) -> None:
        """Stores the answer in the transaction of its effect."""
        body = bytes(response.body)
        session.execute(
            update(StoredAnswer)
            .filter_by(**self._row_key(owner))
            .values(
                status=response.status_code,
                media_type=response.headers.get("content-type"),
                body=self._platform.vault.encrypt(body.decode()) if is_sealed else body,
            )
        )

    def _ensure_room(self, session: Session, owner: KeyOwner, now: datetime) -> None:
        """Raises 429 if the person's stored answers of the last 24 hours have reached the bound. The claim is rolled
        back.

        A known key never gets here: an accepted call is answered for 30 days.
        """
        recent = select(StoredAnswer.created_at, StoredAnswer.body).filter_by(
            company_id=owner.company_id, user_id=owner.user_id
        )
        recent = recent.where(StoredAnswer.created_at > now - DAY, StoredAnswer.key != self._key)
        rows = recent.subquery()
        totals = select(func.count(), func.sum(func.length(rows.c.body)), func.min(rows.c.created_at))
        count, size, oldest = session.execute(totals.select_from(rows)).one()
        if count >= KEYS_A_DAY or (size or 0) >= BYTES_A_DAY:
            raise too_many_keys(int((oldest + DAY - now).total_seconds()) + 1)

    def _row_key(self, owner: KeyOwner) -> dict[str, str]:
        return {"company_id": owner.company_id, "user_id": owner.user_id, "key": self._key}


async def keyed_answer(request: Request) -> KeyedAnswer:
    """Returns the keyed answer of a request that has a key. Reads the whole body. Raises 422 for an invalid key."""
    key = request.headers[KEY_HEADER]
    if not 0 < len(key) <= KEY_LIMIT:
        raise Problem(422, "idempotency_key", "Der Idempotency-Key ist ungültig.")
    platform: Platform = request.app.state.platform
    body = await request.body()
    return KeyedAnswer(platform, key, await off_loop(len(body), _digest, platform, request, body))


def _digest(platform: Platform, request: Request, body: bytes) -> bytes:
    """Returns a keyed hash of method, path, query and body.

    The boundary between the parts of a form is left out, because a client makes it new for each attempt.
    """
    boundary = parse_options_header(request.headers.get("content-type"))[1].get(b"boundary")
    content = body.replace(boundary, b"") if boundary else body
    # No plain hash: a body may hold a password, which could be guessed from it.
    return platform.vault.fingerprint(f"{request.method} {request.url.path}?{request.url.query}\n".encode() + content)
