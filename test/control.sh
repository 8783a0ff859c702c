#!/bin/bash
# noether optimize WORDS -> report, table, picture, exit status: what it gives, and every way to go wrong.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common"
has ipopt || { echo "left out, without ipopt: noether optimize"; exit 0; }
cat >move.lag <<'M'
parameter  m = 1
coordinate x
control    u
kinetic    m/2*x'^2
force      x = u
cost       u^2
start      x = 0
final      x = 1, x' = 0
M
optimize() { # ARGS: into out and err
    "$N" optimize "$@" >out 2>err
    status=$?
}
wrong() { # NAME MESSAGE STATEMENTS [ARGS]: of a model p.lag of these lines; exit status 2, one message, no output, no file
    local name=$1 message=$2
    printf "$3" >p.lag
    shift 3
    mkdir empty
    (cd empty && "$N" optimize ../p.lag "$@" --output o.csv >../out 2>../err)
    status=$?
    [ $status = 2 ] && [ ! -s out ] && [ -z "$(ls -A empty)" ] && head -1 err | grep -qF -e "$message"
    ok "$name" $?
    rm -rf empty
}

# ---- what it gives -------------------------------------------------------------------------------------------
optimize move.lag --until 1 --steps 4 --output o.csv --plot o.svg
[ $status = 0 ] && grep -qE '^  cost 12, estimated error [0-9.]*e(-1[4-9]|\+00) from 2 and 4 steps$' out && [ ! -s err ] && grep -q '<svg' o.svg
ok "a block is moved: cost 12, exact" $?
is "the columns of its table" "$(head -1 o.csv)" "t,x,x.v,x.p,u,x.multiplier"
optimize move.lag m=4 --until 1 --steps 2
grep -q '^  cost 192,' out
ok "parameters from the command line" $?
optimize move.lag --until 1 --steps 4 --output o.json
python3 -c 'import json; json.load(open("o.json"))' 2>/dev/null || ! command -v python3 >/dev/null
ok "as JSON" $?

# ---- the controls, run, repeat the motion to rounding -----------------------------------------------------------
repeat() { # MODEL METHOD STEPS: positions and momenta of the rows that both have
    cp "$R/systems/$1.lag" .
    optimize $1.lag --method "$2" --steps $3 --output found.csv
    [ $status = 0 ] || { ok "$1 by $2: an optimum" 1; return; }
    sed -n 's/^  noether run/run/p' out >line
    eval "\"$N\" $(cat line) --quiet --output again.csv" 2>err
    awk -F, -v bound="$4" '
        FNR == 1 { file++; for (i = 1; i <= NF; i++) { name = $i; sub(/^p\(/, "", name); if (sub(/\)$/, "", name)) name = name ".p"; col[file, name] = i }; next }
        file == 1 { t[FNR] = $1; line[FNR] = $0; rows = FNR; next }
        { for (r in t) if ((t[r] - $1)^2 < 1e-20) {
              split(line[r], a, ",")
              for (k in col) { split(k, w, SUBSEP); if (w[1] == 1 && (w[2] in want || !asked) && (2, w[2]) in col && w[2] != "t") {
                  d = a[col[1, w[2]]] - $col[2, w[2]]; if (d < 0) d = -d; size = a[col[1, w[2]]]; if (size < 0) size = -size
                  if (d > most) most = d; n++; if (d > bound * (1 + size)) bad = 1 } } } }
        END { printf "largest difference %.1e of %d numbers\n", most, n; exit bad || n < 40 }' found.csv again.csv >out
    ok "$1 by $2: noether run with its controls makes the same motion, $(cat out)" $?
}
repeat cart_pole_swing_up simpson 40 1e-9
repeat pendulum_swing_up simpson 80 1e-9
repeat double_pendulum_swing_up "lobatto 3" 40 1e-9
repeat arm_reach simpson 40 1e-11
repeat low_thrust_transfer "gauss 2" 40 1e-10
repeat walking_hip simpson 40 1e-11

