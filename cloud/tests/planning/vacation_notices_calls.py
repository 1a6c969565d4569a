"""The calls of the room `vacation_notices`, for the matrix."""

from datetime import date

from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.dated import Change
from stempelwerk_cloud.people.directory.companies import set_setting_from

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene

NOTICES = "/api/companies/{companyId}/vacation-notices"

SAMPLES = Samples(
    who={f"GET {NOTICES}": "company with absences", f"POST {NOTICES}": "company with absences"},
    bodies={f"POST {NOTICES}": lambda scene, _: {"year": 2026, "userIds": [scene.once(_somebody_with_days)]}},
    tells={f"POST {NOTICES}": {"messages_update"}},
)


def _somebody_with_days(scene: Scene) -> str:
    firm, platform = scene.firm, scene.world.platform
    with platform.database.write(SYSTEM) as session:
        for name, value in (("vacation_uniform_halves", "60"), ("vacation_carry_until", '"03-31"')):
            set_setting_from(session, firm.id, Change(name, date.min, value), platform.clock.now(), None)
    return firm.anna.id
