"""The endpoint for importing people from a table."""

from datetime import date
from typing import Annotated, Any

from fastapi import Depends, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from stempelwerk_cloud.kit.files import sheets
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import Wire
from stempelwerk_cloud.kit.http.uploads import ROOM_FOR_FORM, uploaded_file
from stempelwerk_cloud.kit.limits.fair_semaphore import page_shares
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.access.guards import of_company_with
from stempelwerk_cloud.people.directory.callers import Caller, Role, admitted_caller, life_of
from stempelwerk_cloud.people.work import Trying
from stempelwerk_cloud.planning.importing import service
from stempelwerk_cloud.planning.importing.service import Table


class ImportedRow(Wire):
    """A line with its number in the table (that of the head is 1), the username as it was typed, and its errors.

    The other fields are the person's values; null for those that could not be read.
    """

    line: int
    username: str
    errors: list[str]
    tag_id: str | None = None
    role: Role | None = None
    personnel_number: str | None = None
    department: str | None = None
    entry_date: date | None = None
    weekly_target_minutes: int | None = None


class CreatedUser(Wire):
    """A new person. `password`: the generated one, unless the table had a password; it is returned only in this answer.

    It only permits choosing another password, within 14 days.
    """

    user_id: str
    username: str
    password: str | None


class Imported(Wire):
    """The result of an import: its lines, and the new people; on a dry run there are no new people."""

    rows: list[ImportedRow]
    created: list[CreatedUser]


router = room_router("users")

UPLOAD = "/api/companies/{id}/users/import"
UPLOAD_BYTES = sheets.MOST_BYTES + ROOM_FOR_FORM

_FORM: dict[str, Any] = {
    "required": True,
    "content": {
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "required": ["file"],
                "properties": {
                    "file": {"type": "string", "format": "binary", "description": "CSV or XLSX, at most 2 MB."}
                },
            }
        }
    },
}
DryRun = Annotated[bool, Query(alias="dryRun")]


async def _uploaded(request: Request, platform: PlatformDep, dry_run: DryRun = False) -> Table:
    life = life_of(request)
    life.refusal_members = {"rows": [], "created": []}  # every refusal from here on contains them
    life.is_answer_sealed = True
    content = await uploaded_file(request, "file", sheets.MOST_BYTES, sheets.too_large())
    return await service.read(platform, life.scope, admitted_caller(request), content, dry_run=dry_run)


@router.post(
    UPLOAD,
    status_code=201,
    responses={200: {"model": Imported, "description": "A dry run that found nothing wrong"}},
    openapi_extra={"requestBody": _FORM},
)
async def import_users(
    caller: Annotated[Caller, Depends(of_company_with("manage_employees").at_most("30/minute"))],
    table: Annotated[Table, Depends(_uploaded)],
    work: Trying,
    response: Response,
    dry_run: DryRun = False,
) -> Imported:
    """Creates all people of a table, or nobody: 422 with the errors of each line in `rows`.

    The head has, in any order, `username`, `tagId`, and optionally `role`, `personnelNumber`, `department`,
    `entryDate`, `weeklyTargetMinutes` (or `Wochenstunden`), `password`; German words work as well. At most 2,000 lines
    and 64 columns.
    """
    async with work.platform.page_turns.slot(*page_shares(caller.company_id, caller.user_id)):
        created = await run_in_threadpool(service.run, work, table, dry_run=dry_run)
    if dry_run:
        response.status_code = 200
    return Imported(
        rows=[ImportedRow.model_validate(service.line_row(line, [])) for line in table.lines],
        created=[CreatedUser.model_validate(person) for person in created],
    )
