"""Schema versions of the database; `boyi.server.store` brings one up to date."""
