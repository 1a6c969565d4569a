"""The calls of the room `bookings`, for the matrix."""

from stempelwerk_cloud.planning.facts.tables import Booking

from cloud.tests.matrix.samples import Samples
from cloud.tests.room import given

SAMPLES = Samples(
    who={
        "GET /api/users/{userId}/bookings": "self with hours_config",
        "POST /api/users/{userId}/bookings": "company with hours_config",
    },
    tells={
        "POST /api/users/{userId}/bookings": {"messages_update"},
    },
    bodies={
        "POST /api/users/{userId}/bookings": lambda _scene, _: {
            "date": "2026-11-20",
            "minutes": 90,
            "reason": "Inventur am Samstag",
        }
    },
    grows=frozenset({"bookings"}),
    lists={
        "GET /api/users/{userId}/bookings": lambda person, n: given(
            person, Booking, date=f"2026-11-1{n}", minutes=60, reason="Fortbildung"
        ),
    },
)
