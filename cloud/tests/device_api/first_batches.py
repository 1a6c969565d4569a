"""Forks children of the loaded service that read their first batches by eight threads at once; prints how many died.

`python first_batches.py COUNT`. A child is as fresh as a service that has just started: what this process has not built
while importing, its threads build together.
"""

import json
import os
import sys
import threading
import uuid

from stempelwerk_cloud.device_api import wire
from stempelwerk_cloud.device_api.wire import MAX_BATCH

THREADS = 8
SWITCH_EVERY_S = 1e-5
"""Threads change places so often that their first steps overlap in most children."""


def body() -> bytes:
    boot, wall = str(uuid.uuid4()), "2026-10-05T08:00:00.000Z"
    anchor = {"boot": boot, "boottimeMs": 1000, "serverTime": wall, "rttMs": 20}
    stamp = {
        **{"assignment": None, "tag": "04A1B2C3", "direction": "auto", "wall": wall},
        **{"boot": boot, "boottimeMs": 100, "quality": "ntp", "via": "reader", "shown": None},
    }
    message = {
        **{"proto": wire.PROTO, "batch": str(uuid.uuid4()), "epoch": str(uuid.uuid4()), "lease": 1},
        **{"previous": {"epoch": str(uuid.uuid4()), "lastSeq": 5}, "gone": [[1, 2], [3, 4]], "anchors": [anchor] * 4},
        "stamps": [{"id": str(uuid.uuid4()), "seq": seq, **stamp} for seq in range(1, MAX_BATCH // 10 + 1)],
    }
    return json.dumps(message).encode()


def read_together(bodies: list[bytes]) -> None:
    sys.setswitchinterval(SWITCH_EVERY_S)
    start = threading.Barrier(len(bodies))
    batches: list[wire.Batch] = []

    def read(message: bytes) -> None:
        start.wait()
        batches.append(wire.read_batch(message))

    threads = [threading.Thread(target=read, args=(message,)) for message in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    complete = [batch for batch in batches if batch.previous and len(batch.gone) == 2 and len(batch.anchors) == 4]
    os._exit(0 if len(complete) == len(bodies) else 1)


def main(children: int) -> None:
    bodies = [body() for _ in range(THREADS)]
    died = 0
    for _ in range(children):
        child = os.fork()
        if child == 0:
            read_together(bodies)
        died += os.waitpid(child, 0)[1] != 0
    sys.stdout.write(f"{died}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
