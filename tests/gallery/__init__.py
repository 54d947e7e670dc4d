"""Wrong versions, as met in papers, public code and habit, which the laws must reject; see tests/README.md."""
