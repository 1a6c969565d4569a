"""Live events: what a committed transaction tells the browsers that are looking, in all processes."""
