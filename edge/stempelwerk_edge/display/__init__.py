"""The clock's touchscreen as the agent sees it: a state, a pure view of it, and a local server for the page."""
