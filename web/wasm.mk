# make -f web/wasm.mk B=FOLDER: the engine for browsers, FOLDER/noether.wasm: the library, its public functions exported, and the command.
# By Debian's clang 14 and wasi-libc; web/posix/ and web/posix.c hold what that lacks, web/binary128.c what its long double lacks,
# and Eigen stands for LAPACK (web/lapack.cpp).
# SPDX-License-Identifier: BSD-3-Clause
B      ?= build/wasm
CC     := clang --target=wasm32-wasi
LIB    := $(shell clang -print-resource-dir)/lib/wasi/libclang_rt.builtins-wasm32.a
$(shell CC="$(CC)" src/have $(B) hdf5 flint suitesparse arpack lapack zlib cminpack ipopt)

# As everywhere: products and sums are rounded one by one.  setjmp and longjmp become exceptions.
FLAGS  := -std=gnu17 -O2 -ffp-contract=off -fno-math-errno -fvisibility=hidden -mllvm -wasm-enable-sjlj -mexception-handling \
          -nostdlibinc -isystem web/posix -include web/posix/process.h -isystem /usr/include/wasm32-wasi -Iinclude -Isrc -Icli -I$(B) -DNOE_LAPACK -MD -MP \
          -Wall -Wextra -Wno-psabi -Wno-deprecated-declarations -Wno-bitwise-instead-of-logical -Wno-string-concatenation -Wno-missing-field-initializers
# 4 MB of stack below the data, so that too deep a recursion ends with an error; memory ends at 1 GB, and noether says so.
LINK   := --sysroot=/usr -mexec-model=reactor -nodefaultlibs -Wl,--export-dynamic,--export=noether_command,--export=malloc,--export=free \
          -Wl,-z,stack-size=4194304,--stack-first,--max-memory=1073741824,--strip-all

SOURCE := $(filter-out src/arb/% cli/late.c,$(wildcard src/*/*.c cli/*.c web/*.c))
OBJECT := $(SOURCE:%.c=$(B)/%.o) $(B)/web/lapack.o
CXXFLAGS := --target=wasm32-wasi -std=c++17 -O2 -ffp-contract=off -fvisibility=hidden -fno-exceptions -fno-rtti -DNDEBUG -nostdlibinc \
          -isystem /usr/include/wasm32-wasi/c++/v1 -isystem /usr/include/wasm32-wasi -isystem /usr/include/eigen3 -MD -MP -Wall -Wextra

ifneq ($(file <$(B)/flags),$(FLAGS) $(CXXFLAGS))
$(file >$(B)/flags,$(FLAGS) $(CXXFLAGS))
endif
$(B)/noether.wasm: $(OBJECT)
	$(CC) $(LINK) $^ -lc++ -lc++abi -lc-printscan-long-double -lc -lm $(LIB) -o $@
$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -c $< -o $@
$(B)/%.o: %.cpp $(B)/flags
	@mkdir -p $(@D)
	clang++ $(CXXFLAGS) -c $< -o $@
# The page of animations, whose text the library holds.
$(B)/animate/page.inc: src/animate/page.html
	@mkdir -p $(@D)
	od -An -v -td1 $< | sed 's/^ *//; s/  */,/g; 1!s/^/,/' >$@
$(B)/src/animate/html_page.o: $(B)/animate/page.inc
-include $(OBJECT:.o=.d)
