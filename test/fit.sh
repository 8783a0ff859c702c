#!/bin/bash
# noether fit WORDS -> estimates, a model, a picture, JSON, notes, an exit status: every way to go wrong.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common"
has cminpack || { echo "left out, without cminpack: noether fit"; exit 0; }
cat >swing.lag <<'M'
parameter   g = 9.81, l = 0.8, c = 0.1
parameter   n = 1
coordinate  theta
kinetic     l^2/2*theta'^2
potential   -g*l*cos(theta) + sum(i in 1..n) 0*theta
dissipation c*l^2/2*theta'^2
observe     degrees = theta*180/pi
start       theta = 1
suggest     method = "simpson", step = 0.05, until = 5
M
"$N" run swing.lag --columns t,theta,degrees --every 2 --quiet >rows.csv
fit() { # ARGS: into out and err
    "$N" fit "$@" >out 2>err
    status=$?
}
refused() { # NAME MESSAGE ARGS: one line, exit status 2, no output, no file
    local name=$1 message=$2
    shift 2
    mkdir empty
    (cd empty && "$N" fit "$@" >../out 2>../err)
    status=$?
    [ $status = 2 ] && [ ! -s out ] && [ -z "$(ls -A empty)" ] && [ "$(cat err)" = "noether: $message" ]
    ok "$name" $?
    rm -rf empty
}
wrong() { # NAME MESSAGE DATA [ARGS]: the same of a data file d.csv
    local name=$1 message=$2
    printf "$3" >d.csv
    shift 3
    refused "$name" "$message" ../swing.lag --data ../d.csv --vary "${vary:-l}" "$@"
}

# ---- what it gives -------------------------------------------------------------------------------------------
fit swing.lag l=0.7 --data rows.csv --vary "l in 0.1..2, c, theta(0)" --columns theta --output fitted.lag --json
is "a fit" "$status $(cat err)" "0 "
python3 - out <<'P' 2>/dev/null || ! command -v python3 >/dev/null
import json, sys
x = json.load(open(sys.argv[1]))
value = {e["name"]: e["value"] for e in x["estimates"]}
assert abs(value["l"] - 0.8) < 1e-9 and abs(value["c"] - 0.1) < 1e-9 and abs(value["theta(0)"] - 1) < 1e-9
assert len(x["data"]) == 51 and len(x["correlations"]) == 3 and x["undetermined"] is None
P
ok "as JSON" $?
"$N" run fitted.lag --columns t,theta,degrees --every 2 --quiet >again.csv
paste -d, rows.csv again.csv | awk -F, 'NR > 1 && ($2 - $5)^2 > 1e-18 { bad = 1 } END { exit bad || NR != 52 }'
ok "the model that it writes moves as the data" $?
is "with its comments and all else" "$(sed '1d; s/= [0-9.]*$/=/' fitted.lag | grep -v '^start')" "$(sed '1d; s/= [0-9.]*$/=/' swing.lag | grep -v '^start')"
fit swing.lag --data rows.csv --vary "l in 0.1..2, c" --starts 4 --seed 7 --quiet
grep -q '4 starts (seed 7), [1-4] of them came to this minimum' out
ok "many starts" $?
head -30 rows.csv | cut -d, -f1,3 | sed 's/degrees/angle/' >angle.csv
fit swing.lag --data angle.csv --columns "degrees = angle" --weights "degrees = 0.1" --vary "l, c" --plot p.svg --quiet
[ $status = 0 ] && grep -q 'error given 0.1' out && grep -q '<svg' p.svg
ok "columns by another name, given errors, a picture" $?
fit swing.lag --data rows.csv --vary "l, c" --columns theta --quiet && mv out plain
for apart in , ';' '\t' ' '; do
    sed "1s/degrees/\"in degrees; 360, of a turn\"/; 2,\$s/,/$apart/g; 1s/,t/${apart}t/; 1s/a,\"/a$apart\"/" rows.csv >quoted.csv
    fit swing.lag --data quoted.csv --vary "l, c" --columns theta --quiet
    cmp -s out plain
    ok "separators in quotes do not separate the names, '$apart' does" $?
