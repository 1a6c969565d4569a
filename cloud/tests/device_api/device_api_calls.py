"""The calls of the room `device_api`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(
    who={
        "POST /api/devices/enroll": "device",
        "POST /api/devices/heartbeat": "device",
        "POST /api/devices/stamps": "device",
        "POST /api/devices/logs": "device",
        "POST /api/devices/answers": "device",
        "GET /api/devices/people": "device",
        "GET /api/clocks/{id}/update": "device",
        "GET /api/devices/{id}": "admin",
    },
    by_clock={
        "POST /api/devices/enroll": lambda clock: clock.enrol(),
        "POST /api/devices/heartbeat": lambda clock: clock.beat(),
        "POST /api/devices/stamps": lambda clock: clock.post("/api/devices/stamps", clock.batch(clock.tap("04A1B2C3"))),
        "POST /api/devices/logs": lambda clock: clock.post(
            "/api/devices/logs", {"entries": [{"id": clock.uuid4(), "code": "test"}]}
        ),
        "POST /api/devices/answers": lambda clock: clock.post(
            "/api/devices/answers", {"answers": [{"id": clock.uuid4(), "stampId": clock.uuid4()}]}
        ),
        "GET /api/clocks/{id}/update": lambda clock: clock.send("GET", f"/api/clocks/{clock.device_id or 'x'}/update"),
        "GET /api/devices/people": lambda clock: clock.send("GET", "/api/devices/people", b""),
    },
)
