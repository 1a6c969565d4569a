"""The composition root: the module that assembles the application from its rooms.

It creates the platform, includes every room's router, and connects the ports between rooms that may not import each
other (`Room.ports`). It holds no business rules.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, cast

import anyio
from fastapi import FastAPI
from fastapi.routing import APIRoute
from sqlalchemy import MetaData
from starlette.types import ASGIApp

from stempelwerk_cloud import jobs
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.device_api import room as device_api
from stempelwerk_cloud.fleet.alarms import room as alarms
from stempelwerk_cloud.fleet.device_logs import room as device_logs
from stempelwerk_cloud.fleet.devices import room as devices
from stempelwerk_cloud.fleet.rollouts import room as rollouts
from stempelwerk_cloud.fleet.support import room as support
from stempelwerk_cloud.fleet.updates import room as updates
from stempelwerk_cloud.kit import dated, outbox
from stempelwerk_cloud.kit.clock import Clock, Ids, SystemClock, SystemIds
from stempelwerk_cloud.kit.database.columns import Base
from stempelwerk_cloud.kit.database.postgres import conninfo_of
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.files import tables as files  # noqa: F401
from stempelwerk_cloud.kit.http import error_handlers, idempotency, problems, routing
from stempelwerk_cloud.kit.http.addresses import Forwarded
from stempelwerk_cloud.kit.http.idempotency import StoredAnswer
from stempelwerk_cloud.kit.http.requests import STRANGERS_LIMIT, Requests
from stempelwerk_cloud.kit.http.routing import is_for_strangers, module_of, who_of
from stempelwerk_cloud.kit.http.web import WebApp
from stempelwerk_cloud.kit.limits.fair_semaphore import FairLimiter, page_limiter
from stempelwerk_cloud.kit.limits.rates import LONGEST_WINDOW, Rates, RateWindow
from stempelwerk_cloud.kit.live.hub import STREAMS, Live
from stempelwerk_cloud.kit.live.relay import PostgresRelay
from stempelwerk_cloud.kit.mail import mailer_of
from stempelwerk_cloud.kit.operations import faults, health, process
from stempelwerk_cloud.kit.operations.metrics import Metrics
from stempelwerk_cloud.kit.outbox import queue
from stempelwerk_cloud.kit.outbox.tables import OutboxRow
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.room import Job, Period, RetentionRule, Room
from stempelwerk_cloud.kit.security import vault
from stempelwerk_cloud.kit.security.vault import Vault
from stempelwerk_cloud.office.attendance import room as attendance
from stempelwerk_cloud.office.closing import room as closing
from stempelwerk_cloud.office.costs import room as costs
from stempelwerk_cloud.office.data_view import room as data_view
from stempelwerk_cloud.office.exports import room as exports
from stempelwerk_cloud.office.monthly_mail import room as monthly_mail
from stempelwerk_cloud.office.privacy import room as privacy
from stempelwerk_cloud.office.records import room as records
from stempelwerk_cloud.office.statement import room as statement
from stempelwerk_cloud.office.time_account import room as time_account
from stempelwerk_cloud.office.today import room as today
from stempelwerk_cloud.people.access import room as access
from stempelwerk_cloud.people.access_log import room as access_log
from stempelwerk_cloud.people.audit import service as audit
from stempelwerk_cloud.people.audit_log import room as audit_log
from stempelwerk_cloud.people.companies import room as companies
from stempelwerk_cloud.people.credentials import room as credentials
from stempelwerk_cloud.people.directory import room as directory
from stempelwerk_cloud.people.employment import room as employment
from stempelwerk_cloud.people.inquiries import room as inquiries
from stempelwerk_cloud.people.login import room as login
from stempelwerk_cloud.people.messages import room as messages
from stempelwerk_cloud.people.notices import room as notices
from stempelwerk_cloud.people.operator_log import room as operator_log
from stempelwerk_cloud.people.site import room as site
from stempelwerk_cloud.people.site import service as site_service
from stempelwerk_cloud.people.users import room as users
from stempelwerk_cloud.people.work import describe_dry_runs
from stempelwerk_cloud.planning.absences import room as absences
from stempelwerk_cloud.planning.bookings import room as bookings
from stempelwerk_cloud.planning.calendar import room as calendar
from stempelwerk_cloud.planning.closures import room as closures
from stempelwerk_cloud.planning.free_days import room as free_days
from stempelwerk_cloud.planning.hand_overs import room as hand_overs
from stempelwerk_cloud.planning.hours import room as hours
from stempelwerk_cloud.planning.importing import room as importing
from stempelwerk_cloud.planning.missing import room as missing
from stempelwerk_cloud.planning.schedule import room as schedule
from stempelwerk_cloud.planning.vacation import room as vacation
from stempelwerk_cloud.planning.vacation_notices import room as vacation_notices
from stempelwerk_cloud.timekeeping.corrections import room as corrections
from stempelwerk_cloud.timekeeping.ledger import room as ledger
from stempelwerk_cloud.timekeeping.times import room as times

KIT = Room(
    "kit",
    health.router,
    retention_rules=(
        RetentionRule(
            StoredAnswer.created_at,
            idempotency.ANSWER_RETENTION,
            period=Period("keptAnswers", "Antworten auf wiederholbare Anfragen"),
        ),
        RetentionRule(RateWindow.expires_at, granted=2 * LONGEST_WINDOW, interval=timedelta(minutes=10), capped=True),
        RetentionRule(
            OutboxRow.failed_at, queue.FAILED_RETENTION, period=Period("failedMails", "Nicht zustellbare Hinweise")
        ),
    ),
    jobs=(Job("outbox_ahead", timedelta(minutes=10), queue.pull_in),),
    gauges={"outbox_waiting": outbox.waiting, "outbox_failed": outbox.failed, "faults": faults.count},
    loop=outbox.run,
    files=(vault.KEY_FILE,),
    keys={vault.KEY_FILE: vault.identify},
)

ROOMS = (
    device_api.ROOM,
    KIT,
    directory.ROOM,
    access.ROOM,
    login.ROOM,
    credentials.ROOM,
    companies.ROOM,
    users.ROOM,
    audit_log.ROOM,
    access_log.ROOM,
    operator_log.ROOM,
    device_logs.ROOM,
    devices.ROOM,
    alarms.ROOM,
    rollouts.ROOM,
    support.ROOM,
    updates.ROOM,
    times.ROOM,
    ledger.ROOM,
    employment.ROOM,
    messages.ROOM,
    notices.ROOM,
    site.ROOM,
    inquiries.ROOM,
    corrections.ROOM,
    bookings.ROOM,
    hours.ROOM,
    importing.ROOM,
    free_days.ROOM,
    vacation.ROOM,
    closures.ROOM,
    vacation_notices.ROOM,
    absences.ROOM,
    schedule.ROOM,
    hand_overs.ROOM,
    missing.ROOM,
    calendar.ROOM,
    time_account.ROOM,
    exports.ROOM,
    statement.ROOM,
    monthly_mail.ROOM,
    attendance.ROOM,
    costs.ROOM,
    data_view.ROOM,
    today.ROOM,
    privacy.ROOM,
    records.ROOM,
    closing.ROOM,
)
"""Every room, the clocks' calls first: they are the most frequent."""

