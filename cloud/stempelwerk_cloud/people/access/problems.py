"""What is refused to whoever chooses a password, here or in the middle of a login."""

from stempelwerk_cloud.kit.http.problems import Problem, invalid


def new_password_refused(sentence: str) -> Problem:
    return invalid("newPassword", sentence)


def same_password() -> Problem:
    return invalid("newPassword", "Das neue Passwort muss ein anderes sein als das bisherige.", "same_password")
