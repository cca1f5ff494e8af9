# make demo    install into .venv, learn a graph from the embedded ALARM sample, say where it is
# make test    install with the test tools and run every check
# make lint    style, types and import contracts only
# make docs    install the site builder and build the documentation into site/
# make bench   every figure, side by side with other packages (hours; goes on where it was interrupted)
# make bench-quick   the same for a few workloads (minutes)
# make leaderboard   HCCD and other packages on 35 data sets (hours; goes on where it was interrupted); folders with data that
#              do not come along: make leaderboard DATA="--mmhc DIR --neuropain DIR"

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNELS := $(wildcard src/hccd/_kernels/*/*.py src/hccd/_kernels/*/*.pxd)

.PHONY: demo test lint docs bench bench-quick leaderboard clean

demo: $(VENV)/.installed
	$(BIN)/hccd demo --out demo --force

test: lint
	$(BIN)/python -m pytest

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Nothing is fetched, every warning is an error; the variable silences an advertisement.
docs: $(VENV)/.installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "written    site/index.html"

bench: $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks run --profile full
	$(BIN)/python -m benchmarks break-even
	$(BIN)/python -m benchmarks threads
	$(BIN)/python -m benchmarks tests-saved

bench-quick: $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks run --profile quick

leaderboard: $(VENV)/.installed-bench
	$(BIN)/python -c "from benchmarks.peers import install; install()"
	$(BIN)/hccd reproduce leaderboard --scale paper --peers benchmarks/.venv-peers/bin/python --out results $(DATA)

# Editable installs: a change in Python code needs no reinstall, a change in a kernel rebuilds it.
$(VENV)/.installed: pyproject.toml setup.py $(KERNELS)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.installed-dev: pyproject.toml setup.py $(KERNELS)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: pyproject.toml setup.py $(KERNELS)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@ $(VENV)/.installed

$(VENV)/.installed-bench: pyproject.toml setup.py $(KERNELS)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) build demo site src/hccd/_kernels/*/*.c src/hccd/_kernels/*/*.so
