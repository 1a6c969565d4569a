"""A service that has just started survives the deliveries of all clocks at once, answers each and stores every stamp.

A decoder that two threads built at first use once crashed the process here, one start in 32.
"""

import json
import os
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url
from stempelwerk_tools.bench.installation import Installation, installation, service
from stempelwerk_tools.bench.sides.load import BadAnswer, run
from stempelwerk_tools.bench.sides.signed_clock import SignedClock
from stempelwerk_tools.postgres import temporary_server

STARTS = int(os.environ.get("STARTS", "200"))
CLOCKS = 24
STAMPS = 20
TAGS_A_CLOCK = 3
PATH = "/api/devices/stamps"


def delivery(clock: SignedClock) -> bytes:
    """Returns a request with new stamps and every member that a batch may have; the epoch before this one was empty."""
    taps = [clock.next_tap() for _ in range(STAMPS)]
    message = json.loads(clock.batch_of(taps))
    message["previous"] = {"epoch": str(uuid.UUID(bytes=clock.public_key[:16], version=4)), "lastSeq": 0}
    return clock.signed("POST", PATH, json.dumps(message).encode())


def furnish(target: Installation) -> list[SignedClock]:
    first_tap = datetime.now(UTC).replace(microsecond=0) - timedelta(days=1200)
    clocks = []
    for number in range(CLOCKS):
        tags = [f"04B{number:03X}{tag:08X}" for tag in range(TAGS_A_CLOCK)]
        for tag in tags:
            target.hire(f"person-{tag}", tag)
        clocks.append(target.hang_up(SignedClock(target.origin, 100 + number, tags, first_tap), first_tap))
    return clocks


def stored(database_url: str) -> int:
    url = make_url(database_url)
    with psycopg.connect(f"host={url.query['host']} user={url.username} dbname={url.database}") as connection:
        (count,) = connection.execute("SELECT count(*) FROM stamps").fetchone() or (0,)
        return int(count)


@pytest.mark.prove
def test_a_service_survives_the_first_load_of_all_clocks_after_each_of_many_starts(tmp_path: Path) -> None:
    with temporary_server() as server:
        database_url = server.new_database()
        with installation(database_url, tmp_path) as furnished:
            clocks = furnish(furnished)
        deaths, unanswered = [], 0
        for start in range(STARTS):
            with service(database_url, tmp_path, furnished.port) as process:
                requests = [delivery(clock) for clock in clocks]
                try:
                    answers = [answer for (answer,) in run(furnished.port, [[request] for request in requests]).answers]
                except (OSError, BadAnswer):
                    answers = []
                unanswered += sum(answer.status != 200 for answer in answers) + CLOCKS - len(answers)
                if process.poll() is not None:
                    deaths.append((start, process.returncode))
        assert (deaths, unanswered) == ([], 0)
        assert stored(database_url) == STARTS * CLOCKS * STAMPS
