"""Searches and counters, written once against `Position`."""
