#!/bin/bash
# noether gradient WORDS -> J and dJ/dc, JSON, exit status: what it gives, and every way to go wrong.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common"
cat >pair.lag <<'M'
parameter g = 9.81, m = 0.7, l = 0.9
coordinate a, b
lagrangian (1 + m)/2*l^2*a'^2 + m/2*l^2*b'^2 + m*l^2*a'*b'*cos(a - b)
lagrangian (1 + m)*g*l*cos(a) + m*g*l*cos(b)
start a = 1, b = -0.4, p(a) = 0.2, p(b) = -0.1
observe height = -l*cos(a) - l*cos(b)
suggest method = "simpson", step = 0.05, until = 0.4
M
gradient() { # ARGS: into out and err
    "$N" gradient "$@" >out 2>err
    status=$?
}
of() { sed -n "s/^$1  *[-0-9.e+]*  *\([-0-9.e+]*\)$/\1/p" out; } # NAME: dJ/dNAME
near() { awk -v a="$1" -v b="$2" -v by="$3" 'BEGIN { d = a - b; exit !(a != "" && b != "" && d <= by && -d <= by) }'; }
wrong() { # NAME MESSAGE ARGS: exit status 2, one message, no output
    local name=$1 message=$2
    shift 2
    gradient "$@"
    [ $status = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -qF -e "$message" err
    ok "$name" $?
}

# ---- what it gives: the columns d(..)/d(..) of a run, which go forward ---------------------------------------
"$N" run pair.lag --columns "d(a)/d(m), d(a)/d(l), d(a)/d(b), d(a)/d(p(a))" --every 8 --quiet >forward.csv
forward=($(tail -1 forward.csv | tr , ' '))
gradient pair.lag --of a
is "at the end" "$status $(cat err)" "0 "
near "$(of m)" "${forward[0]}" 1e-13 && near "$(of l)" "${forward[1]}" 1e-13 && near "$(of b)" "${forward[2]}" 1e-13 \
    && near "$(of 'p(a)')" "${forward[3]}" 1e-13
ok "as forward columns have it" $?
is "every parameter and start" "$(tail -n +3 out | cut -d' ' -f1 | tr '\n' ' ')" "g m l a b p(a) p(b) "
gradient pair.lag --of "height*a" --times 0.37
at=$(of l)
for l in 0.90001 0.89999; do "$N" run pair.lag l=$l --times 0.37 --columns "a, height" --quiet | tail -1 | tr , ' '; done >ends
near "$at" "$(awk '{ y[NR] = $1*$2 } END { printf "%.17g", (y[1] - y[2])/2e-5 }' ends)" 1e-8
ok "a product at a time between steps, by differences" $?
gradient pair.lag --of "(a - 0.8)^2" --every 1
J=$(sed -n 's/^J = .*: //p' out) sum=$(of g)
near "$J" "$("$N" run pair.lag --columns a --quiet | awk 'NR > 1 { s += ($1 - 0.8)^2 } END { printf "%.17g", s }')" 1e-12
ok "a sum over all steps" $?
gradient pair.lag --of "(a - 0.8)^2" --every 1 --json
is "JSON" "$status $(python3 -c 'import json; x = json.load(open("out")); print(len(x["gradient"]), x["gradient"][2]["name"], abs(x["value"] - '"$J"') < 1e-12, abs(x["gradient"][0]["gradient"] - '"$sum"') < 1e-12)' 2>&1)" "0 7 l True True"
gradient pair.lag m=0.8 --of "energy" --until 1 --step 0.1 --method "gauss 3"
is "a value, a step, a method" "$status $(sed -n 's/^m  *\([0-9.]*\) .*/\1/p' out)" "0 0.8"
printf 'parameter g = 9.81, e = 0.9\ncoordinate y\nkinetic y'"'"'^2/2\npotential g*y\nstart y = 1\nevent floor: y = 0 falling then bounce e\n' >ball.lag
gradient ball.lag --of y --method simpson --step 0.1 --until 1
# y = e v s - g s^2/2, s = 1 - t, v = g t, t = sqrt(2/g)
near "$(of e)" "$(awk 'BEGIN { t = sqrt(2/9.81); printf "%.17g", 9.81*t*(1 - t) }')" 1e-12 \
    && near "$(of g)" "$(awk 'BEGIN { g = 9.81; t = sqrt(2/g); s = 1 - t; d = t/(2*g); printf "%.17g", 0.9*t*s/2 - s*s/2 + (0.9*g*t - g*s)*d }')" 1e-12
ok "over an impact, by the formula" $?
is "help" "$("$N" gradient --help | grep -c -e '--of EXPR')" "2"

# ---- what goes wrong -----------------------------------------------------------------------------------------
wrong "no model" "which model?  noether gradient MODEL.lag --of EXPR" --of a
wrong "no function" 'the gradient of what?  --of EXPR, as --of "energy"' pair.lag
wrong "a name that is none" "--of 'c + 1': " pair.lag --of "c + 1"
wrong "an expression that ends early" "--of 'a +': " pair.lag --of "a +"
wrong "rows twice" "--every and --times" pair.lag --of a --every 1 --times 1
wrong "an end and times" "--until and --times" pair.lag --of a --until 1 --times 1
wrong "no steps" "--every" pair.lag --of a --every 0
wrong "a time before the start" "lies behind the start" pair.lag --of a --times=-1
wrong "an end before the start" "lies behind the start" pair.lag --of a --until=-1
wrong "a step of 0" "--step is 0" pair.lag --of a --step 0
wrong "a method without derivatives" "derivatives by parameters are not known for Runge-Kutta methods in (q, v)" pair.lag --of a --method rk4-v
wrong "no suggestion" "suggests no method: give --method" ball.lag --of y
printf 'coordinate x\nkinetic x'"'"'^2/2\npotential -1/x\nstart x = 1\n' >fall.lag
gradient fall.lag --of x --method simpson --step 0.1 --until 10
is "a motion that cannot go on" "$status $([ -s err ] && echo told) $(wc -c <out)" "3 told 0"
exit $failed
