"""Calls about alarms: a company's administrators see their own, system administrators all."""

from typing import Annotated

from fastapi import Depends, Query

from stempelwerk_cloud.fleet.alarms import service
from stempelwerk_cloud.fleet.alarms.schemas import AlarmRow, AlarmSettingsBody, AlarmSettingsChange
from stempelwerk_cloud.kit.http.paging import PagingDep
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import PathId
from stempelwerk_cloud.people.access.guards import administrators_with, own_company_with
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.work import Reading, Writing

router = room_router("alarms")

Own = Annotated[Caller, Depends(own_company_with(service.MODULE))]
"""Administrators who may manage devices, about their company; of a system administrator some calls speak of all."""
Manager = Annotated[Caller, Depends(administrators_with(service.MODULE))]
"""Administrators who may manage devices; the service looks whose the alarm is."""


@router.get("/api/alarms")
def alarms(
    _: Own, work: Reading, paging: PagingDep, is_open: Annotated[bool, Query(alias="open")] = False
) -> list[AlarmRow]:
    """The company's alarms, of a system administrator everybody's, newest first; `open`: those that go on."""
    return service.rows(work, paging.cut(service.page(work, paging.wanted, is_open=is_open)))


@router.post("/api/alarms/{id}/acknowledge")
def acknowledge(_: Manager, work: Writing, alarm_id: PathId) -> AlarmRow:
    """Says that somebody sees to it; whoever says so first stays."""
    return service.rows(work, [service.acknowledge(work, alarm_id)])[0]


@router.get("/api/alarm-settings")
def alarm_settings(caller: Own, work: Reading) -> AlarmSettingsBody:
    """Of the caller's own company; the operator's: what system administrators are mailed of all companies."""
    return service.settings_body(work, caller.company_id)


@router.put("/api/alarm-settings")
def change_alarm_settings(caller: Own, work: Writing, body: AlarmSettingsChange) -> AlarmSettingsBody:
    """422 for half a span of quiet hours, or an empty one."""
    return service.change_settings(work, caller.company_id, body)