# ---- where it ends otherwise -----------------------------------------------------------------------------------
ends() { # NAME MESSAGE STATEMENTS [ARGS]: status 3, a message that says what to try, and a table of the best point
    local name=$1 message=$2
    printf "$3" >p.lag
    shift 3
    rm -f best.csv
    optimize p.lag --output best.csv "$@"
    [ $status = 3 ] && grep -qF -e "$message" err && [ "$(wc -l <err)" = 1 ] && [ "$(wc -l <best.csv)" -gt 10 ]
    ok "$name" $?
}
plain='coordinate x\nkinetic x'"'"'^2/2\nforce x = u\n'
ends "infeasible" "widen the bounds" "control u in -1..1\n${plain}cost u^2\nstart x = 0\nfinal x = 1, x' = 0, t = 1\n"
ends "unbounded" "the cost seems to fall without bound" "control u\n${plain}cost -u^2\nstart x = 0\nfinal x = 1, t = 1\n" --iterations 300
cp "$R/systems/double_pendulum_swing_up.lag" d.lag
ends "iterations used up" "allow more with --iterations" "$(sed 's/%/%%/g' d.lag)\n" --iterations 5
ends "a cost that is not finite on the way" "keep coordinates away" "control u\n${plain}cost u^2 + sqrt(-1 - x^2)\nstart x = 0\nfinal x = 1, t = 1\n"
"$N" optimize d.lag --steps 4000 --output best.csv >out 2>err &
pid=$!
sleep 1.5
kill -INT $pid 2>/dev/null
wait $pid
status=$?
[ $status = 130 ] && grep -q 'interrupted: the best point of the search is written; it is no optimum' err && [ "$(wc -l <best.csv)" -gt 10 ]
ok "Ctrl-C keeps the best point" $?

# ---- bad input -------------------------------------------------------------------------------------------------
base="control u\n${plain}cost u^2\nstart x = 0\n"
wrong "no control" "nothing can be chosen" "coordinate x\nkinetic x'^2/2\ncost x^2\nfinal t = 1\n"
wrong "no cost" "no cost is stated" "control u\n${plain}final x = 1, t = 1\n"
wrong "no end" "no end of time" "${base}final x = 1\n"
wrong "an end before the start" "expected a later one" "${base}final x = 1, t = -1\n"
wrong "bounds of a control the wrong way round" "the bounds are the wrong way round: 3 is more than -3" "control u in 3..-3\n${plain}cost u^2\nfinal t = 1\n"
wrong "bounds of a coordinate the wrong way round" "the bounds are the wrong way round" "control u\ncoordinate x in 1..0\nkinetic x'^2/2\nforce x = u\ncost u^2\nfinal t = 1\n"
wrong "a start outside of its bounds" "the start of 'x' is outside of its bounds" "control u\ncoordinate x in 1..2\nkinetic x'^2/2\nforce x = u\ncost u^2\nfinal t = 1\n"
wrong "a final value outside of its bounds" "final value of 'x' is outside of its bounds" "control u\ncoordinate x in 0..2\nkinetic x'^2/2\nforce x = u\ncost u^2\nfinal x = 3, t = 1\n"
wrong "a control in the kinetic energy" "the control 'u' stands in the kinetic energy" "control u\ncoordinate x\nkinetic (1 + u)*x'^2/2\ncost u^2\nfinal t = 1\n"
wrong "constraints, and a final state off them" "has constraints" "control u\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = u\nconstraint ring: x^2 + y^2 = 1\ncost u^2\nstart x = 1\nfinal x = 2, t = 1\n"
wrong "a splitting" "is discretised by a Galerkin method" "${base}final x = 1, t = 1\n" --method verlet
wrong "an unknown coordinate at the end" "unknown name 'z'" "${base}final z = 1, t = 1\n"
wrong "a momentum at the start" "give the velocity of 'x'" "control u\n${plain}cost u^2\nstart p(x) = 1\nfinal x = 1, t = 1\n"
exit $failed