KEEPS = tuple(keep for room in ROOMS for keep in room.retention_rules)
"""The retention rules of all rooms."""

JOBS = (
    *(job for room in ROOMS for job in room.jobs),
    *(records.purge_job(keep) if keep.is_audited else keep.job for keep in KEEPS),
)
"""All scheduled jobs."""

SETTINGS = dated.declared(setting for room in ROOMS for setting in room.settings)
"""The settings of a company, dated. An invalid declaration ends the program here."""

CALLS = {
    room.name: [*room.calls, *(room.settings_router(SETTINGS).routes if room.settings_router else ())] for room in ROOMS
}
"""The API routes of each room, by the room's name."""

TOO_LARGE = {path: problem for room in ROOMS for path, problem in room.refused_for_size.items()}
"""The room's own refusal of a body that is too large, by path; all other calls answer `problems.too_large`."""

BODY_LIMITS = {
    **{
        route.path: STRANGERS_LIMIT
        for calls in CALLS.values()
        for route in calls
        if isinstance(route, APIRoute) and is_for_strangers(route.dependant)
    },
    **{path: max_bytes for room in ROOMS for path, max_bytes in room.body_limits.items()},
}
"""The largest body in bytes, by path, for calls whose limit is not the default of `requests.JSON_LIMIT`."""

STREAMED_BODIES = {path: max_bytes for room in ROOMS for path, max_bytes in room.streamed_bodies.items()}
"""The largest body in bytes, by path, of calls that stream the body to disk instead of reading it into memory."""

FILES = frozenset(file for room in ROOMS for file in room.files)
"""Names of the service's files in the data folder, except those of an embedded database. A name that ends in `/` is a
folder of files.
"""


KEYS = {name: identify for room in ROOMS for name, identify in room.keys.items()}
"""The key files in the data folder, by name, each with the function that returns the key's identity."""


class Service(FastAPI):
    """The FastAPI application, wrapped in two ASGI layers outside of FastAPI's own: `Forwarded` and `Requests`."""

    def build_middleware_stack(self) -> ASGIApp:
        platform: Platform = self.state.platform
        inner = Requests(super().build_middleware_stack(), platform, TOO_LARGE, BODY_LIMITS, STREAMED_BODIES)
        return Forwarded(inner, platform.settings.trusted_proxies)

    def openapi(self) -> dict[str, Any]:
        """Returns the OpenAPI document. Each call has `x-who` (its allowed callers), `x-module` (if it belongs to a
        module), and the problem document as its default response.
        """
        if self.openapi_schema is None:
            described = super().openapi()
            problems.describe(described)
            routing.describe(described)
            describe_dry_runs(described)
            for path, method, audience in declarations(self):
                described["paths"][path][method.lower()]["x-who"] = audience
            for path, method, module in modules(self):
                described["paths"][path][method.lower()]["x-module"] = module
        return cast("dict[str, Any]", self.openapi_schema)