done
printf 'parameter g = 9\ncoordinate theta\nkinetic theta'"'"'^2/2\npotential -g*cos(theta)\nmonitor 2 + cos(theta)\nstart theta = 1\nsuggest method = "simpson", step = 0.1, until = 1\n' >paced.lag
"$N" run paced.lag g=9.7 theta=1.1 --rows 21 --until 3 --columns t,theta --quiet >paced.csv
fit paced.lag --data paced.csv --vary "g, theta" --json
python3 - out <<'P' 2>/dev/null || ! command -v python3 >/dev/null
import json, sys
value = {e["name"]: e["value"] for e in json.load(open(sys.argv[1]))["estimates"]}
assert abs(value["g"] - 9.7) < 1e-9 and abs(value["theta"] - 1.1) < 1e-9
P
ok "steps that follow a monitor" $?
{ cat swing.lag; echo 'unit theta = "rad", t = "s"'; } >units.lag
fit units.lag --data rows.csv --vary "l, c" --columns theta --plot units.svg --quiet
is "the picture has the units of the model" "$(grep -oE '>(theta|theta: data minus model|t) \[[a-z]*\]<' units.svg | sort -u | tr -d '<>' | paste -sd,)" \
    "t [s],theta [rad],theta: data minus model [rad]"
"$N" run swing.lag theta=0.4 --columns t,theta --every 3 --quiet >second.csv
fit swing.lag --data rows.csv --data "second.csv with theta = 0.5" --vary "l, each theta(0)" --columns theta --quiet
[ $status = 0 ] && grep -q '^theta(0) of rows.csv  *1.0000' out && grep -q '^theta(0) of second.csv 0.4000' out
ok "two files, each with its own start" $?

# ---- what it tells -------------------------------------------------------------------------------------------
fit swing.lag --data rows.csv --vary "l, g" --columns theta --json
[ $status = 3 ] && grep -q 'cannot tell apart: l by [0-9.]* %, g by [0-9.]* %' err && grep -q '"error": null' out
ok "parameters that cannot be told apart" $?
fit swing.lag --data rows.csv --vary "l, n2" --columns theta
sed -i '2s/$/, n2 = 1/' swing.lag
fit swing.lag --data rows.csv --vary "l, n2" --columns theta
[ $status = 3 ] && grep -q 'n2 has no influence on the data' err
ok "a parameter without influence" $?
awk -F, -v OFS=, 'NR > 1 { $2 *= 1000 } { print }' rows.csv >mm.csv
fit swing.lag --data mm.csv --vary "l in 0.5..1" --columns theta
grep -q "'theta': the data reach 1000, the model with its first values 1, a factor of about 1000: are the units the same?" err
ok "units that are wrong by 1000" $?
sed 's/degrees/x/; s/theta/degrees/; s/x$/theta/' rows.csv >degrees.csv
fit swing.lag --data degrees.csv --vary "l in 0.5..1" --columns theta
grep -q "are the data in degrees and the model in radians?" err
ok "degrees for radians" $?
awk -F, -v OFS=, 'NR > 1 { $1 *= 1000 } NR < 4 { print }' rows.csv >ms.csv
fit swing.lag --data ms.csv --vary l --columns theta --step 1 --method "gauss 3"
head -20 rows.csv >early.csv
fit swing.lag --data early.csv --vary "l, c" --columns theta
grep -q "early.csv ends at t = 1.8, before the model's end at t = 5" err
ok "data that end before the model" $?
fit swing.lag --data rows.csv --vary "l in 0.1..0.7" l=0.6 --columns theta
grep -q '^l 0.7, at its bound' out && grep -q 'stands at its bound' err
ok "an estimate at its bound" $?
fit swing.lag --data rows.csv --vary "l, c" --columns theta --weights 1e-2 c=0.3
[ $status = 0 ] && [ ! -s err ]
ok "given errors that hold" $?

