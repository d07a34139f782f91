"""How fast the parts are, each beside a peer that does the same work: `python -m benchmarks`."""
