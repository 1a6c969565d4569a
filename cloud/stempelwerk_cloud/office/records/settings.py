"""A company's settings about records."""

from stempelwerk_cloud.kit.dated import Setting

TIMES_YEARS = Setting(
    "times_years",
    int,
    2,
    minimum=2,
    maximum=10,
    label="Zeiten bleiben über das Jahresende hinaus mindestens (Jahre)",
    retention=("Zeiten, Stempel und Abwesenheiten (ab dem Ende ihres Jahres mindestens)", "Jahre"),
)
"""How many years times are retained after the end of their year."""

SETTINGS = (TIMES_YEARS,)
