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
    """The loop that fetches the people until the snapshot has the last revision that the cloud announced."""

    def __init__(self, session: CloudSession, stores: Stores, surroundings: Surroundings) -> None:
        self._session, self._snapshot = session, stores.people
        self._outbox, self._state, self._membership = stores.outbox, stores.state, stores.membership
        self._time, self._random = surroundings.time, surroundings.random
        self._wanted = asyncio.Event()

    def want(self, revision: str | None) -> None:
        """Records the revision that the cloud has announced; None if its answer had no revision."""
        if not self._snapshot.informed or (revision is not None and revision != self._snapshot.revision):
            self._wanted.set()
        self.want_reflection()

    def want_reflection(self) -> None:
        """Requests a list once all rows from other cards are delivered, if the present list does not reflect some of
        them.

        If the cloud knew such rows already, its revision does not change, and the loop would never fetch a list.
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
        """Makes one request and applies its answer, unless the clock's company changed meanwhile; returns the answer's
        meaning.
        """
        delivered, wipings, revision = self._outbox.delivered(), self._snapshot.wipings, self._snapshot.revision
        path = wire.PEOPLE if revision is None else f"{wire.PEOPLE}?since={quote(revision, safe='')}"
        answer, meaning = await self._session.call("GET", path, wire.read_people)
        if not isinstance(answer, CloudError) and wipings == self._snapshot.wipings:
            today = self._time.now().astimezone(self._membership.current.zone).date()
            self._snapshot.apply(answer, delivered.up_to, today)
            # After a crash before this line, stamps count as not reflected although the list reflects them. That is
            # harmless: they lie before the state in the list.
            self._state.store_unreflected(delivered.waiting)
        return meaning
