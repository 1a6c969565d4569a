"""Sends people's answers about a missing Gehen to the cloud, which makes correction requests of them.

An answer is sent after the stamp that it is about, and always under the same id. So an answer whose result was lost can
be sent again without harm. A cloud that does not know this call yet is asked again after a day.
"""

import asyncio
from dataclasses import replace

from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.delivery import back_off, pause
from stempelwerk_edge.cloud.session import CloudSession
from stempelwerk_edge.cloud.wire import AnswersTaken
from stempelwerk_edge.errors import CloudError, JournalError, MeantForAnother, NoSuchCall, Refused, TooLarge
from stempelwerk_edge.storage.rows import GoneAnswer
from stempelwerk_edge.storage.stores import Stores
from stempelwerk_edge.surroundings import Surroundings

A_REQUEST = 100
_PAUSE_S = 60.0
_A_DAY_MS = 86_400_000


class AnswersLoop:
    """The loop that sends answers. Looking for answers costs nothing on a clock without questions."""

    def __init__(self, session: CloudSession, stores: Stores, surroundings: Surroundings) -> None:
        self._session, self._answers, self._membership = session, stores.answers, stores.membership
        self._time, self._random, self._report = surroundings.time, surroundings.random, surroundings.report
        self._failures = 0
        self._limit = A_REQUEST
        self._aside: dict[str, int] = {}
        self._unserved: tuple[str | None, int] | None = None  # the server, and until when (boot time in ms)

    async def run(self) -> None:
        """Runs for ever."""
        while True:
            try:
                seconds = await self.step()
            except JournalError:
                seconds = self._back_off()
            await asyncio.sleep(seconds)

    async def step(self) -> float:
        """Sends some answers, if there are any to send; returns the seconds to wait before the next step."""
        # A server that has just taken another's place, or was set back, lacks stamps: it would reject this.
        as_of = self._session.resets
        answers = [] if self._is_unserved() else self._answers.to_send(self._limit, self._set_aside())
        if not answers:
            return _PAUSE_S
        body = wire.encode(wire.answers(answers))
        response, meaning = await self._session.call(
            "POST", wire.ANSWERS, wire.read_answer_results, body, may_be_unknown=True, as_of=as_of
        )
        if isinstance(response, MeantForAnother) or self._session.resets != as_of:
            return 0.0
        if isinstance(response, NoSuchCall):
            self._report("info", "answers_not_served", f"{len(answers)} wait for a newer service", {})
            self._unserved = (self._membership.current.server_id, self._time.boottime_ms() + _A_DAY_MS)
            self._failures = 0
            return _PAUSE_S
        if isinstance(response, TooLarge | Refused):
            self._halve(answers)
            return 0.0 if isinstance(response, TooLarge) else self._back_off()
        if isinstance(response, CloudError):
            self._failures += 1
            return pause(meaning, self._failures, self._random)
        final_results = {answer.id: response.results[answer.id] for answer in answers if answer.id in response.results}
        self._settle(replace(response, results=final_results))
        return 0.0 if final_results else self._back_off()

    def _is_unserved(self) -> bool:
        """Returns whether the current server replied less than a day ago that it does not know this call."""
        if self._unserved is None:
            return False
        server_id, until_ms = self._unserved
        return server_id == self._membership.current.server_id and self._time.boottime_ms() < until_ms

    def _settle(self, response: AnswersTaken) -> None:
        self._answers.settle(response, self._time.now())
        if response.results:
            self._failures, self._limit = 0, min(A_REQUEST, self._limit * 2)
        for result in response.results.values():
            if result.outcome == "rejected":
                self._report("warn", "answer_rejected", result.code or "without a code", {})

    def _halve(self, answers: list[GoneAnswer]) -> None:
        """Reacts to a refused request: the next one has half as many answers; a single refused answer is left out for a
        day.
        """
        if len(answers) > 1:
            self._limit = max(1, len(answers) // 2)
            return
        [answer] = answers
        self._aside[answer.id] = self._time.boottime_ms() + _A_DAY_MS
        self._report("error", "answer_set_aside", "the service refuses it", {"id": answer.id})

    def _set_aside(self) -> set[str]:
        now_ms = self._time.boottime_ms()
        self._aside = {identifier: until_ms for identifier, until_ms in self._aside.items() if until_ms > now_ms}
        return set(self._aside)

    def _back_off(self) -> float:
        self._failures += 1
        return back_off(self._failures, self._random)
