"""Refusals of a chosen password, in an account or during a login."""

from stempelwerk_cloud.kit.http.problems import Problem, invalid
from stempelwerk_cloud.kit.security.passwords import Refusal


def new_password_refused(refusal: Refusal) -> Problem:
    return invalid("newPassword", refusal.sentence, refusal.code)


def same_password() -> Problem:
    return invalid("newPassword", "Das neue Passwort muss ein anderes sein als das bisherige.", "same_password")
