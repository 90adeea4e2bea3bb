# Every target works from a fresh clone with Python 3.11 or newer and Git: the tools live in .venv.
PYTHON ?= python3
PY := .venv/bin/python
READY := .venv/.ready
PYTEST_FLAGS ?= -q
WORKERS ?= 3
# Tests sync thousands of small files: in memory, where there is room for two gigabytes, they wait for no disk.
SCRATCH ?= $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 2000000 { print $$6 }')
IN_SCRATCH := scratch=$$(mktemp -d "$(or $(SCRATCH),$${TMPDIR:-/tmp})/gitmem-XXXXXX") && trap 'rm -rf "$$scratch"' EXIT && TMPDIR="$$scratch"

.PHONY: demo test test-long check bench docs fix venv
.DEFAULT_GOAL := test

venv: $(READY)

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "gitmem needs Python 3.11 or newer: make PYTHON=/path/to/python3" >&2; exit 1; }
	@test -x $(PY) || $(PYTHON) -m venv .venv
	@$(PY) -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(READY)
	@PATH="$(CURDIR)/.venv/bin:$$PATH" bash fixtures/demo/run.sh

test: $(READY)
	@$(IN_SCRATCH) $(PY) -m pytest $(PYTEST_FLAGS) -n $(WORKERS)

test-long: $(READY)
	@$(IN_SCRATCH) $(PY) -m pytest $(PYTEST_FLAGS) -m long

CHECKS := format lint types layers dead pages
.PHONY: $(CHECKS:%=check-%)
check: $(CHECKS:%=check-%)

check-format: $(READY)
	@$(PY) -m ruff format --quiet --check . || { $(PY) -m ruff format --check .; exit 1; }

check-lint: $(READY)
	@$(PY) -m ruff check --quiet .

check-types: $(READY)
	@$(PY) -m mypy --no-error-summary

check-layers: $(READY)
	@.venv/bin/lint-imports --no-logo > .venv/layers.txt 2>&1 || { cat .venv/layers.txt; exit 1; }

check-dead: $(READY)
	@.venv/bin/vulture

check-pages: $(READY)
	@$(PY) docs/generate.py --check

docs: $(READY)
	@$(PY) docs/generate.py

fix: $(READY)
	@$(PY) -m ruff format --quiet .
	@$(PY) -m ruff check --quiet --fix .

bench: $(READY)
	@$(PY) -m benchmarks
