"""Reading the deeds of operators and the attempts at their logins."""
