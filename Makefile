# make demo    install into .venv, learn a graph from the embedded ALARM sample, say where it is
# make test    install with the test tools and run every check
# make test-quick   the tests that take no seconds each
# make lint    style, types and import contracts only
# make docs    install the site builder and build the documentation into site/
# make bench   every figure, side by side with other packages (hours; goes on where it was interrupted)
# make bench-quick   the same for a few workloads (minutes)
# make leaderboard   HCCD and other packages on 35 data sets (hours; goes on where it was interrupted); folders with data that
#              do not come along: make leaderboard DATA="--mmhc DIR --neuropain DIR"

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
KERNELS := $(wildcard src/hccd/_kernels/*/*.py src/hccd/_kernels/*/*.pxd)

.PHONY: demo test test-quick lint docs bench bench-quick leaderboard clean

demo: $(VENV)/.networks
	$(BIN)/hccd demo --out demo --force

# Workers share the cores: further threads of BLAS would only wait for each other, and waiting counts as CPU time.
test test-quick: export OPENBLAS_NUM_THREADS = 1

# A worker that is done takes tests from another: a few take a minute.
test: lint
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal

test-quick: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -q -m "not slow" -n auto --maxprocesses 4 --dist worksteal

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

# Everything installed is editable: a change in Python code needs no reinstall. The kernels are compiled here, where one can
# watch, and once: pip finds them done, whatever it adds. A kernel that has changed is compiled anew, alone.
$(VENV)/.installed: pyproject.toml | $(VENV)/.kernels
	$(INSTALL) --no-build-isolation --editable '.[plot,serve]'
	touch $@

# For hccd simulate: pgmpy brings the files of published networks along, and is not imported, so nothing that it needs is.
$(VENV)/.networks: $(VENV)/.installed
	grep -o 'pgmpy==[0-9.]*' pyproject.toml | head -n 1 | xargs $(INSTALL) --no-deps && touch $@ || \
	  echo "pgmpy could not be installed: hccd simulate knows no published networks"

$(VENV)/.installed-%: pyproject.toml | $(VENV)/.kernels
	$(INSTALL) --no-build-isolation --editable '.[$*]'
	touch $@ $(VENV)/.installed

$(VENV)/.kernels: $(VENV)/.build-tools setup.py $(KERNELS)
	$(BIN)/python setup.py --quiet build_ext --inplace
	touch $@

$(VENV)/.build-tools: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	grep '^requires = ' pyproject.toml | grep -o '"[^"]*"' | xargs $(INSTALL)
	touch $@

clean:
	rm -rf $(VENV) build demo site src/hccd/_kernels/*.so src/hccd/_kernels/*/*.so
