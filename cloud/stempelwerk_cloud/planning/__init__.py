"""What is planned: hours, duties, leave; and what came of it: absences."""
