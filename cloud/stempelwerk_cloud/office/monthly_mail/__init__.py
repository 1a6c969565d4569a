"""The monthly export by mail: automatically on the 1st, and on demand."""
