"""Files that somebody hands in as a sick note and that are none, or more than one: made by code, two hundred and more.

`REFUSED` must not be taken; `CLEANED` may be, and then nothing of `PAYLOAD` is in what comes out.
"""

from functools import cache

from cloud.tests.planning.hostile import Hostile
from cloud.tests.planning.hostile_images import hostile_images
from cloud.tests.planning.hostile_pdfs import hostile_pdfs


@cache
def all_files() -> tuple[Hostile, ...]:
    return (*hostile_images(), *hostile_pdfs())
