"""The lasting engine: runs through Inspect AI, for agents and users that talk to somebody.

Nothing here is imported before a command needs it; `needs.inspect_ai()` says which extra is
missing.
"""
