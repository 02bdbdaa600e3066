"""The table as an appliance: a menu on the display, five buttons, and a service that runs games.

`menu` is how one moves through pages, pure; `pages` says what stands on them; `newgame` is the game
that is being put together; `serve` owns the panel and runs games by `hosting`.
"""
