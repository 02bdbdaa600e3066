"""One module a check: `TITLE`, and `check(host, config) -> Result`."""
