"""Endpoints for a company's months for payroll."""

import math
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager
from typing import Annotated, Any, Literal, ParamSpec, TypeVar, cast

from fastapi import Depends, Path, Query, Response
from pydantic import AfterValidator

from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.files.places import Making
from stempelwerk_cloud.kit.http import downloads
from stempelwerk_cloud.kit.http.paging import PagingDep
from stempelwerk_cloud.kit.http.problems import unavailable
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import DayField, IdField
from stempelwerk_cloud.kit.limits.fair_semaphore import Share
from stempelwerk_cloud.kit.platform import Platform, PlatformDep
from stempelwerk_cloud.kit.subprocesses.subprocess_render import NotDrawn
from stempelwerk_cloud.office.exports import service, words
from stempelwerk_cloud.office.exports.files.formats import FORMATS
from stempelwerk_cloud.office.exports.files.making import Made, make
from stempelwerk_cloud.office.exports.schemas import (
    DifferenceRow,
    ExportRow,
    ExportWish,
    FindingRow,
    Format,
    JobRow,
    LockRow,
    Mapping,
    MappingChange,
)
from stempelwerk_cloud.office.exports.tables import Export
from stempelwerk_cloud.office.exports.tax_audit import inspection
from stempelwerk_cloud.office.time_account import service as time_account
from stempelwerk_cloud.people.access.guards import of_company_with
from stempelwerk_cloud.people.access.identity.streams import session_goes_on
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.work import Reading, Writing

P = ParamSpec("P")
Told = TypeVar("Told")

router = room_router("exports")
_LONGEST_S = 3600
"""A download is stopped after this many seconds, finished or not."""


def _as_files(*types: str) -> dict[int | str, dict[str, Any]]:
    """Returns the OpenAPI responses of an endpoint that returns files of these types."""
    return {200: {"content": {name: {"schema": {"type": "string", "format": "binary"}} for name in types}}}


_FILES = _as_files(*(form.type.media_type.partition(";")[0] for form in FORMATS.values()))

_guard = of_company_with("monthly_mail")
Payroll = Annotated[Caller, Depends(_guard)]
"""Administrators of the company in the path who may export."""
Looking = Annotated[Caller, Depends(_guard.showing("times"))]
"""Payroll administrators who see all people's times."""
Comparing = Annotated[Caller, Depends(_guard.showing("times").in_turn())]
"""Payroll administrators who read whole months, with a concurrency limit."""
Drawing = Annotated[Caller, Depends(_guard.at_most("120/minute").showing("times"))]
"""Payroll administrators who get a file rendered at once, with a rate limit."""
Beginning = Annotated[Caller, Depends(_guard.at_most("30/minute").showing("times"))]
"""Payroll administrators who order a file, with a rate limit."""
ExportId = Annotated[IdField, Path(alias="exportId")]
MonthName = Annotated[str, Query(examples=["2026-11"])]


def _a_month(text: str) -> str:
    """Returns the month of a path (`YYYY-MM`). 422 for an invalid one."""
    time_account.bounds_of(text)
    return text


MonthOfPath = Annotated[str, AfterValidator(_a_month), Path(alias="month", examples=["2026-11"])]


@router.get("/api/companies/{id}/payroll-mapping")
def payroll_mapping(caller: Payroll, work: Reading) -> Mapping:
    """The company's numbers at the tax adviser's, and its wage types."""
    return service.mapping(work.session, caller.subject_company_id)


@router.put("/api/companies/{id}/payroll-mapping")
def change_payroll_mapping(caller: Payroll, work: Writing, body: MappingChange) -> Mapping:
    """Changes the given values, also within the maps. All others stay; null removes a value."""
    return service.change_mapping(work, caller.subject_company_id, body)


@router.get("/api/companies/{id}/months/{month}/lock")
def month_lock(caller: Payroll, work: Reading, month: MonthOfPath) -> LockRow:
    """The month's lock: its time and its author. `lockedAt` is null while the month is open."""
    return service.lock_of(work.session, caller.subject_company_id, month)


@router.put("/api/companies/{id}/months/{month}/lock")
def lock_month(caller: Payroll, work: Writing, month: MonthOfPath) -> LockRow:
    """Locks the current state of the month permanently. 409 before the month has ended."""
    return service.lock(work, caller.subject_company_id, month)


@router.get("/api/companies/{id}/export-check")
def export_check(
    caller: Comparing, platform: PlatformDep, month: MonthName, form: Annotated[Format, Query(alias="format")] = "lodas"
) -> list[FindingRow]:
    """The open points and hints of a file. Only payroll files are blocked by open points."""
    return service.check(platform, caller.subject_company_id, month, form)


@router.get("/api/companies/{id}/export", response_class=Response, responses=_FILES)
async def export(
    caller: Drawing, platform: PlatformDep, month: MonthName, form: Annotated[Format, Query(alias="format")]
) -> Response:
    """The month's file: the same bytes while nothing changes. 409 `export_blocked` with `findings`."""
    company_id = caller.subject_company_id
    drawing = _draw_in_turn(platform, company_id, places.MONTH_FILE, make, platform, company_id, month, form, caller)
    return _file(await drawing)


