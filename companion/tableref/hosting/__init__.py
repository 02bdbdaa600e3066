"""Opens a table and runs games on it: what commands, the menu and a page have in common.

    game = new_game(folder, "scorpion", cameras=("mat=usb:0",), link="auto")
    with game:
        desk = game.play([ScreenOutlet(display)])

`cameras` opens cameras by name, `opening` a game with all that watches it, `session` runs the
threads round the queue, `shelf` has the games of this table, a folder each. Nothing here reads a
command line, prints or draws.
"""
