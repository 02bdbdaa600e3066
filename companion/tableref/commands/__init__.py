"""The subcommands: each has `arguments(parser)` and `run(args) -> exit code`."""
