# Every target works on a fresh checkout: it installs what it needs first.
.DEFAULT_GOAL := help
.PHONY: help setup build packages run tap test installed prove proofs lint format bench lock reference clean
SHELL := /bin/bash
BIN := .venv/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
# What Python has compiled it keeps: else each of the tests' many programs compiles all of the house anew.
unexport PYTHONDONTWRITEBYTECODE

PORT ?= 8000
CLOCK_PORT ?= 8090

help: ## list every target
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

setup: ## install everything into the project's own folders (.venv, node_modules)
	@tools/setup.sh

web_sources := $(shell find web -type f -not -path '*/node_modules/*' -not -path '*/dist/*' 2>/dev/null)

web/dist/.built: $(web_sources) web/package-lock.json
	@said=$$(cd web && npm run --silent build 2>&1) || { echo "$$said"; exit 1; }
	@touch $@

build: setup ## build the web app and the clock's touchscreen page
	@$(MAKE) -s web/dist/.built

packages: setup ## make the Debian packages and the image into var/packages (ARCH=arm64 for another machine; WITHOUT_ROOT=1: clocks take no updates)
	@tools/setup.sh packages
	@$(MAKE) -s web/dist/.built
	@stempelwerk packages $(if $(ARCH),--arch $(ARCH)) $(if $(WITHOUT_ROOT),--without-root) $(NAMES)

run: build ## start the demo: cloud, clock with touchscreen page, mail catcher (PORT=, CLOCK_PORT=)
	@exec stempelwerk demo --port='$(PORT)' --clock-port='$(CLOCK_PORT)'

tap: setup ## hold a tag to the demo clock's reader: make tap TAG=04A1B2C3D4E5F6 (SCANNER=1: to the portable scanner); without TAG: list the tags
	@stempelwerk tap $(if $(SCANNER),--scanner) -- '$(TAG)'

test: setup ## run every test of every part; the last line is the count
	@tools/setup.sh system
	@$(MAKE) -s web/dist/.built
	@python -m stempelwerk_tools.testrun $(SUITES)

installed: setup ## try the packages on fresh machines of their own, as the pages say (as root): install, update, remove
	@tools/setup.sh packages
	@$(MAKE) -s web/dist/.built
	@python -m pytest -q -m machines tools/tests/installed --proves installed

prove: setup ## prove at length, before a release, what the tests show: more chance, more weather, more kills
	@tools/setup.sh system
	@$(MAKE) -s web/dist/.built
	@STARTS=200 EXAMPLES=300 python -m pytest -q -m prove cloud/tests edge/tests tools/tests
	@python -m pytest -q tools/tests --proves programs
	@EXAMPLES=1000 python -m pytest -q cloud/tests/domain cloud/tests/timekeeping/test_laws.py edge/tests/contract
	@stempelwerk simulate --seeds 200
	@stempelwerk mutants
	@cd firmware && node tests/run.mjs prove
	@$(MAKE) -s installed

proofs: setup ## run the proofs whose inputs have changed, and record them in tools/proven.toml
	@tools/setup.sh system
	@python -m stempelwerk_tools.proven check programs || python -m pytest -q -n 2 tools/tests --proves programs
	@python -m stempelwerk_tools.proven check installed || $(MAKE) -s installed

lint: setup ## run every linter: ruff, mypy, import-linter, biome, tsc, pyright
	ruff check .
	ruff format --check .
	mypy
	lint-imports
	python -m stempelwerk_tools.english
	cd web && npm run --silent lint && npm run --silent typecheck
	cd firmware && npm run --silent typecheck

format: setup ## bring the code into the house's form
	ruff check --fix .
	ruff format .
	cd web && npm run --silent format
	python -m stempelwerk_tools.english --lower

bench: setup ## measure the product beside its limit; writes var/bench.json
	@tools/setup.sh system
	@$(MAKE) -s web/dist/.built
	@stempelwerk bench

lock: setup ## resolve the dependencies anew into requirements.lock and web/package-lock.json
	cd web && npm install --package-lock-only --ignore-scripts && node codegen/complete-lock.mjs
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header \
	  --no-emit-package stempelwerk-cloud --no-emit-package stempelwerk-edge --no-emit-package stempelwerk-tools \
	  --group dev {cloud,edge,tools}/pyproject.toml -o requirements.lock
	for board in rp2 esp32; do echo "micropython-$$board-stubs" | uv pip compile --quiet --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-annotate --no-header - -o firmware/stubs/$$board.lock; done

reference: setup ## write the generated pages: docs/reference, the web's API types, the hardware's parts and wiring
	stempelwerk-cloud openapi --out docs/reference/openapi.json
	cd web && npm run --silent generate
	python -m stempelwerk_tools.hardware

clean: ## remove what was built and the demo's data (not .venv and node_modules)
	@[ ! -x $(BIN)/stempelwerk ] || stempelwerk demo idle --dir var/demo
	rm -rf web/dist var/demo var/bench var/bench.json
