"""τ-Rec-Books: the same request with its requirements volunteered, askable, or hidden."""
