"""Everything that can be asked over HTTP: `ROUTES`, from which `/api/openapi.json` is written too.

    route       what a route is, and how it answers
    people      sessions and accounts
    rooms       rooms
    records     finished games, and games as files
    games       what there is to play, and what teaches it
    study       positions, analysis and notation
    results     what was measured
    status      health, metrics and descriptions of the interface
    openapi     the OpenAPI document
"""

from boyi.server.api import games, people, records, results, rooms, status, study

ROUTES = (*status.ROUTES, *games.ROUTES, *study.ROUTES, *results.ROUTES, *people.ROUTES, *rooms.ROUTES,
          *records.ROUTES)
