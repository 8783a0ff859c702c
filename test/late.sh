#!/bin/bash
# Libraries that few runs need, loaded when they are called (LATE=late) or linked (LATE=linked): the same numbers; libnoether.so loads in 15 ms.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common"
S=$R/systems
if [ ! -e "$B/linked/noether" ]; then
    ok "on this machine all libraries are linked" 0
    exit
fi

# ---- the command -------------------------------------------------------------------------------------------
# same NAME ARGS: both commands print the same.
same() {
    local name=$1
    shift
    "$N" "$@" >late.out 2>late.err
    local status=$?
    "$B/linked/noether" "$@" >linked.out 2>linked.err
    [ $status = $? ] && [ -s late.out ] && cmp -s late.out linked.out && cmp -s late.err linked.err
    ok "$name: noether $*" $?
}
"$N" structure cantilever --dim 2 --size 12 --consistent --output plate >/dev/null
same "no library" run "$S/double_pendulum.lag" --until 1 --quiet
same "CHOLMOD" run plate.lag --quiet
same "ARPACK" check plate.lag
same "LAPACK" check "$S/kepler.lag"
"$N" run "$S/pendulum.lag" --quiet --columns t,q --output motion.csv --until 2 && "$N" run "$S/pendulum.lag" --quiet --until 1 --output run.h5
same "HDF5" run "$S/pendulum.lag" --from run.h5 --until 2 --columns t,q --quiet
same "cminpack" fit "$S/pendulum.lag" --data motion.csv --vary omega
same "Ipopt" optimize "$S/arm_reach.lag" --steps 20
same "FLINT" run "$S/pendulum.lag" --digits 50 --until 0.1 --columns t,q --quiet

# A run that has searched for symmetries, and has found none, has loaded OpenBLAS without a call, whose threads would wait for work on every processor.
"$N" run "$S/henon_heiles.lag" --step 0.01 --until 1e9 --every 1000000000 --quiet >/dev/null & run=$!
for i in $(seq 100); do
    grep -q blas "/proc/$run/maps" && break
    sleep 0.1
done
sleep 0.1
grep -q blas "/proc/$run/maps" && [ "$(ls "/proc/$run/task" | wc -l)" = 1 ]
ok "a run has no idle threads" $?
kill "$run"
wait "$run" 2>/dev/null

# ---- libraries that cannot be loaded -----------------------------------------------------------------------
mkdir broken
for name in $(cut -d'"' -f2 "$B/late/late.def" | sort -u); do echo "no library" >"broken/$name"; done
# refused NAME WORDS ARGS: a message with these words, and what to install.
refused() {
    local name=$1 words=$2
    shift 2
    LD_LIBRARY_PATH=$PWD/broken "$N" "$@" >broken.out 2>broken.err
    grep -q "$words.*install lib" broken.err && ! grep -q "cannot go on without a library" broken.err
    ok "$name cannot be loaded: noether $*" $?
}
refused FLINT "33 digits: FLINT/Arb cannot be loaded" run "$S/pendulum.lag" --digits 50 --until 0.1
refused HDF5 "run.h5.*: HDF5 cannot be loaded" run "$S/pendulum.lag" --quiet --until 1 --output run.h5
refused LAPACK "LAPACK cannot be loaded" check "$S/kepler.lag"
rm -f broken/lib*blas* broken/lib*lapack*  # the mass matrix asks for them first
refused SuiteSparse "SuiteSparse cannot be loaded" run plate.lag --quiet
LD_LIBRARY_PATH=$PWD/broken "$N" study convergence "$S/pendulum.lag" >broken.out 2>broken.err
ok "a study without FLINT" $?

# ---- the shared library ------------------------------------------------------------------------------------
cat >load.c <<'C'
#include "noether.h"
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>
static void *library;
#define CALL(f) (*(__typeof__(&f))dlsym(library, #f))
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}
int main(int argc, char **argv)
{
    const double began = now();
    library = dlopen(argv[1], RTLD_NOW);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
    if (argc < 3) return printf("%.3f\n", now() - began), 0;
    for (int i = 2; i < argc; i++) { /* a hundred steps, then the laws of the certificate */
        noe_system     *s = CALL(noe_system_load)(argv[i]);
        noe_method     *f = CALL(noe_method_parse)("simpson");
        noe_integrator *g = s ? CALL(noe_integrator_new)(s, f, 1e-6) : NULL;
        for (int k = 0; k < 100 && g; k++)
            if (CALL(noe_step)(g)) return fprintf(stderr, "%s\n", CALL(noe_error)()), 1;
        if (!g) return fprintf(stderr, "%s\n", CALL(noe_error)()), 1;
        for (int k = 0; k < CALL(noe_system_dim)(s); k++)
            printf("%a %a\n", CALL(noe_q)(g)[k], CALL(noe_p)(g)[k]);
        noe_table *t = CALL(noe_check)(s, f, 1e-6);
        printf("%s: %zu rows\n", argv[i], t ? CALL(noe_table_rows)(t) : 0);
        CALL(noe_table_free)(t), CALL(noe_integrator_free)(g), CALL(noe_method_free)(f), CALL(noe_system_free)(s);
    }
    return 0;
}
C
# A library with sanitizers asks for a program with them, and takes longer to load.
sanitizers=
nm -D "$B/libnoether.so.0" | grep -q __asan_init && sanitizers=-fsanitize=address,undefined
"${CC:-cc}" -std=gnu99 $sanitizers -I"$R/include" load.c -o load -ldl
ok "a program that loads the library" $?
./load "$B/libnoether.so.0" "$S/pendulum.lag" plate.lag >numbers.late 2>err || cat err
./load "$B/linked/libnoether.so.0" "$S/pendulum.lag" plate.lag >numbers.linked 2>err || cat err
[ "$(wc -l <numbers.linked)" -gt 300 ] && cmp -s numbers.late numbers.linked
ok "the same numbers, $(wc -l <numbers.linked) lines" $?
fastest() { for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do ./load "$1"; done | sort -n | head -1; }
late=$(fastest "$B/libnoether.so.0") linked=$(fastest "$B/linked/libnoether.so.0")
[ -n "$sanitizers" ] || awk "BEGIN { exit !($late <= 15) }"
ok "libnoether.so loads in $late ms, bound 15 (linked: $linked)" $?
readelf -d "$B/linked/libnoether.so.0" | grep NEEDED >needed.linked
readelf -d "$B/libnoether.so.0" | grep NEEDED >needed
[ "$(wc -l <needed)" -lt "$(wc -l <needed.linked)" ] && ! grep -qE 'hdf5|flint|cholmod|umfpack|klu|arpack|blas|lapack|cminpack' needed
ok "it waits for no library that few runs need" $?
exit $failed
