"""Every reading call is measured, or the benchmark names the one it cannot make."""

import re
from typing import Any

import pytest
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_tools.bench.crowd import Crowd
from stempelwerk_tools.bench.measures import beside, size
from stempelwerk_tools.bench.measures import readings as module
from stempelwerk_tools.bench.measures.readings import OF_EMPLOYEES, SENT, readings, requests_of, target
from stempelwerk_tools.bench.sides.load import Answer, Run, retry_after_s
from stempelwerk_tools.bench.sides.side import Void

_SCHEDULE = "/api/companies/{companyId}/schedule"


class Signer:
    """A clock that signs."""

    def signed(self, method: str, path: str, body: bytes) -> bytes:
        return f"{method} {path} signed".encode()


@pytest.fixture
def people() -> Crowd:
    return Crowd("company-1", "user-1", "device-1", "absence-1", [Signer()], [], ["a", "b"])  # type: ignore[list-item]


def _described(path: str, *parameters: dict[str, Any], audience: str = "companyAdmin") -> dict[str, Any]:
    return {"paths": {path: {"get": {"parameters": list(parameters), "x-who": audience}, "post": {}}}}


def test_every_call_of_the_api_that_reads_can_be_made(people: Crowd, tmp_path: Any) -> None:
    app = create_app(Settings(database_url=f"sqlite:///{tmp_path / 'a.db'}", data_dir=tmp_path))
    calls = readings(app.openapi())
    assert {"/api/devices", "/api/companies/{id}/review", "/api/users/{userId}/times"} <= {call.path for call in calls}
    assert all("{" not in target(call, people) for call in calls)
    assert {"/api/events", "/api/users/{userId}/times/stream"} <= {call.path for call in calls if call.is_stream}


def test_a_path_is_filled_by_the_thing_before_its_parameter(people: Crowd) -> None:
    (reading,) = readings(_described("/api/companies/{id}/users/{userId}/things"))
    assert target(reading, people) == "/api/companies/company-1/users/user-1/things"


def test_required_parameters_of_the_query_are_filled_by_name_and_optional_ones_omitted(people: Crowd) -> None:
    parameters = [{"name": "month", "in": "query", "required": True}, {"name": "before", "in": "query"}]
    (reading,) = readings(_described("/api/companies/{id}/things", *parameters))
    assert target(reading, people).startswith("/api/companies/company-1/things?month=20")
    assert "before" not in target(reading, people)


@pytest.mark.parametrize(
    ("path", "parameters", "missing"),
    [
        ("/api/unheard/{id}", [], "unheard/{id}"),
        ("/api/{id}", [], "{id}"),
        ("/api/companies", [{"name": "unheard", "in": "query", "required": True}], "unheard"),
    ],
)
def test_a_call_that_cannot_be_filled_is_void_by_its_name(
    people: Crowd, path: str, parameters: list[dict[str, Any]], missing: str
) -> None:
    (reading,) = readings(_described(path, *parameters))
    with pytest.raises(Void, match=f"GET {path}.*{missing}"):
        target(reading, people)


def test_every_call_with_optional_parameters_has_the_queries_of_pages() -> None:
    description = create_app().openapi()
    reading = {
        path: calls["get"].get("parameters", ()) for path, calls in description["paths"].items() if "get" in calls
    }
    optional = {
        path
        for path, parameters in reading.items()
        for parameter in parameters
        if parameter["in"] == "query" and not parameter.get("required")
    }
    assert SENT.keys() == optional
    assert OF_EMPLOYEES.keys() <= optional
    calls = {call.call for call in readings(description)}
    assert {call for page in beside.PAGES.values() for call in page} <= calls
    assert set(beside.OTHERS) <= calls


def test_each_query_of_pages_is_a_call_of_its_own_with_its_days_filled_in(people: Crowd) -> None:
    calls = readings({"paths": {"/api/companies/{companyId}/schedule": create_app().openapi()["paths"][_SCHEDULE]}})
    assert [call.query for call in calls] == [*SENT[_SCHEDULE], OF_EMPLOYEES[_SCHEDULE]]
    assert all(
        re.search(r"schedule\?from=20\d\d-\d\d-\d\d&to=20\d\d-\d\d-\d\d", target(call, people)) for call in calls
    )
    assert [[b"Bearer a" in sent for sent in requests_of(call, people)] for call in calls[-2:]] == [
        [True, False],
        [False],
    ]


def test_a_parameter_that_a_call_does_not_take_is_void_by_its_name(people: Crowd) -> None:
    (reading,) = readings(_described("/api/messages"))
    with pytest.raises(Void, match=r"GET /api/messages.*limit"):
        target(reading, people)


def test_a_clocks_call_is_signed_and_any_other_is_tried_by_everybody(people: Crowd) -> None:
    (signed,) = readings(_described("/api/devices/people", audience="device"))
    assert requests_of(signed, people) == [b"GET /api/devices/people signed"]
    (companies_reading,) = readings(_described("/api/companies"))
    assert [b"Bearer a" in request or b"Bearer b" in request for request in requests_of(companies_reading, people)] == [
        True,
        True,
    ]


@pytest.fixture
def served(mocker: Any) -> Any:
    """Answers these statuses, one after the other, and records how long the caller has slept, which is all that takes
    time.
    """
    waited: list[float] = []

    def laid(*statuses: int, again_s: int = 7) -> list[float]:
        remaining_statuses = iter(statuses)

        def run(_port: int, _requests: list[list[bytes]]) -> Run:
            status = next(remaining_statuses)
            return Run([[Answer(status, b"", 0.01, again_s if status == 429 else 0)]], 0.01)

        mocker.patch.object(module, "run", run)
        mocker.patch.object(module.time, "sleep", waited.append)
        mocker.patch.object(size.time, "monotonic", side_effect=lambda: sum(waited))
        return waited

    return laid


def test_a_rate_limited_call_is_repeated_and_the_wait_is_not_measured(served: Any) -> None:
    waited = served(429, 429, 200)
    (reading,) = readings(_described("/api/companies"))
    answer = module.ask(reading, 1, b"")
    assert (answer.status, answer.seconds, waited) == (200, 0.01, [7, 7])


def test_a_refusal_that_names_no_time_is_an_answer(served: Any) -> None:
    waited = served(429, again_s=0)
    (reading,) = readings(_described("/api/companies"))
    assert module.ask(reading, 1, b"").status == 429
    assert waited == []


def test_a_call_that_is_allowed_a_few_times_a_minute_is_measured_a_few_times(served: Any) -> None:
    waited = served(200, 200, 429, 200, 200, 200, 200, again_s=61)
    (reading,) = readings(_described("/api/companies"))
    assert [answer.status for answer in size._answers(reading, 1, [b""] * 60)] == [200] * 5
    assert waited == [61]


def test_after_a_few_answers_no_call_waits_longer_than_the_time_left(served: Any) -> None:
    waited = served(*[200] * 6, 429, again_s=61)
    (reading,) = readings(_described("/api/companies"))
    assert [answer.status for answer in size._answers(reading, 1, [b""] * 60)] == [200] * 6
    assert waited == []


@pytest.mark.parametrize(("head", "seconds"), [("Retry-After: 31", 31), ("retry-after: 2", 2), ("Server: a", 0)])
def test_the_head_has_the_time_of_the_next_try(head: str, seconds: int) -> None:
    assert retry_after_s(f"HTTP/1.1 429 Too Many\r\n{head}\r\n\r\nRetry-After: 5".encode()) == seconds
