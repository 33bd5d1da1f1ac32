"""Everything that can be asked over HTTP: `ROUTES`, from which `/api/openapi.json` is written too.

    route       what a route is, and how it answers
    people      sessions and accounts
    rooms       rooms
    records     finished games, and games as files
    players     one's own games, and profiles
    games       what there is to play, and what teaches it
    study       positions, analysis, openings and notation
    puzzles     puzzles
    reviews     game reviews
    results     what was measured
    status      health, metrics and descriptions of the interface
    openapi     the OpenAPI document
"""

from boyi.server.api import games, people, players, puzzles, records, results, reviews, rooms, status, study

ROUTES = (*status.ROUTES, *games.ROUTES, *study.ROUTES, *puzzles.ROUTES, *results.ROUTES, *people.ROUTES,
          *players.ROUTES, *rooms.ROUTES, *records.ROUTES, *reviews.ROUTES)
