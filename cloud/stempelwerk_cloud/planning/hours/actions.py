"""Audit actions of hours and weekly targets."""

from stempelwerk_cloud.people.audit.service import Action

CONFIG = Action("hours.config")
TARGET = Action("hours.target")
