# Every target works in a fresh clone: the virtual environment is made on first use, in .venv, and
# brought up to date when pyproject.toml changes.
#
#   make demo     train on handwritten digits, save, reload, and show what one function became
#   make test     check, then the tests; what must be green before a change lands
#   make test-quick  ruff and the tests of the stages up to low IR: for the inner loop
#   make test-all the tests of `make test`, and those that are thorough rather than telling
#   make check    ruff and pyright
#   make fuzz     20,000 random array programs under NumPy, the interpreter and LLVM
#   make fuzz-programs  20,000 random programs of the language under CPython, the interpreter and LLVM
#   make fuzz-extremes  10,000 random programs whose sizes, steps and indices are ints from the ends of 64 bits
#   make fuzz-saved  1,000,000 saved files with changes: refused, or run alike by both loaders
#   make fuzz-device  5,000 random array programs on an emulated GPU that is watched
#   make planted  take one check away after the other, and see whether fuzz-saved finds that
#   make faults   plant faults over all stages one by one, and see whether tests of make test find them
#   make gpu-day  what a GPU says: right or not, times, other libraries, profiles; in build/gpu-day
#   make faults-device  the same with faults of the CUDA backend, on an emulated GPU that is watched
#   make guard    the programs of the tests, and random ones, between unreadable pages
#   make valgrind programs of objects and containers under valgrind, on its processor, x86-64-v3
#   make bench    the benchmarks against other compilers; results in tests/benchmarks/results
#   make npbench  NPBench's programs, from a checkout that NPBENCH_DIR names, beside other compilers
#   make array-programs  forty programs of whole arrays beside JAX, torch.compile and DaCe, where they install
#   make corpora  other projects' programs, by drivers in a folder that CORPORA_DIR names
#   make docs     build/docs, the pages of docs/ as a site with a search
#   make bless    accept what golden cases and the made parts of docs/ give now as what they should be
#   make tables   rebuild the parser's tables after a change of grammar/script.lark

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --quiet

# A stamp is written last, so an interrupted install is done again from the start.
READY_SAMPLES := $(VENV)/ready-samples
READY_CHECKS := $(VENV)/ready-checks
READY_BENCH := $(VENV)/ready-bench
READY_DOCS := $(VENV)/ready-docs

# Compilers that array programs are measured beside, each in an environment of its own, because they
# ask for different versions of NumPy. DaCe calls cmake and a C++ compiler, and takes products from
# Debian's libopenblas-dev and liblapacke-dev; without these it has slow ones of its own.
PEERS := jax torch dace
PEER_jax := jax>=0.5
PEER_torch := torch>=2.7 numpy
PEER_dace := dace==2.0.0b1

.PHONY: demo test pytest test-quick test-all check style types bench npbench array-programs corpora docs bless tables fuzz fuzz-programs fuzz-extremes fuzz-saved fuzz-device planted faults faults-device gpu-day guard valgrind
.DELETE_ON_ERROR:

demo: $(READY_SAMPLES)
	$(PY) samples/digits.py
	$(VENV)/bin/scriptc dump samples/digits.py:softmax --stage opt

# pyright, which uses one processor, runs beside the tests.
test: style
	@$(MAKE) --no-print-directory --jobs=2 types pytest

pytest: $(READY_CHECKS)
	$(PY) -m pytest -q -n 2 --durations=15

test-quick: $(READY_CHECKS)
	$(PY) -m ruff check -q
	$(PY) -m pytest -q -n 2 $(QUICK)

test-all: check
	$(PY) -m pytest -q -n 2 --durations=15 -m "not gpu"

check: style types

style: $(READY_CHECKS)
	$(PY) -m ruff check -q
	$(PY) -m ruff format -q --check

types: $(READY_CHECKS)
	$(PY) -m pyright

bench: $(READY_BENCH)
	$(PY) -m tests.benchmarks.bench_spine
	$(PY) -m tests.benchmarks.bench_scalars
	$(PY) -m tests.benchmarks.bench_programs
	$(PY) -m tests.benchmarks.bench_crossing
	$(PY) -m tests.benchmarks.bench_containers
	$(PY) -m tests.benchmarks.bench_texts
	$(PY) -m tests.benchmarks.bench_memory
	$(PY) -m tests.benchmarks.bench_functions
	$(PY) -m tests.benchmarks.bench_numpy_calls

npbench: $(READY_BENCH)
	$(PY) -m tests.benchmarks.npbench

array-programs: $(READY_BENCH) $(PEERS:%=build/peers/%/tried)
	$(PY) -m tests.benchmarks.bench_array_programs --threads 1 --save
	$(PY) -m tests.benchmarks.bench_array_programs --threads 2 --save