@router.get("/api/companies/{id}/exports")
def exports(caller: Comparing, platform: PlatformDep, paging: PagingDep) -> list[ExportRow]:
    """The files that were made, newest first. `changed`: the month has changed since."""
    return list(paging.cut(service.list_exports(platform, caller.subject_company_id, paging.page_request)))


@router.post("/api/companies/{id}/exports", status_code=202)
def begin_export(caller: Beginning, work: Writing, body: ExportWish) -> JobRow:
    """Orders a file to be made in the background, also a new one of a locked month. Raises the same errors as the
    export.
    """
    row = service.begin(work, caller.subject_company_id, body.month, body.format)
    return _job(row, row.progress)


@router.get("/api/companies/{id}/exports/{exportId}")
def export_state(caller: Payroll, work: Reading, export_id: ExportId) -> JobRow:
    """Returns the progress of a file."""
    return _job(*service.progress(work.session, caller.subject_company_id, export_id))


@router.get("/api/companies/{id}/exports/{exportId}/file", response_class=Response, responses=_FILES)
def export_file(caller: Looking, work: Reading, export_id: ExportId) -> Response:
    """Returns the stored file. 409 before it is made."""
    return _file(service.file(work.session, caller.subject_company_id, export_id))


@router.get(
    "/api/companies/{id}/exports/{exportId}/difference",
    response_model=list[DifferenceRow],
    responses=_as_files("text/csv"),
)
def export_difference(
    caller: Comparing,
    platform: PlatformDep,
    export_id: ExportId,
    form: Annotated[Literal["json", "csv"], Query(alias="format")] = "json",
) -> list[DifferenceRow] | Response:
    """The differences between the current month and the export.

    As `csv` they are stored as an export, and the next difference counts from it.
    """
    company_id = caller.subject_company_id
    if form == "csv":
        return _file(service.difference_file(platform, company_id, export_id, caller))
    return service.difference(platform, company_id, export_id)


@router.get(
    "/api/companies/{id}/inspection",
    response_class=Response,
    responses=_as_files("application/pdf", "text/csv", downloads.MEDIA_TYPE),
)
async def inspection_file(
    caller: Drawing,
    platform: PlatformDep,
    first: Annotated[DayField, Query(alias="from")],
    last: Annotated[DayField, Query(alias="to")],
    form: Annotated[Literal["pdf", "csv"], Query(alias="format")] = "pdf",
) -> Response:
    """Begin, end and duration of all people's working time, for authorities (§ 16 ArbZG, § 17 MiLoG).

    If one PDF would take long, the answer is a ZIP with one PDF for each person, which is streamed while it is
    rendered. Each administrator can read one at a time.
    """
    if last < first:
        raise words.period_wrong()
    company_id = caller.subject_company_id
    with ExitStack() as permits:
        turn = permits.enter_context(await places.take_own(platform, caller.user_id, "inspection", words.STILL_READ))
        span = (platform, company_id, first, last)
        file = await _draw_in_turn(platform, company_id, places.INSPECTION, inspection.begin, *span, form)
        if isinstance(file, Made):
            return _file(file)
        place = permits.enter_context(await places.take_packer(platform, company_id, "inspection", words.SEVERAL_MADE))
        permits.pop_all()
    pieces = downloads.packed(platform, place, file.packs, _in_turn(platform, company_id, file.steps))
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"'}
    return downloads.Sending(
        platform, turn, pieces, _LONGEST_S, session_goes_on(caller, platform), headers, file.media_type
    )


async def _draw_in_turn(
    platform: Platform, company_id: str, making: Making, work: Callable[P, Told], *args: P.args, **kwargs: P.kwargs
) -> Told:
    """Runs the work in the pool of exports when it is the company's turn. 429; 503 if rendering is impossible now."""
    exports = platform.bulkheads.exports
    with exports.permit(), await places.take_turn(platform, company_id, making, words.busy):
        try:
            return await exports.run(work, *args, **kwargs)
        except NotDrawn:
            raise unavailable() from None


def _in_turn(platform: Platform, company_id: str, steps: Iterator[list[bytes]]) -> downloads.Next[list[bytes]]:
    """Makes each piece when it is the company's turn, however long that takes: other companies may have turns in
    between.
    """

    @asynccontextmanager
    async def make_next() -> AsyncIterator[list[bytes] | None]:
        with await places.take_turn(platform, company_id, places.INSPECTION, words.busy, patience_s=math.inf):
            frames = await platform.bulkheads.exports.run(next, steps, None)
            async with platform.packing.turns.slot(Share(company_id)):
                yield frames

    return make_next


def _file(made_file: Made) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{made_file.name}"', "Cache-Control": "no-store"}
    return Response(made_file.content, media_type=made_file.media_type, headers=headers)


def _job(row: Export, progress: str) -> JobRow:
    return JobRow(
        id=row.id,
        state=cast(Any, progress),
        done=row.done,
        of=row.total,
        month=row.month,
        format=row.format,
        sha256=None if row.digest is None else row.digest.hex(),
    )