cat >spring.lag <<'M'
parameter  g = 9.81, k = 1
coordinate theta
kinetic    theta'^2/2
potential  -g*cos(theta) + k*theta^2/2
start      theta = 0.05
suggest    method = "simpson", step = 0.05, until = 5
M
"$N" run spring.lag --columns t,theta --quiet >spring.csv
fit spring.lag --data spring.csv --vary "g, k" --weights 0.001
[ $status = 0 ] && grep -q 'the data hardly tell apart what changes g by -[0-9.]* %, k by 1 %' err
ok "parameters that are hardly told apart" $?
fit swing.lag --data rows.csv --vary "theta(0) in 2..3" theta=2.5 --columns theta
grep -q "the model explains little of 'theta': what is left is .* (--starts, --segments)" err
ok "a model that explains little" $?
fit swing.lag --data rows.csv --vary "theta(0)" l=0.81 --columns theta --weights 1e-3
grep -q 'the residuals are [0-9.]* times the errors that --weights gives' err
ok "given errors that do not hold" $?
fit swing.lag l=0.3 --data rows.csv --vary "l, c" --columns theta --segments 8 --quiet
[ $status = 0 ] && grep -q '^l 0.8000000' out
ok "pieces of the motion find the way" $?
fit swing.lag --data rows.csv --vary "l, c" --columns theta --weights 1e-5 --step 0.1
grep -q 'with half the step the model is elsewhere by up to [0-9.e+]* of the errors of the data' err
ok "steps that are too long" $?
timeout --preserve-status -s INT 1 "$N" fit swing.lag --data rows.csv --vary "l in 0.1..2, c in 0..2, theta(0) in 0..3" --columns theta --starts 100000 --step 0.001 >out 2>err
is "Ctrl-C" "$? $(cat err out)" "130 noether: interrupted: nothing was written"
printf 'event low: theta = -0.9 stop\n' | cat swing.lag - >stopped.lag
fit stopped.lag --data rows.csv --vary "l" --columns theta
[ $status = 3 ] && grep -q "rows.csv:[0-9]*: the motion ends at the event 'low' at t = [0-9.]*, the data go on at t = " err
ok "a motion that ends before the data" $?
fit swing.lag --data rows.csv --vary "l" --columns theta --method rk4-v
[ $status != 0 ] && [ ! -s out ] && grep -q "rk4-v" err
ok "a method without derivatives" $?

