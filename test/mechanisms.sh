#!/bin/bash
# every verb with a constrained model: it works, or refuses in one line with exit status 2 and without a file.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common"
S=$R/systems/double_pendulum_rods.lag
refused() { # NAME MESSAGE ARGS
    local name=$1 message=$2
    shift 2
    mkdir empty
    (cd empty && "$N" "$@" >../out 2>../err)
    status=$?
    [ $status = 2 ] && [ ! -s out ] && [ -z "$(ls -A empty)" ] && [ "$(wc -l <err)" = 1 ] && grep -qF -- "$message" err
    ok "$name" $?
    rm -rf empty
}
run() { # FILE ARGS: its rows
    local file=$1
    shift
    "$N" run "$S" "$@" --output "$file" --quiet >out 2>err
}
last() { tail -1 "$1" | tr , ' '; }

# ---- what works ------------------------------------------------------------------------------------------------
"$N" study convergence "$S" --methods "simpson, lobatto 1, gauss 3" --step 1/40 --halvings 3 --until 0.5 --error x2 --quiet >out 2>err
is "study convergence: status, orders by regression" "$? $(awk '/regression/ { printf "%.0f %.0f %.0f", $2, $3, $4 }' out)" "0 4 2 6"
"$N" study work "$S" --methods "simpson, gauss 3" --step 1/40 --halvings 1 --until 0.5 --quiet >out 2>err && [ "$(grep -c '^simpson ' out)" = 2 ]
ok "study work" $?
"$N" study drift "$S" --methods simpson --step 0.01 --until 2 --quiet >out 2>err && grep -q '^energy' out
ok "study drift" $?

# The same motion in all digits of binary128, and to a tolerance.
run exact.csv --method "gauss 6" --step 0.005 --digits 33 --until 0.5 --columns t,x2,y2,upper.error &&
    awk -F, 'NR > 1 { e = $4 < 0 ? -$4 : $4; if (!(e < 1e-33)) exit 1 } END { exit NR != 102 }' exact.csv
ok "--digits 33: the rod is as long as 33 digits tell, at every row" $?
run tolerance.csv --tolerance 1e-9 --until 0.5 --columns t,x2,y2
ok "--tolerance" $?
echo "$(last exact.csv) $(last tolerance.csv)" | awk '{ d = ($2 - $6) ^ 2 + ($3 - $7) ^ 2; exit !(d < (1e-9 * 0.5) ^ 2) }'
ok "--tolerance 1e-9 is kept, beside the run in 33 digits" $?

# A velocity that the constraints keep at 0 (u2.z of this linkage) is rounding, and its jumps are no error.
"$N" run "$R/systems/bennett_linkage.lag" --method "gauss 3" --step 0.01 --until 2.5 --quiet --output bennett.csv 2>err
is "a velocity of rounding alone is no jump: status, warnings, rows" "$? $(cat err) $(wc -l <bennett.csv)" "0  252"
"$N" run "$R/systems/bennett_linkage.lag" --method "gauss 8" --step 0.01 --until 3 --quiet --output bennett.csv 2>err
is "nor are the slopes of eight nodes, which constraints round" "$? $(cat err) $(wc -l <bennett.csv)" "0  302"

# A member of an ensemble has the bits of a run alone.
run sweep.csv --sweep "m1 = 1.5..1.5 in 2" --until 0.2 --columns t,x2,upper.force,lower.force
members=$?
run one.csv m1=1.5 --until 0.2 --columns t,x2,upper.force,lower.force
is "--sweep: status, mean of equal members" "$members $(last sweep.csv | awk '{ print $3, $10, $17 }')" \
    "0 $(last one.csv | awk '{ print $2, $3, $4 }')"
run scatter.csv --scatter "m1 ~ normal(1, 0.01)" --members 4 --until 0.1 && [ "$(wc -l <scatter.csv)" = 12 ]
ok "--scatter" $?
printf 'm1\n1.5\n1.5\n' >members.csv
run members_rows.csv --ensemble members.csv --until 0.2 --columns t,x2,upper.force,lower.force
is "--ensemble: the same rows" "$? $(last members_rows.csv)" "0 $(last sweep.csv)"

# The derivative by a parameter beside the difference of two runs in 33 digits; a fit finds what the data were made with.
run slope.csv m1=1.5 --until 0.2 --columns "t,d(x2)/d(m1)" && run above.csv m1=1.5+1e-6 --until 0.2 --columns t,x2 --digits 33 &&
    run below.csv m1=1.5-1e-6 --until 0.2 --columns t,x2 --digits 33
echo "$? $(last slope.csv) $(last above.csv) $(last below.csv)" |
    awk '{ d = (substr($5, 1, 17) - substr($7, 1, 17)) / 2e-6 - $3; exit $1 || !(d * d < 1e-18) }'
ok "derivatives: d(x2)/d(m1), by differences to 1e-9" $?
run data.csv m1=1.5 --until 0.5 --columns t,x2 && "$N" fit "$S" --data data.csv --vary m1 >out 2>err
is "fit: status, mass" "$? $(awk '$1 == "m1" { printf "%.10f", $2 }' out)" "0 1.5000000000"

# A chain that hangs at rest: what rounding moves is told in units that a system at rest has, too.
printf 'parameter l = 1\ncoordinate x, y, u, w\nkinetic (x'"'"'^2 + y'"'"'^2 + u'"'"'^2 + w'"'"'^2)/2\npotential 9.81*(y + w)
constraint upper: sqrt(x^2 + y^2) = l\nconstraint lower: sqrt((u - x)^2 + (w - y)^2) = l\nstart y = -l, w = -2*l
suggest method = "simpson", step = 0.01, until = 1\n' >rest.lag
"$N" check rest.lag >out 2>err
is "check of a chain at rest: status, floors below 1e-14" "$? $(awk '/ (solver|energy) floor  / { print ($4 < 1e-14) }' out | tr '\n' ' ')" "0 1 1 "

# ---- what refuses ----------------------------------------------------------------------------------------------
refused "emit" "C without the library is not written for systems with constraints: its step would not keep 'upper'" emit "$S"
refused "emit --step" "C without the library is not written for systems with constraints: its step would not keep 'upper'" emit "$S" --step simpson
refused "--digits 50" "constraints are kept in up to 33 digits, not in 50" run "$S" --digits 50
refused "verlet" "'verlet' cannot keep the constraint 'upper': its drifts leave the surface; take a Galerkin method" run "$S" --method verlet
refused "rk4" "'rk4' cannot keep the constraint 'upper'" run "$S" --method rk4
ball="coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\nconstraint rod: x^2 + y^2 = 1\nstart x = 1\nsuggest method = \"simpson\", step = 0.01, until = 1\n"
printf "${ball}control u\ncost u^2\nforce x = u\nfinal x = -1, t = 1\n" >control.lag
refused "optimize" "the model has constraints: it cannot be optimised" optimize "$T/control.lag"
printf "${ball}exact pendulum\n" >exact.lag
"$N" run exact.lag >out 2>err
is "exact" "$? $(wc -c <out) $(head -1 err)" \
    "2 0 exact.lag:4:12: the model has constraints, and the closed form 'pendulum' is of a motion without: leave out 'exact'"
exit $failed
