"""More than two hundred generated uploads for sick notes that are no valid file, or more than one.

`REFUSED` must not be taken; `CLEANED` may be, and then nothing of `PAYLOAD` is in the result.
"""

from functools import cache

from cloud.tests.planning.hostile import Hostile
from cloud.tests.planning.hostile_images import hostile_images
from cloud.tests.planning.hostile_pdfs import hostile_pdfs


@cache
def all_files() -> tuple[Hostile, ...]:
    return (*hostile_images(), *hostile_pdfs())
