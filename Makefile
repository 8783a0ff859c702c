# make, make check, make demo, make bench, make install: everything is built below build/
# SPDX-License-Identifier: BSD-3-Clause
CC      ?= gcc
PREFIX  ?= /usr/local
VERSION := $(shell sed -n 's/^.define NOE_VERSION "\(.*\)"/\1/p' include/noether.h)
B       := build

# -ffp-contract=off: a product and a sum are rounded one by one, on every machine.
OPT     ?= -O2
WARN    := -Wall -Wextra -Wpedantic -Wno-psabi
HDF5    := $(shell pkg-config --exists hdf5 2>/dev/null && echo yes)
HDF5_C  := $(if $(HDF5),-DNOE_HDF5 $(shell pkg-config --cflags hdf5))
HDF5_L  := $(if $(HDF5),$(shell pkg-config --libs hdf5))
QUAD    := -idirafter $(shell gcc -print-file-name=include)
CFLAGS  ?= -g
ALL_C   := -std=gnu17 $(OPT) $(CFLAGS) $(WARN) -ffp-contract=off -fno-math-errno -fPIC -fvisibility=hidden \
           -pthread -Iinclude -Isrc $(QUAD) $(HDF5_C) -MMD -MP
LIBS    := $(HDF5_L) -lsleef -lquadmath -lm -pthread

# The hot files are compiled once per instruction set; src/core/choose.c picks one at start-up.
ISAS        := sse2 avx2 avx512
FLAGS_sse2  :=
FLAGS_avx2  := -mavx2
FLAGS_avx512 := -mavx512f -mavx512dq -mavx512vl -mavx512bw -mprefer-vector-width=512
ifneq ($(shell uname -m),x86_64)
ISAS := sse2
endif

SRC   := $(wildcard src/*/*.c)
HOT   := src/core/double.c src/core/lanes.c
OBJ   := $(patsubst src/%.c,$(B)/%.o,$(filter-out $(HOT),$(SRC))) \
         $(foreach i,$(ISAS),$(patsubst src/%.c,$(B)/%.$(i).o,$(HOT)))
CLI   := $(patsubst %.c,$(B)/%.o,$(wildcard cli/*.c))

all: $(B)/noether $(B)/libnoether.a $(B)/libnoether.so

$(B)/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_C) -c $< -o $@
define hot
$(B)/%.$(1).o: src/%.c
	@mkdir -p $$(@D)
	$(CC) $(ALL_C) $(FLAGS_$(1)) -c $$< -o $$@
endef
$(foreach i,$(ISAS),$(eval $(call hot,$(i))))
$(B)/cli/%.o: cli/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_C) -c $< -o $@

$(B)/libnoether.a: $(OBJ)
	rm -f $@ && ar rcs $@ $^
$(B)/libnoether.so: $(OBJ)
	$(CC) -shared -Wl,-soname,libnoether.so.0 -Wl,-z,defs $(CFLAGS) $^ $(LIBS) -o $@
$(B)/noether: $(CLI) $(B)/libnoether.a
	$(CC) $(CFLAGS) $^ $(LIBS) -o $@

clean:
	rm -rf $(B)
.PHONY: all clean
-include $(shell find $(B) -name '*.d' 2>/dev/null)
