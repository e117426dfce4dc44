# Everything runs in .venv, which `make setup` fills. GNU make 3.81 (macOS) and a POSIX shell do.

VENV := .venv
RUN := $(VENV)/bin
STAMP := $(VENV)/.complete
INSTALLS := pyproject.toml $(wildcard rsp_conformance/adapters/*/package.json)
PYTEST_ARGS :=
JURY_ARGS :=
EVIDENCE_ARGS :=
PAGES :=
# A process for each core, four at most; `make test WORKERS=0` makes none.
WORKERS := logical --maxprocesses 4

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint site bench engines faults laws coverage suite jury evidence pictures pages clean

help: ## List the targets.
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{printf "%-14s %s\n", $$1, $$2}'

# What is missing on this machine is said here, before any rule runs, and only when there is
# something to install. Under -q make then ends with status 1 and adds no line of its own.
ifneq ($(filter setup demo test lint site bench engines faults laws coverage suite jury evidence pictures pages,$(MAKECMDGOALS)),)
ifneq ($(shell $(MAKE) -s -q -f Makefile $(STAMP) 2>/dev/null || echo stale),)
FOUND := $(shell PYTHON='$(PYTHON)' scripts/check_requirements.sh)
ifeq ($(FOUND),)
MAKEFLAGS += -q
endif
endif
endif

setup: $(STAMP) ## Make .venv and install everything into it, rsp-js included.
	@:

# An environment whose Python is gone or too old is made anew; any other is kept.
$(STAMP): $(INSTALLS)
	@test -n "$(FOUND)"
	@PYTHON=$(RUN)/python scripts/check_requirements.sh >/dev/null 2>&1 || "$(FOUND)" -m venv --clear $(VENV)
	@echo "Installing into $(VENV) (Spark is a download of 450 MB the first time)"
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@$(RUN)/rsp-conformance engines install rsp-js
	@touch $(STAMP)

# Counterexamples are what the demo is for, so pytest's "some tests failed" is a success here.
demo: setup ## Run the suite against rsp-js for a minute and show the counterexamples it finds.
	@$(RUN)/python -m pytest --engine=rsp-js --rsp-only -n $(WORKERS) --rsp-mode=quick --rsp-max-time=30 $(PYTEST_ARGS) || test $$? -eq 1

# Files in their order: those of few tests, which xdist would run last, are the longest.
test: setup ## Run all tests of the kit (PYTEST_ARGS="-k name" runs some).
	@$(RUN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS)

lint: setup ## Check style, format, types, the import rules and the words.
	@$(RUN)/ruff check .
	@$(RUN)/ruff format --check .
	@$(RUN)/mypy
	@$(RUN)/lint-imports --no-logo --no-cache
	@$(RUN)/codespell
	@$(RUN)/python -m tools.words

site: setup ## Build the pages as a site: build/site/index.html, with the matrix of engines.
	@NO_MKDOCS_2_WARNING=1 $(RUN)/python -m mkdocs build --strict

bench: setup ## Print the table of timings (and write build/bench.json).
	@$(RUN)/python -m tools.bench

engines: setup ## Run the suite on every engine installed here; write docs/engines.md and build/site/engines.
	@$(RUN)/python -m tools.engines

faults: setup ## Print which property finds which mutant (and write build/faults.json).
	@$(RUN)/python -m tools.mutation.faults --jobs 2

laws: setup ## Print the table of laws as both semantics see them (and write build/laws.json).
	@$(RUN)/python -m tools.mutation.laws

coverage: setup ## Print which cells of the language are generated (and write tools/coverage/cells.md).
	@$(RUN)/python -m tools.coverage --jobs 2 --each-profile 5000 --seek 20000 --keep

suite: setup ## Choose the cases of the packaged test suite anew (takes minutes).
	@$(RUN)/python -m tools.curation
	@$(RUN)/python -m tools.curation --add

jury: setup ## Ask SPARQL's other implementations what the specification is asked (JURY_ARGS="--jars lib").
	@$(RUN)/python -m tools.jury $(JURY_ARGS)

evidence: setup ## Replay the recorded runs and compare with the baseline (EVIDENCE_ARGS=--quick: two minutes).
	@$(RUN)/python -m tools.evidence --jobs 2 $(EVIDENCE_ARGS)

pictures: setup ## Draw the pictures of the pages anew (docs/assets/*.svg).
	@$(RUN)/python -m tools.pictures

pages: setup ## Run the pages' commands and write their output (PAGES="docs/faq.md" for one page).
	@$(RUN)/python -m tools.pages $(PAGES)

clean: ## Remove builds and caches; .venv, .hypothesis and .rsp stay.
	@rm -rf build dist .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@rm -rf spark-warehouse metastore_db derby.log
	@find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
