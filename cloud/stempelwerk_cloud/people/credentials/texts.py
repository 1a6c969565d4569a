"""Texts of answers about a person's credentials."""

AUTHENTICATOR_ACTIVE = "Der Authenticator ist aktiv."
AUTHENTICATOR_NOT_ACTIVE = "Der Authenticator ist nicht aktiv."
CHANGED = "Passwort erfolgreich geändert."
