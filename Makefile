# make demo, make check: set-up included.  make, make bench, make install, make deps.  All is built below build/.
# SPDX-License-Identifier: BSD-3-Clause
ifeq ($(origin CC),default)
CC      := gcc
endif
PREFIX  ?= /usr/local
B       ?= build
VERSION := $(shell sed -n 's/^.define NOE_VERSION "\(.*\)"/\1/p' include/noether.h)

# ---- what the machine needs: Debian packages ---------------------------------------------------------------
NEED := gcc libc6-dev pkg-config libopenblas-dev libhdf5-dev libflint-dev libflint-arb-dev gnuplot-nox libcmocka-dev libsuitesparse-dev libarpack2-dev zlib1g-dev libcminpack-dev coinor-libipopt-dev zsh clang-format

# ---- flags ------------------------------------------------------------------------------------------------
# -ffp-contract=off: a product and a sum are rounded one by one, on every machine, so results are the same bits.
OPT     ?= -O2 -g
,       := ,
WARN    := -Wall -Wextra -Wpedantic -Wno-psabi
# Libraries that may be missing; WITHOUT="hdf5 flint" leaves those out, as if they were not there.
OPTIONAL := hdf5 flint suitesparse arpack lapack zlib cminpack ipopt
WITHOUT :=
FOUND   := $(shell CC="$(CC)" src/have $(B) $(WITHOUT) && echo found)
ifneq ($(FOUND),found)
$(error src/have could not look for libraries)
endif
include $(B)/have.mk
FLAGS   := -std=gnu17 $(OPT) $(WARN) $(EXTRA) -ffp-contract=off -fno-math-errno -fPIC -fvisibility=hidden -pthread \
           -Iinclude -Isrc $(HAVE_C) $(SYSTEM_C) -MMD -MP
# What few runs need is far: the command and libnoether.so load it when it is called (cli/late.c); LATE=linked links it.
LATE    := $(if $(filter x86_64,$(MACHINE)),late,linked)
FAR     := $(HAVE_FAR)
NEAR    := $(HAVE_NEAR) -lm -ldl -pthread
LIBS    := $(FAR) $(NEAR)

# The hot files are compiled once per instruction set; src/engine/engine.c picks one for each engine that is made.
HOT     := src/engine/engine_double.c src/engine/engine_lanes.c src/number/vector_functions.c src/linear/transition_kernel.c src/linear/chebyshev_stage.c src/sums/sums_engine.c
ISAS    := $(if $(filter x86_64,$(MACHINE)),sse2 avx2 avx512,any)
any     :=
# DEVELOP=1: for the instruction set of this machine alone, a third of the time.
DEVELOP :=
ifneq ($(DEVELOP),)
ISAS    := any
any     := $(if $(filter x86_64,$(MACHINE)),$(if $(shell grep -lm1 avx512vl /proc/cpuinfo),$$(avx512),$(if $(shell grep -lm1 avx2 /proc/cpuinfo),$$(avx2))))
FLAGS   += -DNOE_ONE_BUILD
endif
# Under sanitizers: address checks see null pointers and objects; UBSan's own checks of them take gcc five minutes a file.
# gcc empties the upper halves of the vector registers with -fexpensive-optimizations alone, which -O1 has not.
CHECKED := $(if $(findstring clang,$(CC)),,-fexpensive-optimizations) $(if $(findstring undefined,$(EXTRA)),-fno-sanitize=null$(,)alignment$(,)object-size $(if $(findstring clang,$(CC)),,-fno-var-tracking))
# clang takes more than five minutes for an engine: `make fuzz`, which is about text, has them from gcc, unchecked.
HOT_CC  := $(CC)
# gcc's second look for common subexpressions takes 45 % of its time here, and no step is faster for it.
LEAN    := $(if $(findstring clang,$(CC)),,-fno-gcse)
HOT_FLAGS = $(LEAN) $(if $(filter $(CC),$(HOT_CC)),$(FLAGS) $(CHECKED),$(filter-out $(EXTRA),$(FLAGS)))
# With other flags than those that were used last everything is compiled again; how B is written makes no difference.
MADE    := $(CC) $(filter-out -I% %/quad,$(FLAGS))
ifneq ($(file <$(B)/flags),$(MADE))
$(file >$(B)/flags,$(MADE))
endif
sse2    :=
# Eight doubles are copied by registers of 32 bytes: parts of 16 that are read as one of 32 stall.
avx2    := -mavx2 -mfma $(if $(findstring clang,$(CC)),,-mmove-max=256 -mstore-max=256)
avx512  := -mavx512f -mavx512dq -mavx512vl -mavx512bw
# Loops of known length, a step of a small system, become straight lines: clang does that by itself.
PEELED  := double.avx2 double.avx512 lanes.avx2 lanes.avx512 $(if $(any),double.any lanes.any)
PEELED  := $(foreach at,$(B) $(B)/unmeasured,$(PEELED:%=$(at)/engine/engine_%.o))
$(PEELED): PEEL := $(if $(findstring clang,$(CC)),,-fpeel-loops)

