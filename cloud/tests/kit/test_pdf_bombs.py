"""A document that costs more than it shows ends with its reason, and soon; one that only looks odd is drawn."""

import signal
from collections.abc import Iterator

import pytest
from stempelwerk_cloud.kit.files import checking
from stempelwerk_cloud.kit.files.rewriting.jobs import MOST_OUT, job_of
from stempelwerk_cloud.kit.files.rewriting.refused import Reason
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.subprocesses.pool import SubprocessPool

from cloud.tests.kit.pdf_bombs import REFUSED, SLOW, TAKEN
from cloud.tests.planning.farm import farm

RUN = checking.run
POOL = SubprocessPool()


@pytest.fixture(scope="module", autouse=True)
def forked() -> Iterator[None]:
    with farm() as child, pytest.MonkeyPatch.context() as patch:
        patch.setattr(checking, "run", lambda _pool, content, kind: child.look(content, kind))
        yield


def reason_for(content: bytes) -> str | None:
    """Returns the code of its refusal; None if it is accepted."""
    try:
        remade = checking.checked(POOL, content)
    except Problem as refused:
        return refused.code
    assert remade.media_type == "application/pdf"
    assert len(remade.content) <= MOST_OUT
    return None


@pytest.mark.parametrize("name", TAKEN)
def test_odd_but_harmless_documents_are_accepted(name: str) -> None:
    assert reason_for(TAKEN[name]()) is None


@pytest.mark.parametrize("name", REFUSED)
def test_invalid_and_excessive_documents_are_refused_with_their_reason(name: str) -> None:
    make, reason = REFUSED[name]
    assert reason_for(make()) == f"file_{reason.value}"


@pytest.mark.prove
@pytest.mark.parametrize("name", SLOW)
def test_an_expensive_document_comes_to_an_end(name: str) -> None:
    make, reason = SLOW[name]
    assert reason_for(make()) == (None if reason is None else f"file_{reason.value}")


def test_a_document_has_little_of_everything() -> None:
    """So the loss is at most a moment and half a gigabyte, whatever the document does."""
    job = job_of("application/pdf")
    assert (job.memory_bytes, job.cpu_seconds, job.seconds) == (512 * 1024 * 1024, 3, 5)


def test_a_process_that_does_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processor time is not wall time: a process that waits uses no CPU."""
    job = job_of("application/pdf")._replace(seconds=0)
    monkeypatch.setattr(checking, "job_of", lambda _: job)
    assert RUN(POOL, b"%PDF-", "application/pdf") == (-signal.SIGKILL, b"")


def test_any_death_by_a_signal_says_that_it_is_too_complex(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (6, 9, 11, 24):
        monkeypatch.setattr(checking, "run", lambda *_, status=-number: (status, b""))
        assert reason_for(b"%PDF-") == f"file_{Reason.TOO_COMPLEX.value}"
