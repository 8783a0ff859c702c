#!/bin/bash
# A run on another machine = the run here, bit for bit: every system, methods of every kind, binary128, ensembles, chains.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common"
S=$R/systems
OTHER=${NOE_OTHER:-$B/noether} # without one it is compared with its narrowest build

# same NAME ARGS: noether run ARGS gives the same rows here and there, or the same refusal.
compared=0
same() {
    local name=$1
    shift
    "$N" run "$@" --quiet >here 2>here.err
    local status=$?
    NOETHER_ISA=sse2 "$OTHER" run "$@" --quiet >there 2>there.err
    [ $status = $? ] && cmp -s here there && cmp -s here.err there.err
    local verdict=$?
    [ $status = 0 ] && compared=$((compared + $(wc -l <here)))
    [ $verdict = 0 ] || { ok "$name: noether run $*" 1; diff here there | head -4; diff here.err there.err | head -4; }
    return $verdict
}
# Steps as the model suggests; thirty of them, every number with all of its digits.  Where the other machine is emulated, three
# of the eight methods a system, other ones with another seed.
methods=(simpson "gauss 3" verlet "P4 clenshaw 5" rk4 "compose 6 simpson" sb3a-4 newmark)
first=${NOE_SEED:-0} some=${NOE_RUN:+3}
for s in "$S"/*.lag; do
    good=0 step=$(sed -n 's/.*step *= *\([^,#]*\).*/\1/p' "$s" | head -1)
    for ((k = 0; k < ${some:-8}; k++)); do
        same "$(basename "$s")" "$s" --method "${methods[first++ % 8]}" --until "30*$step" || good=1
    done
    same "$(basename "$s") in binary128" "$s" --digits 33 --method "gauss 2" --until "2*$step" || good=1
    ok "$(basename "$s")" $good
done

# Elementary functions of every kind, near and far.
cat >functions.lag <<'M'
coordinate x, y
parameter  a = 1.25
kinetic    x'^2/2 + (1 + 1/(2 + x^2)^a)*y'^2/2
potential  log(2 + x^2 + y^2)*(1 + atan(x)/9) + exp(-x^2)*cos(50000000*y) + (2 + x^2)^(a/3) + asin(tanh(x)/2) + acos(sin(y)/3)/4
           + tan(sin(x)/2) + cosh(y/3) - sinh(x/5)*atan2(y, 2 + x^2)
start      x = 0.3, y' = 0.7, x' = 0.2
suggest    method = "gauss 3", step = 0.02, until = 4
M
for m in simpson "gauss 3" "P4 clenshaw 5" rk4; do same functions functions.lag --method "$m"; done
same "functions in binary128" functions.lag --digits 33 --until 0.4
same "many steps by forces" "$S/pendulum.lag" --method "gauss 8" --step 0.1 --until 300 --every 100
same "an ensemble" functions.lag --until 1 --sweep 'a = 1..2 in 11'
same "a chain" "$S/fput_alpha.lag" N=100 --method "gauss 2" --until 2
same "a chain by an explicit method" "$S/fput_alpha.lag" N=1000 --method verlet --until 2
same "a tolerance" "$S/double_pendulum.lag" --tolerance 1e-8 --until 2
echo "$compared rows compared"
[ $compared -gt $((${some:-8} * 600)) ]
ok "rows were compared" $?
exit $failed
