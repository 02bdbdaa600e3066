# Everything from a bare checkout: `make demo` shows it, `make test` checks it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test test-full test-firmware image hardware release check wheel bench fuzz clean

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Tableref needs Python 3.11 or newer; say which with: make PYTHON=/path/to/python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
	  || { echo "No virtual environment could be made. On Debian and Pi OS: sudo apt install python3-venv"; exit 1; }
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --no-compile -e '.[dev]'  # Python compiles what it imports
	@touch $@

demo: $(READY)
	$(BIN)/tableref demo --out demo-out

test: check wheel

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder

# The random games and audits of the rules at full length (2,000 games a game), 200 kills of games
# that are refereed and of demos, the installer in fresh Debian roots, two hours
# of play on end: an hour or more.
test-full: $(READY)
	TABLEREF_FULL=1 $(BIN)/pytest tests/rules tests/referee tests/hardware/test_electronics.py \
	  tests/appliance/test_debian_roots.py tests/vision/test_untagged.py tests/dice -n auto

# The wheel must run by itself: clean venv, empty folder, no checkout in reach.
wheel: $(READY)
	$(BIN)/python tests/wheel_check.py

bench: $(READY)
	$(BIN)/python -m tests.bench

# The very image that is flashed, built and run on an emulated Pico. TABLEREF_FULL=1: at length.
# Where tools or sources cannot be had it fails, or with MAY_SKIP=--may-skip says so and does not.
test-firmware: $(READY)
	tests/emulator/run.sh $(VENV) $(MAY_SKIP)

# The image for people to flash, with the licences of what is in it: dist/board.
image: $(READY)
	$(BIN)/python firmware/image/build.py --out dist/board

# Drawings, netlists, parts lists and models for makers: dist/hardware. GAMES="squod": only these.
# Needs Debian's openscad, xvfb and graphviz.
hardware: $(READY)
	$(BIN)/pip install --quiet -e '.[hardware]'
	cd hardware && ../$(BIN)/python -m electronics --out ../dist/hardware/electronics $(GAMES)
	cd hardware && ../$(BIN)/python -m models --out ../dist/hardware/models $(GAMES)

# A file for `tableref update` (docs/appliance.md), signed: make release KEY=release-key SYSTEM=trixie
SYSTEM ?= trixie
release: $(READY)
	$(BIN)/python companion/install/release.py --key "$(KEY)" --system $(SYSTEM)

# The long forms of what `make test` does shortened: half an hour and more.
fuzz: $(READY)
	$(BIN)/python -m tests.fuzz.run 2000
	$(BIN)/python -m tests.link.fuzz_frames 10000000
	MICROPYPATH=firmware:.frozen $(BIN)/micropython tests/link/fuzz_frames.py 10000000
	$(BIN)/python -m tests.link.endurance 100000

clean:
	rm -rf build dist demo-out $(VENV)
