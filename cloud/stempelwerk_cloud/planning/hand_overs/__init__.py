"""Hand-overs: an employee asks a colleague to take over a duty."""
