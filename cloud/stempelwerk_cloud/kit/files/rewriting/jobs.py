"""The child processes that look into a stranger's file, by its kind. They open neither files nor connections."""

from stempelwerk_cloud.kit.subprocesses.job import Job

MOST_OUT = 20 * 1024 * 1024
SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CSV = "text/csv"
_HERE = "stempelwerk_cloud.kit.files.rewriting"
_NICE = 5
"""The niceness of these processes. With a higher one, a legitimate file could exceed the time limit on a busy machine.
"""
_MIB = 1024 * 1024


def job_of(media_type: str) -> Job:
    """Returns the job that remakes a file of that type, or reads it as a table."""
    if media_type == "application/pdf":
        return Job(f"{_HERE}.pdfs:rewritten", media_type, 512 * _MIB, 3, 5, MOST_OUT, _NICE)
    if media_type == SHEET:
        modules = ("encodings.cp437", "encodings.latin_1", "encodings.ascii")
        return Job(f"{_HERE}.sheets:rewritten", media_type, 512 * _MIB, 4, 8, MOST_OUT, _NICE, modules)
    if media_type == CSV:
        return Job(f"{_HERE}.texts:rewritten", media_type, 256 * _MIB, 2, 5, MOST_OUT, _NICE, _TEXTS)
    # Forty megapixels need more than a document does: 800 MB as WebP, seven seconds of CPU as PNG. On a busy machine
    # these seven took more than twenty.
    return Job(f"{_HERE}.images:rewritten", media_type, 1024 * _MIB, 20, 60, MOST_OUT, _NICE, _IMAGES)


_TEXTS = tuple(f"encodings.{name}" for name in ("utf_8_sig", "utf_16", "cp1252", "mac_roman", "cp850"))
_IMAGES = (
    "PIL.JpegImagePlugin",
    "PIL.MpoImagePlugin",
    "PIL.PngImagePlugin",
    "PIL.TiffImagePlugin",
    "PIL.WebPImagePlugin",
    "encodings.latin_1",
    "encodings.ascii",
)