SRC     := $(filter-out $(if $(filter flint,$(HAVE)),,src/arb/%),$(wildcard src/*/*.c))
OBJ     := $(patsubst src/%.c,$(B)/%.o,$(filter-out $(HOT),$(SRC))) \
           $(foreach i,$(ISAS),$(patsubst src/%.c,$(B)/%.$(i).o,$(HOT)))
CLI     := $(patsubst %.c,$(B)/%.o,$(filter-out cli/late.c,$(wildcard cli/*.c)))
# The command for many processes: the same verbs, on MPI, PETSc and SLEPc, which nothing else here links.
MPI_NEED := petsc-dev slepc-dev openmpi-bin libopenmpi-dev libhdf5-mpi-dev
MPI_PACKAGES := slepc petsc ompi-c
MPI     := $(patsubst %.c,$(B)/%.o,$(wildcard mpi/*.c)) $(filter-out $(B)/cli/main.o $(B)/cli/processes.o,$(CLI)) $(B)/linked/command.o
TESTS   := $(patsubst %.c,$(B)/test/%,$(notdir $(shell test/able "$(HAVE) $(MACHINE)" $(wildcard test/*/test_*.c))))
# These compare the instruction sets.
TESTS   := $(if $(DEVELOP),$(filter-out %/test_elementary %/test_fuse,$(TESTS)),$(TESTS))
BENCHES := $(patsubst %.c,$(B)/%,$(wildcard bench/*.c))
EXAMPLES := $(patsubst %.c,$(B)/%,$(wildcard examples/*.c))

all: $(B)/noether $(B)/libnoether.a $(B)/libnoether.so

# ---- build ------------------------------------------------------------------------------------------------
$(B)/%.o: src/%.c $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -c $< -o $@
$(B)/engine/engine_quad.o: src/engine/engine_quad.c $(B)/flags
	@mkdir -p $(@D)
	$(HOT_CC) $(LEAN) $(if $(filter $(CC),$(HOT_CC)),$(FLAGS),$(filter-out $(EXTRA),$(FLAGS))) -c $< -o $@
# The page of animations, whose text the library holds.
$(B)/animate/page.inc: src/animate/page.html
	@mkdir -p $(@D)
	od -An -v -td1 $< | sed 's/^ *//; s/  */,/g; 1!s/^/,/' >$@
$(B)/animate/html_page.o: $(B)/animate/page.inc
$(B)/animate/html_page.o: FLAGS += -I$(B)
define hot
$(B)/%.$(1).o: src/%.c $(B)/flags
	@mkdir -p $$(@D)
	$(HOT_CC) $(HOT_FLAGS) $($(1)) $$(PEEL) -c $$< -o $$@
endef
$(foreach i,$(ISAS),$(eval $(call hot,$(i))))
# The command without the local error measure, to know what that costs: bench/guards.c.
define unmeasured
$(B)/unmeasured/%.$(1).o: src/%.c $(B)/flags
	@mkdir -p $$(@D)
	$(HOT_CC) $(HOT_FLAGS) -DNOE_UNMEASURED $($(1)) $$(PEEL) -c $$< -o $$@
endef
$(foreach i,$(ISAS),$(eval $(call unmeasured,$(i))))
MEASURED := $(filter $(B)/engine/engine_double.% $(B)/engine/engine_lanes.%,$(OBJ))
$(B)/unmeasured/noether: $(CLI) $(B)/$(LATE)/command.o $(patsubst $(B)/%,$(B)/unmeasured/%,$(MEASURED)) $(filter-out $(MEASURED),$(OBJ))
	$(CC) $(OPT) $(EXTRA) $^ -Wl,--as-needed $(LIBS) -o $@
$(B)/cli/%.o: cli/%.c $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -c $< -o $@
$(B)/libnoether.a: $(OBJ)
	rm -f $@ && ar rcs $@ $^
SHARED   = $(CC) $(OPT) $(EXTRA) -shared -Wl,-soname,libnoether.so.0 $(if $(EXTRA),,-Wl,-z,defs) $^ -Wl,--as-needed $(LIBS) -o $@
COMMAND  = $(CC) $(OPT) $(EXTRA) $^ -Wl,--as-needed $(LIBS) -o $@
$(B)/libnoether.so.0: $(OBJ) $(B)/$(LATE)/shared.o
	$(SHARED)
$(B)/libnoether.so: $(B)/libnoether.so.0
	ln -sf libnoether.so.0 $@
$(B)/noether: $(CLI) $(B)/$(LATE)/command.o $(B)/libnoether.a
	$(COMMAND)
# The same with all libraries linked, as on other machines: test/late.sh.
$(B)/linked/libnoether.so.0: $(OBJ) $(B)/linked/shared.o
	$(SHARED)
$(B)/linked/noether: $(CLI) $(B)/linked/command.o $(B)/libnoether.a
	$(COMMAND)
$(B)/%/command.o: cli/late.c $(B)/%/late.def
	$(CC) $(FLAGS) -I$(B)/$* -c $< -o $@
$(B)/%/shared.o: cli/late.c $(B)/%/late.def
	$(CC) $(FLAGS) -DNOE_SHARED -I$(B)/$* -c $< -o $@
$(B)/late/late.def: cli/far $(B)/libnoether.a
	@mkdir -p $(@D)
	$(CC) -shared -Wl,--no-as-needed $(FAR) -o $(B)/late/far.so
	cli/far $(B)/late/far.so $(B)/libnoether.a >$@
$(B)/linked/late.def:
	@mkdir -p $(@D)
	: >$@
.SECONDARY: $(B)/late/late.def $(B)/linked/late.def

$(B)/mpi/%.o: mpi/%.c $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $$(pkg-config --cflags-only-I $(MPI_PACKAGES) | sed 's/-I/-isystem /g') -c $< -o $@
# HDF5 for MPI is loaded by its own name, libhdf5_openmpi.so.103; its header has the functions that the serial one has not.
$(B)/mpi/parallel_hdf5.h:
	@mkdir -p $(@D)
	$(CC) -shared -Wl,--no-as-needed $$(pkg-config --libs hdf5-mpi) -o $(B)/mpi/parallel.so -x c /dev/null
	readelf -d $(B)/mpi/parallel.so | sed -n 's/.*(NEEDED).*\[\(libhdf5[^]]*\)\].*/#define PARALLEL_HDF5 "\1"/p' >$@
$(B)/mpi/shared_table.o: $(B)/mpi/parallel_hdf5.h
$(B)/mpi/shared_table.o: FLAGS := $(shell pkg-config --cflags-only-I hdf5-mpi 2>/dev/null) $(FLAGS)
$(B)/noether-mpi: $(MPI) $(B)/libnoether.a
	$(CC) $(OPT) $(EXTRA) $^ -Wl,--as-needed $$(pkg-config --libs $(MPI_PACKAGES)) $(LIBS) -o $@

# ---- tests: every test/*/test_*.c is a program ---------------------------------------------------------------
WRAP := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
vpath test_%.c $(sort $(dir $(wildcard test/*/test_*.c)))
.SECONDARY: $(TESTS:%=%.o)
$(B)/test/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -Itest -c $< -o $@
# Two hundred programs that contain the whole library: 2 GB, with its lines and names for debuggers 6.5 GB (DEVELOP=1 keeps them).
TEST_L  := $(if $(DEVELOP)$(EXTRA),,-Wl,--strip-debug)
$(B)/test/%: $(B)/test/%.o $(B)/libnoether.a
	$(CC) $(OPT) $(EXTRA) $(TEST_L) $(filter %.o %.a,$^) $(if $(shell grep -lE '__wrap_|failing.h' test/*/$*.c),$(WRAP)) $(if $(shell grep -l RBio.h test/*/$*.c),-lrbio) $(SYSTEM_L) -lcmocka $(LIBS) -o $@
$(B)/examples/%: examples/%.c $(B)/libnoether.a
	@mkdir -p $(@D)
	$(CC) -std=c99 $(OPT) $(EXTRA) $(TEST_L) -Wall -Wextra -Wpedantic -Iinclude $< $(B)/libnoether.a $(LIBS) -o $@
$(B)/bench/%: bench/%.c $(B)/libnoether.a
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -march=native $< $(B)/libnoether.a $(LIBS) -o $@

check: deps
	+$(MAKE) --no-print-directory tests
tests: all $(TESTS) $(EXAMPLES) $(if $(filter late,$(LATE)),$(addprefix $(B)/linked/,noether libnoether.so.0))
	test/run $(B)
# Without any optional library; and with one missing at a time, what needs it.  For the instruction set of this machine alone: `check`
# compares all of them.
PORTABLE := $(addprefix test_,lanes step_c splitting_orders splitting_laws damped_splitting forced_order \
                energy_balance elementary tape method_name tableau stability_windows rounding api_errors api_systems \
                api_integrators api_tables api_callbacks parse expression_values quadrature order action compose diff \
                family kept_sums sums_threads solver runge_kutta monodromy step_jacobian node_form decimal text_formats \
                output_files without_h5 refused_expressions refused_statements refused_sums hostile_text model_memory \
                members conserved memory table statistics) without.sh
check-minimal: deps
	+$(MAKE) --no-print-directory DEVELOP=1 B=$(B)/minimal WITHOUT="$(OPTIONAL)" portable
portable: all $(filter $(PORTABLE:%=$(B)/test/%),$(TESTS))
	test/run $(B) $(filter $(notdir $(TESTS)) %.sh,$(PORTABLE))
check-without: deps
	+@set -e; for library in $(OPTIONAL); do \
	    $(MAKE) --no-print-directory DEVELOP=1 -s B=$(B)/without WITHOUT=$$library all; \
	    NOE_BUILD_DIR=$(B)/without test/without.sh; done
# On aarch64, by Debian's cross compiler and qemu, some five minutes: what another processor can spoil is tested there (elementary
# functions, vectors, numbers read and written, generated C, threads, coefficients in binary128, lattices), and that runs of every
# system have the same bits as here.  From these all follows that the other tests say; NOE_RUN shortens test_lanes and test_rounding.
ARM := aarch64-linux-gnu
ARM_TESTS := $(addprefix test_,lanes kept_sums sums_threads method_name tableau stability_windows tape elementary \
                rounding api_errors api_systems api_integrators api_tables api_callbacks parse expression_values \
                quadrature runge_kutta action compose diff family) without.sh
check-arm: deps
	+$(MAKE) --no-print-directory DEVELOP=1 B=$(B)/minimal WITHOUT="$(OPTIONAL)" all
	@test/deps gcc-$(ARM) libc6-dev-arm64-cross qemu-user
	test/arm $(B)/arm/root
	+$(MAKE) --no-print-directory B=$(B)/arm CC=$(ARM)-gcc OPT=-O2 WITHOUT="$(OPTIONAL)" SYSTEM_C=-I$(B)/arm/root/usr/include \
	    SYSTEM_L="-L$(B)/arm/root/usr/lib/$(ARM) -Wl,-rpath,$(CURDIR)/$(B)/arm/root/usr/lib/$(ARM)" arm-tests
arm-tests: all $(filter $(ARM_TESTS:%=$(B)/test/%),$(TESTS))
	printf '#!/bin/sh\nexec %s -L /usr/$(ARM) $(CURDIR)/$(B)/noether "$$@"\n' "$$(command -v qemu-aarch64)" >$(B)/emulated && chmod +x $(B)/emulated
	NOETHER=$(CURDIR)/$(B)/emulated NOE_RUN="qemu-aarch64 -L /usr/$(ARM)" NOE_OTHER=$(CURDIR)/$(B)/../minimal/noether \
	    test/run $(B) same_bits.sh $(ARM_TESTS)
# NOE_RUN, as under emulation, shortens the two tests of millions of steps.
sanitize: deps
	+NOE_RUN=env $(MAKE) --no-print-directory B=$(B)/san OPT="-O1 -g" EXTRA="-fsanitize=address,undefined -fno-sanitize-recover=undefined" tests
# Lines of src that the tests execute, per cent.  What looks at the objects and at the layout is left out: counters are objects, too.
# A test that has no time or no memory to spare for counting fails here and is no reason to show nothing.
COVERED := $(notdir $(TESTS)) $(filter-out house.sh layers.sh format.sh kernels.sh,$(notdir $(wildcard test/*.sh)))
coverage: deps
	+$(MAKE) --no-print-directory B=$(B)/coverage OPT="-O1 -g" EXTRA="--coverage -fprofile-update=atomic" covered
	test/coverage $(B)/coverage
covered: all $(TESTS) $(EXAMPLES)
	find $(B) -name '*.gcda' -delete
	-test/run $(B) $(COVERED)
fuzz:
	+$(MAKE) --no-print-directory DEVELOP=1 B=$(B)/fuzz CC=clang HOT_CC=gcc OPT="-O1 -g" EXTRA="-fsanitize=fuzzer-no-link,address,undefined" $(B)/fuzz/libnoether.a
	clang $(FLAGS) -fsanitize=fuzzer,address,undefined test/fuzz_model.c $(B)/fuzz/libnoether.a $(LIBS) -o $(B)/fuzz/fuzz_model
	@mkdir -p $(B)/fuzz/corpus
	$(B)/fuzz/fuzz_model -max_total_time=$(or $(SECONDS),300) -timeout=5 $(B)/fuzz/corpus systems

# ---- what a person runs -----------------------------------------------------------------------------------
demo: deps
	+@$(MAKE) --no-print-directory -s -j$$(nproc) all
	@test/demo $(B)
bench: deps
	+@$(MAKE) --no-print-directory -s -j$$(nproc) all $(BENCHES) $(B)/unmeasured/noether
	@B=$(B) bench/run $(PART)
# Every table, figure and claim of the papers, on one page: build/papers/index.html and summary.txt.
papers: deps
	+@$(MAKE) --no-print-directory -s -j$$(nproc) all
	@NOETHER=$(B)/noether CC="$(CC)" papers/page $(B)/papers $(wildcard papers/[0-9]*)
# The energy error of six runs of 10^7 steps, minutes: build/brouwer/brouwer.svg, the picture in doc/lattices.md.
brouwer: all
	@doc/brouwer $(B)/noether $(B)/brouwer
# The reference of noether.h: build/api/html/index.html.
api:
	@test/deps doxygen
	@mkdir -p $(B)/api
	@{ cat doc/Doxyfile; echo 'PROJECT_NUMBER = $(VERSION)'; echo 'OUTPUT_DIRECTORY = $(B)/api'; } | doxygen -
	@echo $(B)/api/html/index.html
# The tag of a release: vVERSION, of a commit whose changes stand under that version.
tag:
	@git diff --quiet HEAD || { echo "make tag: commit or undo the changes of the tree first"; exit 1; }
	@test "$$(grep -m1 '^## ' CHANGELOG.md)" = "## $(VERSION)" || { echo "make tag: the first heading of CHANGELOG.md is not" \
	    "'## $(VERSION)': give what is unreleased its version there, in include/noether.h and in CITATION.cff"; exit 1; }
	git tag -a "v$(VERSION)" -m "noether $(VERSION)"
deps:
	@test/deps $(NEED)
# The Python package in a fresh virtual environment, and its tests; DEBIAN=1: without PyPI, by the packages of the system.
check-python: deps
	+$(MAKE) --no-print-directory all
	NOETHER_MAKE="DEVELOP=$(DEVELOP)" python/check $(B)
# Pages of --animate in Chromium, through puppeteer-core from npm; a minute.  Screenshots: SHOTS=FOLDER.
check-web: deps
	+$(MAKE) --no-print-directory all
	@test/deps chromium $(if $(shell command -v npm),,nodejs npm)
	cd web && npm install --no-audit --no-fund --silent
	node web/animations.test.mjs $(abspath $(B)) $(SHOTS)
	+$(MAKE) --no-print-directory playground
	node web/playground.test.mjs $(abspath $(B)) $(SHOTS)
	+@$(MAKE) --no-print-directory SITE=quick site
	node web/site.test.mjs $(abspath $(B))
# The playground, static files in build/playground: doc/playground.md.
playground: wasm
	@test/deps $(if $(shell command -v npm),,nodejs npm)
	cd web && npm install --no-audit --no-fund --silent
	web/playground/build $(B)
# The site, static files in build/site: every page of doc/, gallery, playground, papers, reference.  SITE=quick: without the last three.
site: deps
	@test/deps cmark-gfm $(if $(shell command -v node),,nodejs)
	+@$(MAKE) --no-print-directory all $(if $(filter quick,$(SITE)),,playground papers api)
	node web/site/build.mjs $(B)
# The engine for browsers, build/wasm/noether.wasm, and under node: bits of 20 systems by 6 methods, laws, certificates; a minute.
WASM_NEED := clang lld wasi-libc libclang-rt-14-dev-wasm32 libc++-14-dev-wasm32 libeigen3-dev
wasm: deps
	@test/deps $(WASM_NEED)
	+$(MAKE) --no-print-directory -f web/wasm.mk B=$(B)/wasm
check-wasm: deps wasm
	+$(MAKE) --no-print-directory all
	@test/deps $(if $(shell command -v node),,nodejs)
	node web/engine.test.mjs $(abspath $(B))
# A wheel for machines without a compiler, build/wheel/*.whl; its licences: python/LIBRARIES.md.
wheel: deps
	NOETHER_MAKE="DEVELOP=$(DEVELOP)" python/wheel $(B)
# Debian packages, build/deb/*.deb; check-deb installs them into a clean Debian and tries them there (root, some minutes).
deb: all
	@test/deps dpkg-dev binutils
	deb/build $(B) $(VERSION)
check-deb: deb
	@test/deps debootstrap
	deb/try $(B)
# The command for many processes, build/noether-mpi; its tests run up to seven of them: doc/cluster.md.
mpi: deps $(filter all,$(MAKECMDGOALS))
	@test/deps $(MPI_NEED)
	+$(MAKE) --no-print-directory $(B)/noether-mpi
check-mpi: mpi
	+$(MAKE) --no-print-directory all
	@test/deps hdf5-tools
	test/mpi $(B)
	test/mpi_ensembles $(B)
	test/mpi_matrices $(B)
	test/mpi_check $(B)
# For the Python package: with what to link libnoether.a, and where headers are.
libraries:
	@echo $(LIBS)
includes:
	@echo $(filter -I%,$(FLAGS))
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/lib/pkgconfig \
	    $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/noether/systems \
	    $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions
	install -m 755 $(B)/noether $(DESTDIR)$(PREFIX)/bin
	install -m 644 include/noether.h $(DESTDIR)$(PREFIX)/include
	install -m 644 $(B)/libnoether.a $(DESTDIR)$(PREFIX)/lib
	install -m 755 $(B)/libnoether.so.0 $(DESTDIR)$(PREFIX)/lib
	ln -sf libnoether.so.0 $(DESTDIR)$(PREFIX)/lib/libnoether.so
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|; s|@PRIVATE@|$(LIBS)|' noether.pc.in \
	    > $(DESTDIR)$(PREFIX)/lib/pkgconfig/noether.pc
	install -m 644 doc/noether.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 completion/noether.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/noether
	install -m 644 completion/_noether $(DESTDIR)$(PREFIX)/share/zsh/site-functions
	install -m 644 systems/*.lag $(DESTDIR)$(PREFIX)/share/noether/systems
# The promise of --tolerance over all systems to the ends they suggest, three tolerances, and 40 systems with what a step can
# jump over: minutes.
tolerance: all $(B)/test/test_tolerance $(B)/test/test_tolerance_events
	NOE_LONG=1 $(B)/test/test_tolerance
	NOE_BUILD_DIR=$(B) NOE_LONG=1 $(B)/test/test_tolerance_events
# 10000 damaged files to go on from, each refused or as it was, minutes.
damaged: all $(B)/test/test_damaged
	NOE_BUILD_DIR=$(B) NOE_DAMAGED=10000 $(B)/test/test_damaged
clean:
	rm -rf $(B)
.PHONY: all tag check check-minimal portable check-without check-arm arm-tests tests sanitize fuzz demo bench papers tolerance damaged deps install clean brouwer coverage covered api check-python check-web wasm check-wasm mpi check-mpi playground site deb check-deb wheel libraries includes
-include $(shell find $(B) -name '*.d' 2>/dev/null)
