"""Earlier revisions of this repository as opponents: built in environments of their own, played through a driver.

    build        a commit, compiled in a folder outside the repository
    driver       runs under the Python of that environment and plays for it, by lines of JSON
    agent        the driver in a seat of our arena
    encounter    a match of the running checkout against a revision: settings, games, journal
    report       what came out, as a table
"""
