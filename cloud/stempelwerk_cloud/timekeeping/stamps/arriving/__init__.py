"""The way in of new stamps: each once, whatever is sent again."""
