"""The contract that games sign and that everything above builds on."""
