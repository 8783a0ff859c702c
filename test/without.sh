#!/bin/bash
# A library is missing -> one line that names it and what to install, status 2; all else works.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common"
S=$R/systems

# needs LIBRARY PATTERN ARGS: noether ARGS works, or says what is missing.
needs() {
    local library=$1 pattern=$2
    shift 2
    "$N" "$@" >out 2>err
    status=$?
    if has "$library"; then
        [ $status = 0 ]
        ok "with $library: noether $*" $?
    else
        [ $status = 2 ] && [ "$(wc -l <err)" = 1 ] && [ ! -s out ] && grep -q "without $pattern and build again" err
        ok "without $library: noether $*" $?
    fi
}

"$N" structure cantilever --size 3 --output plate >out
sed 's/_K.mtx/_K.mtx.gz/' plate.lag >pressed.lag
gzip -k plate_K.mtx
banner='%%MatrixMarket matrix coordinate real symmetric'
printf '%s\n2 2 3\n1 1 2\n2 1 1\n2 2 2\n' "$banner" >full_M.mtx
printf '%s\n2 2 2\n1 1 1\n2 2 3\n' "$banner" >full_K.mtx
printf 'coordinate x[1..2]\nmass "full_M.mtx"\nstiffness "full_K.mtx"\nstart x[1] = 1\nsuggest method = "simpson", step = 0.1, until = 1\n' >full.lag
needs hdf5 'HDF5; install libhdf5-dev' run "$S/pendulum.lag" --until 0.1 --output x.h5 --quiet
needs flint 'FLINT/Arb; install libflint-dev and libflint-arb-dev' run "$S/pendulum.lag" --until 0.02 --digits 40 --quiet
needs ipopt 'Ipopt; install coinor-libipopt-dev' optimize "$S/block_move.lag"
needs zlib 'zlib; install zlib1g-dev' run pressed.lag --until 0.0001 --quiet
needs lapack 'LAPACK; install libopenblas-dev' check "$S/kepler.lag"
printf 't,q\n0.5,1\n1,-0.5\n1.5,0.7\n' >measured.csv
needs cminpack 'cminpack; install libcminpack-dev' fit "$S/pendulum.lag" --data measured.csv --vary omega --quiet
has lapack && needs suitesparse 'SuiteSparse; install libsuitesparse-dev' run full.lag --until 1 --quiet
has lapack || needs lapack 'LAPACK; install libopenblas-dev' run full.lag --until 1 --quiet
if has arpack; then needs suitesparse 'SuiteSparse; install libsuitesparse-dev' check plate.lag
else needs arpack 'ARPACK; install libarpack2-dev' check plate.lag; fi
needs suitesparse 'SuiteSparse; install libsuitesparse-dev' structure cantilever --size 3 --consistent --output full

# Without gnuplot a picture is refused.
mkdir nothing
PATH=$T/nothing "$N" run "$S/pendulum.lag" --until 0.1 --plot x.svg --quiet >out 2>err
[ $? = 2 ] && grep -q 'gnuplot is not installed: apt-get install gnuplot-nox' err && [ ! -e x.svg ]
ok "without gnuplot: --plot" $?

# What needs none of them.
for s in double_pendulum kepler pleiades toda relativistic metronomes magnetic; do
    for m in simpson "gauss 3" verlet "compose 6 simpson" rk4; do
        "$N" run "$S/$s.lag" --method "$m" --until 0.2 --quiet >out 2>err || grep -q 'explicit\|separab\|depends on\|velocit' err || break 2
    done
done
ok "systems run" $?
"$N" run "$S/fput_alpha.lag" N=100 --method "gauss 2" --until 1 --quiet >out 2>err
ok "a chain of many coordinates by a method with modes" $?
"$N" run "$S/pendulum.lag" --digits 33 --until 0.1 --quiet >out 2>err
ok "binary128" $?
"$N" run plate.lag --until 0.0001 --quiet >out 2>err
ok "a structure with lumped mass" $?
"$N" run "$S/pendulum.lag" --tolerance 1e-6 --until 2 --quiet >out 2>err
ok "--tolerance" $?
"$N" run "$S/pendulum.lag" --sweep "q = 0.1..3 in 20" --until 1 --quiet >out 2>err
ok "an ensemble" $?
"$N" emit "$S/pendulum.lag" >out 2>err
ok "emit" $?
exit $failed
