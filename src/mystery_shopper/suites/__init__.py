"""The benchmarks. They never import each other."""
