"""The calls of the room `hours`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(
    who={
        "GET /api/companies/{companyId}/working-hours-config": "company with hours_config",
        "PUT /api/companies/{companyId}/working-hours-config": "company with hours_config",
        "GET /api/companies/{companyId}/employee-weekly-targets": "company with hours_config",
        "PUT /api/companies/{companyId}/employee-weekly-targets": "company with hours_config",
        "GET /api/working-hours/my-target": "user",
    },
    bodies={
        "PUT /api/companies/{companyId}/working-hours-config": lambda _scene, _: {
            "mode": "uniform",
            "uniformWeeklyTargetMinutes": 2400,
            "openingHours": {"0": {"open": "08:00", "close": "17:00"}},
        },
        "PUT /api/companies/{companyId}/employee-weekly-targets": lambda scene, _: {
            "items": [{"userId": scene.firm.anna.id, "weeklyTargetMinutes": 1200}]
        },
    },
)