def create_app(
    settings: Settings | None = None,
    *,
    clock: Clock | None = None,
    ids: Ids | None = None,
    database: Database | None = None,
) -> Service:
    """Returns the service as an ASGI application. Its lifespan owns the background work and closes the database."""
    platform = build_platform(settings, clock=clock, ids=ids, database=database)
    app = Service(
        title="Stempelwerk",
        lifespan=_lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,  # a redirect would name any host that the request named
        telemetry={"tracing": False, "metrics": False, "logs": False},  # requests go to our log only
    )
    app.state.platform = platform
    error_handlers.install(app)
    for calls in CALLS.values():
        # The routes themselves, not `include_router`: rooms declare whole paths, and matching takes one pass.
        app.router.routes.extend(calls)
    app.router.default = WebApp(
        platform.settings.web_dir,
        lambda request: site_service.filling_for(platform.settings, request, platform.clock.now()),
    )
    return app


def build_platform(
    settings: Settings | None = None,
    *,
    clock: Clock | None = None,
    ids: Ids | None = None,
    database: Database | None = None,
) -> Platform:
    """Builds the services that the rooms share, and registers every room with them.

    Arguments replace the defaults; without `database` it opens the one that the settings name. The caller must dispose
    of `platform.database`.
    """
    settings = settings or Settings()
    clock, ids = clock or SystemClock(), ids or SystemIds()
    database = database or Database(settings.database_url, pool_size=settings.database_pool)
    platform = Platform(
        settings=settings,
        database=database,
        clock=clock,
        ids=ids,
        live=Live(ids, most=process.half_of_files(at_most=STREAMS)),
        page_turns=page_limiter(settings.database_pool),
        heavy_turns=FairLimiter(settings.heavy_calls),
        rates=Rates(database=database),
        metrics=Metrics(),
        vault=Vault(settings.data_dir),
        mailer=mailer_of(settings, clock, ids),
    )
    platform.metrics.streams.set_function(lambda: platform.live.listeners)
    for room in ROOMS:
        _move_in(platform, room)
    return platform


def _move_in(platform: Platform, room: Room) -> None:
    for signal, handler in room.subscriptions.items():
        platform.signals.on(signal, handler)
    for connect_port in room.ports:
        connect_port(platform)
    for kind, resolver in room.audit_names.items():
        audit.register_resolver(platform, kind, resolver)
    if room.hears is not None:
        platform.hears.append(room.hears)
    platform.outbox.declare(room.tasks)
    platform.keys |= room.keys
    platform.message_types |= {message.name: message for message in room.messages}
    platform.periods |= {
        rule.period.line: rule.granted or rule.life for rule in room.retention_rules if rule.period is not None
    }


def relay_of(platform: Platform) -> PostgresRelay | None:
    """Returns the relay that carries live events to the installation's other processes; None for an embedded database.

    The caller must start it, and stop it after the last event.
    """
    if platform.database.dialect != "postgresql":
        return None
    relay = PostgresRelay(conninfo_of(platform.database.engine.url), platform.live, platform.ids.new())
    platform.live.relay = relay
    return relay


def metadata() -> MetaData:
    """Returns the tables of all rooms."""
    return Base.metadata


def declarations(app: FastAPI) -> list[tuple[str, str, str | None]]:
    """Returns (path, method, who) of every API call. `who` names the allowed callers; None unless exactly one guard is
    declared.
    """
    declared = []
    for route in app.routes:
        if isinstance(route, APIRoute):
            audiences = who_of(route.dependant)
            declared += [
                (route.path, method, audiences[0] if len(audiences) == 1 else None) for method in route.methods or ()
            ]
    return declared


def modules(app: FastAPI) -> list[tuple[str, str, str]]:
    """Returns (path, method, module) of every API call that belongs to a module of the product."""
    routes = [route for route in app.routes if isinstance(route, APIRoute)]
    module_routes = [(route, module) for route in routes if (module := module_of(route.dependant)) is not None]
    return [(route.path, method, module) for route, module in module_routes for method in route.methods or ()]


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    platform: Platform = app.state.platform
    relay = relay_of(platform)
    if relay is not None:
        await asyncio.to_thread(relay.start)
    try:
        async with anyio.create_task_group() as rounds:
            rounds.start_soon(jobs.run, platform, ROOMS, JOBS)
            yield
            platform.subprocesses.end()  # jobs wait for their child processes, so these end first
            rounds.cancel_scope.cancel()
    finally:
        platform.live.close()
        if relay is not None:
            await asyncio.to_thread(relay.stop)
        for room in ROOMS:
            if room.at_end is not None:
                await asyncio.to_thread(room.at_end, platform)
        platform.database.dispose()
