"""A month's export by mail: by itself on the 1st, and when it is asked for."""
