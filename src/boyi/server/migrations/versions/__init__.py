"""One module per schema version, each made from the one before."""
