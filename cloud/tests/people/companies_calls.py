"""The calls of the room `companies`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(
    who={
        "GET /api/companies": "admin",
        "POST /api/companies": "admin",
        "GET /api/companies/{id}": "member",
        "DELETE /api/companies/{id}": "admin",
        "GET /api/features": "admin",
        "GET /api/companies/{id}/features": "member",
        "PUT /api/companies/{id}/features": "admin",
        "GET /api/companies/{id}/settings": "company",
        "PUT /api/companies/{id}/settings": "company",
    },
    bodies={
        "POST /api/companies": lambda scene, _: {"name": f"Neue Firma {scene.town.number()}"},
        "PUT /api/companies/{id}/features": lambda _scene, _: {"featureIds": ["costs"]},
        "PUT /api/companies/{id}/settings": lambda _scene, _: {"maxShiftHours": 12},
    },
    # Its clocks have no owner any more.
    tells={"DELETE /api/companies/{id}": {"fleet_update", "support_update"}},
    parameters={
        "companies/{id}": lambda scene, _: scene.firm.id,
        "companies/{companyId}": lambda scene, _: scene.firm.id,
    },
    lists={"GET /api/companies": lambda person, n: person.world.company(f"{person.company_id} {n}")},
)
