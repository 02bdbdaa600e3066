"""A page that the running referee serves to the phones at the table.

    server = WebServer(live, seats, port=8080)
    server.start()          # in a thread of its own
    game.play([live, ...])  # `live` is an outlet

`live` holds what may be shown, `seats` who sits where, `consents` what others have to agree to,
`app` has the routes, `server` the thread. Everything a page shows is made on the server, for one
seat at a time: what another seat must not know is never sent.
"""
