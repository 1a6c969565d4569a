"""The initial installation of every simulated world: migrated, with two companies and their people.

It is made once for many worlds, through the web API, and copied for each, independently of the seed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from stempelwerk_tools.simulation.administrator import Administrator, Employee
from stempelwerk_tools.simulation.machines import internals
from stempelwerk_tools.simulation.machines.loop import simulated_loop
from stempelwerk_tools.simulation.machines.machine import ServiceIds, TrueTime
from stempelwerk_tools.simulation.machines.service import SimulatedService

FOUNDED = datetime(2026, 1, 5, 8, tzinfo=UTC)
WORKERS_A = tuple(f"04A1000000{number:02X}80" for number in range(8))
WORKERS_B = tuple(f"04B1000000{number:02X}80" for number in range(2))
CARETAKERS_A = tuple(f"04A2000000{number:02X}80" for number in range(12))
CARETAKERS_B = tuple(f"04B2000000{number:02X}80" for number in range(12))
"""Tags of company B's caretakers. They tap only after healing, so that their taps cannot disturb a plan."""


@dataclass(frozen=True)
class Template:
    """A database with two companies and their employees. The first company is A."""

    database: Path
    companies: tuple[str, str]
    employees: dict[str, Employee]


def make_template(folder: Path) -> Template:
    """Furnishes an installation in an empty folder."""
    rng = random.Random(0)
    with internals.patched(internals.UNTIRED), simulated_loop() as loop:
        true_time = TrueTime(FOUNDED, loop)
        service = SimulatedService(folder, true_time, ServiceIds(true_time, rng), create_app)
        database = Database(f"sqlite:///{service.database}")
        schema.migrate(database)
        database.dispose()
        office = Administrator(service)

        async def furnish() -> None:
            await service.start()
            await office.furnish(
                {"Tischlerei": [*WORKERS_A, *CARETAKERS_A], "Schlosserei": [*WORKERS_B, *CARETAKERS_B]}
            )
            await service.kill()

        loop.run_until_complete(furnish())
    target = folder / "template.db"
    service.backup(target)
    first, second = office.companies
    return Template(target, (first, second), office.employees)
