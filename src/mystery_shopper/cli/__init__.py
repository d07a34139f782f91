"""The command `mystery-shopper`: one file a command."""
