"""What people are told of their roster."""

CHANGED = "Dein Dienstplan hat sich geändert"
LOOK = "Bitte sieh in „Meine Termine“ nach, an welchen Tagen du Dienst hast."
