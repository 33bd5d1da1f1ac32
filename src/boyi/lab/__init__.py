"""The lab."""
