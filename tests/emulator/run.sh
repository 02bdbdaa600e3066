#!/usr/bin/env bash
# Builds the board's image and runs it on the emulated Pico: run.sh VENV [--may-skip]
# Where a tool or the sources cannot be had that is an error, or, with --may-skip, said and let be.
set -euo pipefail
cd "$(dirname "$0")/../.."
venv=$1
may_skip=${2:-}

cannot() {
  if [ "$may_skip" = --may-skip ]; then
    echo "SKIPPED: the board's image on the emulator: $1"
    exit 0
  fi
  echo "The board's image cannot be tested: $1" >&2
  exit 3
}

ready=$venv/.firmware
if [ ! "$ready" -nt pyproject.toml ]; then
  timeout 600 "$venv/bin/pip" install --quiet --retries 1 --timeout 20 -e '.[dev,firmware]' \
    || cannot "pip cannot install the emulator"
  touch "$ready"
fi
"$venv/bin/python" tests/emulator/static_checks.py
code=0
image=$("$venv/bin/python" firmware/image/build.py 2>"$venv/image-log") || code=$?
case $code in
  0) ;;
  3) cannot "$(<"$venv/image-log")" ;;
  *) cat "$venv/image-log" >&2; exit "$code" ;;
esac
# -rP: what the tests have measured is shown.
TABLEREF_IMAGE=$image "$venv/bin/pytest" tests/emulator -n 2 --maxschedchunk 1 -rsP
