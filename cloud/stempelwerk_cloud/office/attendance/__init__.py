"""Attendance: people who were planned and came, who are missing, and who came without a plan."""