# A frame of two storeys on ground that shakes: stiffnesses and damping from the accelerations of its floors.
awk 'BEGIN { for (i = 0; i <= 400; i++) { t = i/40; print t "," 3*exp(-(t - 4)^2/6)*(sin(9*t) + sin(13.7*t + 1) + 0.7*sin(21*t)) } }' >quake.csv
cat >frame.lag <<'M'
parameter   m = 2000, k1 = 8e5, k2 = 6e5, c = 3000
coordinate  u1, u2                        # of the floors, relative to the ground
kinetic     m/2*(u1'^2 + u2'^2)
potential   k1/2*u1^2 + k2/2*(u2 - u1)^2
dissipation c/2*(u1'^2 + (u2' - u1')^2)
force       u1 = -m*table("quake.csv", t, cubic)
force       u2 = -m*table("quake.csv", t, cubic)
observe     top = (-k2*(u2 - u1) - c*(u2' - u1'))/m   # acceleration of the upper floor
observe     low = (-k1*u1 + k2*(u2 - u1) - c*u1' + c*(u2' - u1'))/m
suggest     method = "gauss 2", step = 0.01, until = 10
M
"$N" run frame.lag --columns t,low,top --every 2 --quiet | awk -F, -v OFS=, 'BEGIN { srand(1) }
    function e() { s = -6; for (j = 0; j < 12; j++) s += rand(); return 0.05*s } NR > 1 { $2 += e(); $3 += e() } { print }' >floors.csv
fit frame.lag k1=1e6 k2=4e5 c=1000 --data floors.csv --vary "k1 in 1e5..1e7, k2 in 1e5..1e7, c in 0..1e5" --json
python3 - out <<'P' 2>err || ! command -v python3 >/dev/null
import json, sys
x = json.load(open(sys.argv[1]))
for e, truth in zip(x["estimates"], (8e5, 6e5, 3000)):
    assert abs(e["value"] - truth) < 5 * e["error"] < 0.1 * truth, e
P
ok "a frame in an earthquake" $?

# ---- every way to go wrong -----------------------------------------------------------------------------------
refused "no model" "which model?  noether fit MODEL.lag --data FILE --vary LIST" --data ../rows.csv --vary l
refused "no data" 'fit to what?  --data FILE names the measurements' ../swing.lag --vary l
refused "nothing to vary" 'what is to be estimated?  --vary "l, q(0)"' ../swing.lag --data ../rows.csv
refused "no such file" "none.csv: cannot read the data: No such file or directory" ../swing.lag --data none.csv --vary l
refused "a parameter that the model does not have" "--vary: 'k' is neither a parameter nor the start of a coordinate" ../swing.lag --data ../rows.csv --vary k
refused "one that is an index" "--vary: ../swing.lag: 'n' is an index or a number of terms: no derivative by it" ../swing.lag --data ../rows.csv --vary n
refused "bounds the wrong way round" "--vary: 'l in 2..0.1': the bounds are the wrong way round: the lower one comes first" ../swing.lag --data ../rows.csv --vary "l in 2..0.1"
refused "one bound" "--vary: 'l in 2': expected two bounds, as 0.1..2" ../swing.lag --data ../rows.csv --vary "l in 2"
refused "a start outside its bounds" "--vary: l begins at 0.8, outside its bounds 1..2" ../swing.lag --data ../rows.csv --vary "l in 1..2"
refused "the same twice" "--vary: 'theta' and 'theta(0)' are the same" ../swing.lag --data ../rows.csv --vary "theta, theta(0)"
refused "velocity and momentum" "--vary: 'theta'' and 'p(theta)' are the same start: name one of them" ../swing.lag --data ../rows.csv --vary "theta', p(theta)"
refused "a column that the data do not have" "../rows.csv: no column 'phi'" ../swing.lag --data ../rows.csv --vary l --columns "theta = phi"
refused "a column that the model does not have" "--columns: unknown column or option 'phi'" ../swing.lag --data ../rows.csv --vary l --columns "phi"
refused "a column without derivatives" "--columns: 'work' has no derivative: coordinates, velocities, momenta, energy and observables are compared" ../swing.lag --data ../rows.csv --vary l --columns "work = theta"
refused "a weight of 0" "--weights: '0': expected a standard deviation above 0" ../swing.lag --data ../rows.csv --vary l --weights "theta = 0"
refused "a weight of no column" "--weights: 'phi' is no column that is compared" ../swing.lag --data ../rows.csv --vary l --weights "phi = 1"
refused "starts without bounds" '--starts 5: they are drawn between bounds, and --vary has none: write "l in A..B"' ../swing.lag --data ../rows.csv --vary l --starts 5
refused "an output that is no model" "--output x.json: a fit writes a model: its name must end in .lag; --json prints numbers" ../swing.lag --data ../rows.csv --vary l --output x.json
refused "a chain of many" "$R/systems/fput_alpha.lag: derivatives by parameters and starts are not known for models with sums that are not written out (more than 64 coordinates)" "$R/systems/fput_alpha.lag" N=100 --data ../rows.csv --vary "x[3]"
{ cat paced.lag; echo 'event wall: theta = 2 rising then bounce 1'; } >bounced.lag
refused "a monitor and impacts" "../bounced.lag: derivatives by parameters and starts are not known for models with a monitor and events that change the motion: leave out the monitor, 'monitor=none' after the model" ../bounced.lag --data ../rows.csv --vary "g"
refused "a step backwards" "the step is -0.1: expected a number above 0: data are read in the order of time" ../swing.lag --data ../rows.csv --vary l --step -0.1
wrong "data without rows" "../d.csv: there are no rows of data below the names" 't,theta\n'
wrong "an empty file" "../d.csv: the file is empty" '# nothing\n'
wrong "data without names" "../d.csv:1: expected the names of the columns in the first line, as t,q1, found '1'" '1,2\n2,3\n'
wrong "only cells that are missing" "../d.csv: there are no data: every cell that is compared is empty" 't,theta\n1,NaN\n2,\n'
wrong "no numbers" "../d.csv:3: expected a finite number, or nothing where it is missing, found 'x'" 't,theta\n1,2\n2,x\n'
wrong "infinite" "../d.csv:2: expected a finite number, or nothing where it is missing, found 'inf'" 't,theta\n1,inf\n2,3\n'
wrong "a time that is missing" "../d.csv:3: the time 't' is missing" 't,theta\n1,2\n,3\n'
wrong "a time before the start" "../d.csv:2: t = -1 is before the start of the model, t = 0" 't,theta\n-1,2\n1,3\n'
wrong "no times" "../d.csv: no column 't' of times; --columns \"t = NAME, ..\" names it" 'time,theta\n1,2\n'
wrong "text after quotes" "../d.csv:2: expected a finite number, or nothing where it is missing, found '\"2\"5'" 't,theta\n1,"2"5\n'
wrong "too many cells" "../d.csv:2: more cells than the first line has names" 't,theta\n1,2,3\n'
wrong "too few cells" "../d.csv:3: fewer cells than the first line has names" 't,theta\n1,2\n2\n'
wrong "a name twice" "../d.csv:1: two columns have the same name, found 'theta'" 't,theta,theta\n1,2,3\n'
wrong "nothing of the model" '../d.csv: no column is a quantity of the model; --columns "NAME = COLUMN" compares one' 't,phi\n1,2\n'
vary="l, c" wrong "fewer data than unknowns" "1 data cannot determine 2 parameters and starts: --vary fewer" 't,theta\n1,2\n'
exit $failed
