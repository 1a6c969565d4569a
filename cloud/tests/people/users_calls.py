"""The calls of the room `users`, for the matrix."""

from cloud.tests.matrix.samples import Samples
from cloud.tests.world import PASSWORD

SAMPLES = Samples(
    who={
        "GET /api/companies/{companyId}/users": "member",
        "POST /api/users": "company with manage_employees",
        "PUT /api/users/{id}": "company with manage_employees",
        "DELETE /api/users/{id}": "company with manage_employees",
    },
    once={"DELETE /api/users/{id}": ""},
    rates={"POST /api/users": "600/minute"},
    bodies={
        "POST /api/users": lambda scene, _: {
            "companyId": scene.firm.id,
            "username": "clara",
            "password": PASSWORD,
            "tagId": "04ABCDEF",
            "role": "user",
        },
        "PUT /api/users/{id}": lambda _scene, _: {"username": "Anna B."},
    },
    parameters={
        "users/{id}": lambda scene, _: scene.firm.anna.id,
        "users/{userId}": lambda scene, _: scene.firm.anna.id,
    },
    # The existing people.
    lists={"GET /api/companies/{companyId}/users": lambda _person, _n: None},
)