# As many programs of each corpus as LIMIT says, all where it says nothing.
corpora: build/corpora/ready
	build/corpora/bin/python -m tests.benchmarks.bench_corpora $(if $(LIMIT),--limit $(LIMIT))

docs: $(READY_DOCS)
	$(PY) -m sphinx -W --keep-going -q -b html docs build/docs
	@echo "build/docs/index.html"

fuzz: $(READY_CHECKS)
	$(PY) -m tests.fuzz.test_array_programs 20000

fuzz-programs: $(READY_CHECKS)
	$(PY) -m tests.fuzz.test_language_programs 20000

fuzz-extremes: $(READY_CHECKS)
	$(PY) -m tests.fuzz.test_extreme_programs 10000

# A run that was stopped is taken up where it was by the same command.
fuzz-saved: $(READY_CHECKS)
	$(PY) -m tests.fuzz.saved_files 1000000 --state .fuzz-saved

fuzz-device: $(READY_CHECKS)
	SCRIPTC_EMULATE_CUDA=shadow $(PY) -m tests.fuzz.device_programs 5000

planted: $(READY_CHECKS)
	$(PY) -m tests.fuzz.planted_faults

faults: $(READY_CHECKS)
	$(PY) -m tests.faults.plant

gpu-day: $(READY_CHECKS)
	$(PY) -m tests.gpu.day

faults-device: $(READY_CHECKS)
	$(PY) -m tests.faults.plant --device

# Without what runs whole samples, or all passes over all programs.
SLOW := tests/project/test_samples.py tests/project/test_notebooks.py tests/passes/test_plain.py
QUICK := tests/syntax tests/check tests/lower tests/passes tests/analysis tests/project \
	$(SLOW:%=--ignore=%)

GUARDED := tests/promises/test_programs.py tests/fuzz/test_array_programs.py tests/promises/test_extreme_sizes.py

guard: $(READY_CHECKS)
	SCRIPTC_GUARD=1 $(PY) -m pytest -q -n 2 $(GUARDED)
	SCRIPTC_GUARD=end $(PY) -m pytest -q -n 2 $(GUARDED)

# Under it, what Python reads from files is taken for memory that nobody wrote: that is not asked for.
VALGRIND := PYTHONMALLOC=malloc SCRIPTC_THREADS=1 OPENBLAS_NUM_THREADS=1 valgrind --quiet --undef-value-errors=no \
	--error-exitcode=9 --suppressions=tests/support/valgrind.supp
VALGRINDED := rings objects lists dicts hash_sets deques exception_classes generator_values

valgrind: $(READY_CHECKS)
	$(VALGRIND) $(PY) -m tests.support.guard_programs $(VALGRINDED)

bless: $(READY_CHECKS)
	$(PY) -m pytest -q -n 2 --bless

tables: $(READY_CHECKS)
	$(PY) -m scriptc.syntax.make_tables

$(VENV)/ready-venv:
	@$(PYTHON) -c 'import sys; sys.exit("scriptc needs Python 3.11: make PYTHON=..." if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(READY_SAMPLES): pyproject.toml | $(VENV)/ready-venv
	@echo "installing what the samples need ..."
	@$(PIP) install -e '.[samples]'
	@touch $@

$(READY_CHECKS): pyproject.toml | $(VENV)/ready-venv
	@echo "installing what the tests need ..."
	@$(PIP) install -e '.[samples,test,check]'
	@touch $@

$(READY_BENCH): pyproject.toml | $(VENV)/ready-venv
	@echo "installing what the benchmarks need ..."
	@$(PIP) install -e '.[samples,bench]'
	@touch $@

$(READY_DOCS): pyproject.toml | $(VENV)/ready-venv
	@echo "installing what the site of the documents needs ..."
	@$(PIP) install -e '.[docs]'
	@touch $@

# The libraries whose programs are run, at the versions that they ask for themselves.
build/corpora/ready: pyproject.toml
	@test -f "$(CORPORA_DIR)/run.py" \
		|| { echo "CORPORA_DIR must name a folder with the drivers: run.py, kinds.py"; exit 1; }
	@echo "installing what other projects' programs need ..."
	@$(PYTHON) -m venv build/corpora
	@build/corpora/bin/python -m pip --disable-pip-version-check --quiet install -e '.[samples]' \
		pytest numba scipy pandas quantecon sparse polars hypothesis dask typing_extensions packaging
	@touch $@

build/peers/%/tried:
	@echo "installing $* beside the benchmarks ..."
	@$(PYTHON) -m venv build/peers/$*
	@build/peers/$*/bin/python -m pip --disable-pip-version-check --quiet install $(PEER_$*:%='%') \
		|| echo "$* takes no part: it does not install here"
	@touch $@
