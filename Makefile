# Everything a newcomer types: make run, make test. Only python3, python3-venv and make are needed
# to run; deploy/debian.sh names or installs what else the tests use.

PYTHON ?= python3
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run test soak lint bench debian-run debian-test

# Much of the suite waits for clocks and processes: four files at a time fit two cores.
SIDE_BY_SIDE := -n 4 --dist loadfile --no-loadscope-reorder

# Tests start hundreds of interpreters: each would compile the sources again without bytecode.
export PYTHONDONTWRITEBYTECODE :=

# pip builds this project in a room of its own; these pin what is in that room (old and new pip).
export PIP_CONSTRAINT := constraints.txt
export PIP_BUILD_CONSTRAINT := constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

help: ## say what can be made
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | sed 's/^/make /' | expand -t 12

run: debian-run .venv/runtime ## bring a whole house up with made-up patrons; Ctrl-C stops it
	@.venv/bin/keno demo

test: debian-test lint ## check the style and the types, then run every test
	.venv/bin/pytest $(SIDE_BY_SIDE)

soak: debian-test .venv/dev ## one PART of the same tests with far larger counts; without PART, the parts
	@.venv/bin/python -m tests.soak $(PART)

lint: debian-run .venv/dev ## check the style and the types
	.venv/bin/ruff check && .venv/bin/ruff format --check && .venv/bin/mypy
	.venv/bin/python -m tests.javascript

bench: debian-test .venv/dev ## measure speed as a ratio against a bare limit
	@.venv/bin/python -m tests.bench

debian-run debian-test: debian-%:
	@PYTHON='$(PYTHON)' sh deploy/debian.sh $*

# The stamp's name tells the folder and the interpreter, so a moved checkout or another Python gets
# a new environment. The stamp is away while pip works: what was interrupted is made afresh.
WHERE := import os, sys; print(os.getcwd(), sys.base_prefix, sys.version)
MADE := .venv/made-$(shell $(PYTHON) -c '$(WHERE)' 2>&1 | cksum | cut -d' ' -f1)

$(MADE):
	@echo "Making the virtual environment .venv ..."
	@$(PYTHON) -m venv --clear .venv && touch $@

.venv/runtime: $(MADE) pyproject.toml constraints.txt
	@echo "Installing keno and what it needs into .venv (the first time about half a minute) ..."
	@rm -f $(MADE) && $(call install,.) && touch $(MADE) $@

.venv/dev: $(MADE) pyproject.toml constraints.txt
	@echo "Installing keno and its development tools into .venv (the first time about a minute) ..."
	@rm -f $(MADE) && $(call install,.[dev]) && touch $(MADE) .venv/runtime $@

install = { .venv/bin/python -m pip install -qq -c constraints.txt -e '$(1)' || \
	{ echo "Installing failed; pip's words are above. Is pypi.org within reach?" >&2; exit 1; }; }
