"""The people of a company, and who held which tag when."""
