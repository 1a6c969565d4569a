"""Who is there: who was planned and came, who is missing, who came without a plan."""
