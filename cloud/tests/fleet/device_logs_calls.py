"""The endpoints of the room `device_logs`, for the matrix."""

from cloud.tests.matrix.samples import Samples

SAMPLES = Samples(
    who={
        "GET /api/companies/{id}/device-logs": "company with error_log",
        "GET /api/companies/{id}/device-logs/stream": "company with error_log",
    },
)
