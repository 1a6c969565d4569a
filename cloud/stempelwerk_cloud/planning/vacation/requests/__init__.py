"""The life of a request: asked for, decided, taken back."""
