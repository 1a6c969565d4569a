"""Fetches the people when the heartbeat announces a change of them."""

import asyncio
from contextlib import suppress
from urllib.parse import quote

from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.delivery import Meaning, Then, back_off, pause
from stempelwerk_edge.cloud.session import CloudSession
from stempelwerk_edge.errors import CloudError, JournalError
from stempelwerk_edge.storage.stores import Stores
from stempelwerk_edge.surroundings import Surroundings


class PeopleLoop:
    """Keeps the snapshot as new as the revision that was last heard of."""

    def __init__(self, session: CloudSession, stores: Stores, surroundings: Surroundings) -> None:
        self._session, self._snapshot = session, stores.people
        self._outbox, self._state, self._membership = stores.outbox, stores.state, stores.membership
        self._time, self._random = surroundings.time, surroundings.random
        self._wanted = asyncio.Event()

    def want(self, revision: str | None) -> None:
        """Notes the cloud's revision (None: the answer has no revision)."""
        if not self._snapshot.informed or (revision is not None and revision != self._snapshot.revision):
            self._wanted.set()
        self.want_reflection()

    def want_reflection(self) -> None:
        """Wants a list when all rows from other cards are delivered and the list does not reflect some of them.

        The cloud knew such rows already if its revision has not changed, so no other reason for a list would come.
        """
        with suppress(JournalError):  # the next heartbeat asks again
            if self._state.unreflected() and not self._outbox.delivered().waiting:
                self._wanted.set()

    async def run(self) -> None:
        """Runs for ever."""
        failures = 0
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            if self._membership.current.assignment is None:
                continue
            failures += 1
            try:
                meaning = await self._fetch()
                if meaning.then is Then.GO_ON:
                    failures = 0
                    continue
                seconds = pause(meaning, failures, self._random)
            except JournalError:
                seconds = back_off(failures, self._random)
            await asyncio.sleep(seconds)
            self._wanted.set()

    async def _fetch(self) -> Meaning:
        """Makes one request. Its answer counts only if the clock still belongs to the company that it was asked for."""
        delivered, wipings, revision = self._outbox.delivered(), self._snapshot.wipings, self._snapshot.revision
        path = wire.PEOPLE if revision is None else f"{wire.PEOPLE}?since={quote(revision, safe='')}"
        answer, meaning = await self._session.call("GET", path, wire.read_people)
        if not isinstance(answer, CloudError) and wipings == self._snapshot.wipings:
            today = self._time.now().astimezone(self._membership.current.zone).date()
            self._snapshot.apply(answer, delivered.up_to, today)
            # A crash before this line counts stamps that the list reflects: they lie before the state in the list.
            self._state.store_unreflected(delivered.waiting)
        return meaning
