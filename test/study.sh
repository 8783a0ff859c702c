#!/bin/bash
# noether study WORDS -> tables, files, messages, an exit status: the published numbers, and every way to go wrong.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common"
S=$R/systems P=$R/systems/pendulum.lag
study() { # ARGS: into out and err
    "$N" study "$@" --quiet >out 2>err
    status=$?
}
# errors METHOD-COLUMN ERROR [WINDOW]: the numbers of one column of one block of a table
errors() {
    awk -v c="$1" -v name="$2" -v window="${3:-}" '
        /^[^ ].* over the nodes/ { on = ($1 == name || $1 == name ",") && (window == "" || $NF == window); next }
        /^$/ { on = 0 }
        on && $1 + 0 == $1 { x = $(1 + 2 * c); sub(/\*$/, "", x); printf "%s%s", s, x; s = " " }' out
}
refused() { # NAME MESSAGE ARGS: that one line, exit status 2, no output, no file
    local name=$1 message=$2
    shift 2
    mkdir empty
    (cd empty && "$N" study "$@" >../out 2>../err)
    status=$?
    [ $status = 2 ] && [ ! -s out ] && [ -z "$(ls -A empty)" ] && [ "$(cat err)" = "noether: $message" ]
    ok "$name" $?
    rm -rf empty
}

# ---- what a reference is known to -----------------------------------------------------------------------------
# The reference is the run of gauss 8 itself: its error, beside the solution in closed form, is rounding.
study convergence "$P" --methods "gauss 8" --digits 33 --reference 33 --step 0.005 --halvings 0 --until 2 --error "q, p, energy"
known=$(sed -n '1s/.*with the step 0.005, known to //p' out)
study convergence "$P" --methods "gauss 8" --digits 33 --reference exact --step 0.005 --halvings 0 --until 2 --error "q scaled, p scaled, energy relative"
awk -v known="${known:-0}" -v errors="$(errors 1 q) $(errors 1 p) $(errors 1 energy)" \
    'BEGIN { n = split(errors, e, " "); for (i = 1; i <= n; i++) if (!(e[i] <= known)) exit 1; exit n != 3 || known > 1e-29 }'
ok "a reference is known to what is said, $known: rounding, too" $?

# ---- numbers computed by another program, 5 to 6 digits -------------------------------------------------------
period=1.18034059901609622604533794056
study convergence "$P" --methods "midpoint, simpson, rk4" --steps "$period/50, $period/100, $period/200" --until $period \
    --error "p, q, energy relative"
is "pendulum, midpoint: p q relH" "$status $(errors 1 p) $(errors 1 q) $(errors 1 energy)" \
    "0 2.9333e-02 7.3230e-03 1.8301e-03 5.2647e-03 1.3169e-03 3.2918e-04 9.0558e-04 2.2905e-04 5.7285e-05"
is "pendulum, simpson: p q relH" "$(errors 2 p) $(errors 2 q) $(errors 2 energy)" \
    "6.0856e-06 3.7819e-07 2.3610e-08 1.0497e-06 6.5137e-08 4.0638e-09 1.3048e-06 8.4193e-08 5.2545e-09"
is "pendulum, rk4: p q relH" "$(errors 3 p) $(errors 3 q) $(errors 3 energy)" \
    "6.5549e-05 4.8318e-06 3.2453e-07 1.4891e-05 9.6819e-07 6.1768e-08 5.8162e-06 2.3607e-07 1.0746e-08"
study convergence "$S/double_pendulum.lag" --methods "midpoint, rk4, rk4-v, simpson" --step 1/40 --until 1,10 --error "energy relative"
is "double pendulum, energy, T = 1" "$(errors 1 energy 1) $(errors 2 energy 1) $(errors 3 energy 1) $(errors 4 energy 1)" \
    "1.8017e-03 4.7686e-04 1.1961e-04 2.9953e-05 9.4150e-05 3.0939e-06 1.0146e-07 6.1087e-09 5.8343e-05 2.1900e-06 1.2900e-07 9.4152e-09 1.1218e-05 7.5308e-07 4.7210e-08 2.9675e-09"
is "double pendulum, energy, T = 10" "$(errors 1 energy 10) $(errors 2 energy 10) $(errors 3 energy 10) $(errors 4 energy 10)" \
    "6.2010e-02 1.3576e-02 3.9205e-03 7.4873e-04 4.1621e-02 2.4868e-03 8.4381e-05 2.0954e-06 4.2402e-02 2.7752e-03 8.4031e-05 2.4105e-06 4.1034e-03 1.1211e-04 7.0802e-06 4.1744e-07"
study convergence "$S/linear_double_pendulum.lag" --methods "midpoint, rk4, simpson" --step 1/10 --halvings 2 --until 1,10,100 \
    --error p,q --component euclid
is "linear double pendulum, T = 10, Euclidean norm" "$(errors 1 p 10) $(errors 2 p 10) $(errors 3 p 10) $(errors 3 q 10)" \
    "2.7317e-01 2.0631e-01 7.8217e-02 8.2272e-02 9.9562e-03 6.3776e-04 7.2084e-03 4.3333e-04 2.6868e-05 2.3556e-02 1.4157e-03 9.0662e-05"
is "T = 100" "$(errors 1 q 100) $(errors 2 q 100) $(errors 3 q 100)" \
    "1.0241e+00 9.6404e-01 6.6540e-01 3.2762e-01 2.6502e-01 2.1687e-02 2.3735e-01 1.4721e-02 9.1458e-04"
cat >top.study <<M
study   = convergence
model   = $S/lagrange_top.lag
methods = midpoint, simpson, rk4-v, gauss 2, lobatto 3
parameter T = 0.10874600547956244621582628987883
until   = T, 10*T
steps   = T/10, T/20, T/40
period  = T
error   = nut: theta relative, H: energy relative
reference = 33
published midpoint  nut until T = 8.209e-02 2.271e-02 5.845e-03
published simpson   nut until T = 2.061e-03 1.607e-04 1.033e-05
published rk4-v     nut until T = 3.467e-03 2.424e-04 1.478e-05
published gauss 2   nut until T = 9.527e-04 7.408e-05 4.733e-06
published lobatto 3 nut until T = 7.390e-05 1.145e-06 1.849e-08
published simpson   H   until T = 1.016e-04 5.636e-06 3.446e-07
order     simpson   nut until T = 3.82
published midpoint  nut until 10*T = 1.079e+00 2.947e-01 6.929e-02
published simpson   nut until 10*T = 2.321e-02 1.759e-03 1.129e-04
published rk4-v     H   until 10*T = 2.091e-03 4.938e-05 2.736e-06
order     rk4-v     nut until 10*T = 4.56
M
study top.study
is "top with loops: nutation and energy, two windows" "$status $(tail -1 out)" "0 published: 29 reproduced"
is "steps are counted in the period" "$(awk '$1 + 0 == $1 { print $2 }' out | head -3 | paste -sd' ')" "10 20 40"
sed 's/2.061e-03/2.064e-03/' top.study >wrong.study
study wrong.study
is "a wrong digit: exit status 1, told" "$status $(tail -2 out | paste -sd' ')" \
    "1 published: 28 reproduced, 1 DIFFERS   DIFFERS: simpson nut until T, h = 0.010874601: 2.064e-03 in print, computed 0.0020605"

# ---- files --------------------------------------------------------------------------------------------------
study convergence "$P" --until 1 --step 0.1 --halvings 5 --methods "simpson, gauss 4" --output a.csv --plot a.svg --html a.html
[ $status = 0 ] && [ "$(wc -l <a.csv)" = 37 ] && head -1 a.csv | grep -qx 'method,error,until,step,value,order,roundoff,published,verdict,failure' \
    && tail -2 a.svg | grep -q '^</svg>' && grep -q '<th>verdict</th>' a.html
ok "CSV, picture, page" $?
is "the picture names its axes with units, and its methods" "$(grep -oE '>(step h \[s\]|simpson|gauss 4|error of q, t to 1 s)<' a.svg | sort -u | tr -d '<>' | paste -sd,)" \
    "error of q, t to 1 s,gauss 4,simpson,step h [s]"
study convergence "$P" --until 0.966 --steps "0.042, 0.023" --methods simpson --plot b.svg
is "an axis of less than a decade has labels" "$status $(grep -oE '>(0\.02|0\.05)<' b.svg | sort -u | tr -d '<>' | paste -sd,)" "0 0.02,0.05"
for kind in convergence drift work; do
    study $kind "$P" --until 1 --step 0.1 --output a.json --plot a.png
    [ $status = 0 ] && [ "$(head -c4 a.png | tail -c3)" = PNG ] && { ! command -v python3 >/dev/null || python3 -m json.tool a.json >/dev/null; }
    ok "$kind: JSON is JSON, a picture" $?
done
study work "$P" --until 2 --step 0.1 --halvings 2 --methods "rk4, gauss 2" --error q --repeats 3 --output a.csv
is "work: an explicit method has its stages a step" "$status $(awk -F, '$1 ~ /rk4/ { print $8 }' a.csv | paste -sd' ')" "0 80 160 320"
awk -F, 'NR > 1 && !($9 > 1e-6 && $9 < 1 && $8 > 0 && $5 > 0) { bad = 1 } END { exit bad || NR != 7 }' a.csv
ok "work: times, evaluations, errors" $?
study work "$S/harmonic_oscillator.lag" --until 2 --step 0.1 --halvings 1 --methods simpson --error q --repeats 1 --output a.json
[ $status = 0 ] && [ "$(grep -c '"evaluations": null, "seconds": [0-9]' a.json)" = 2 ] && grep -q '^simpson  *0.1  *20  *-  *[0-9]' out
ok "work: a linear system's step evaluates no derivatives" $?
study drift "$S/kepler.lag" --until 60 --step 0.01 --methods "simpson, rk4" --windows "linear 6" --output a.csv
is "drift finds the momentum that must stay" "$status $(cut -d, -f2 a.csv | sort -u | tr -d '"' | paste -sd' ')" "0 energy rotation_x_y error"
[ "$(awk -F, '/simpson.*rotation/ && $5 > 1e-14 { n++ } END { print n + 0 }' a.csv)" = 0 ] \
    && [ "$(awk -F, '/rk4.*rotation/ && $5 > 1e-12 { n++ } END { print n + 0 }' a.csv)" -gt 3 ]
ok "drift: Simpson keeps it, RK4 does not" $?
is "no progress where there is no terminal" "$("$N" study drift "$P" --until 100 2>&1 >/dev/null)" ""
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    script -qec "timeout -s INT 3 $N study drift $P --until 1e6 --output long.csv" /dev/null >out 2>&1 </dev/null
    tr '\r' '\n' <out | grep -qE '^  runs +\[#*\.*\] +[0-9]+ %  [0-9]+ s left'
    ok "a bar on a terminal" $?
fi
timeout --preserve-status -s INT 2 "$N" study convergence "$P" --methods "simpson, rk4" --steps "0.01, 1e-6" --until 10 --error energy --output stopped.csv >out 2>err
is "Ctrl-C: its status, the runs that are done are kept" "$? $(grep -c "h = 1e-06: interrupted" out) $(grep -c '0.01,[0-9.e-]*,' stopped.csv)" "130 1 2"

cat >long.study <<M
study   = drift
title   = A long run & its end
model   = $P
methods = simpson, rk4
step    = 1/50
until   = 100
error   = energy relative
windows = log 8
M
study long.study --html long.html --output long.csv
is "a study of drift as a file" "$status $(grep -c 'A long run &amp; its end' long.html) $(grep -c 'grows like' long.html) $(tail -n +2 long.csv | wc -l)" "0 2 1 16"

# ---- what cannot go on ----------------------------------------------------------------------------------------
printf 'coordinate x\nkinetic x'"'"'^2/2\npotential -1/x\nstart x = 1\n' >fall.lag
study convergence fall.lag --methods "simpson" --until 1,2 --step 0.1 --halvings 1 --error q
[ $status = 3 ] && [ "$(errors 1 q 1)" = "1.2252e-04 1.0118e-05" ] && [ "$(errors 1 q 2)" = "- -" ] && grep -q '^  simpson, h = 0.1: no reference: .*collision' out
ok "a fall into the centre: the window before is kept, the other says why" $?
study convergence "$P" --error "q.v relative" --until 1 --step 0.1
[ $status = 3 ] && grep -q "q.v is 0 at t = 0: no relative error there; take 'scaled'" out
ok "no relative error of what is 0" $?

# ---- wrong words ------------------------------------------------------------------------------------------------
refused "no words" "which study of which model?  noether study convergence|drift|work MODEL.lag, or noether study FILE.study"
refused "no such study" "no study is called 'speed': expected convergence, drift or work" speed "$P"
refused "an unknown method" "$("$N" run "$P" --method smipson 2>&1 | sed 's/^noether: //')" convergence "$P" --methods smipson
refused "step 0" "--step 0: expected a positive step, not 0" convergence "$P" --step 0
refused "a negative step" "--steps 0.1, -0.05: expected a positive step, not -0.05" convergence "$P" --steps "0.1, -0.05"
refused "steps that grow" "--steps 0.1, 0.2: from the coarsest to the finest: 0.2 does not follow 0.1" convergence "$P" --steps "0.1, 0.2"
refused "too many halvings" "--halvings 31: expected a whole number from 0 to 30" convergence "$P" --halvings 31
refused "an end between two steps" "--until 0.123: 12.3 steps of 0.01 lead there: expected a whole number" convergence "$P" --until 0.123
refused "an end behind the start" "--until -1: the end lies behind the start, t = 0" convergence "$P" --until -1
refused "windows out of order" "--until 2, 1: from the shortest window to the longest" convergence "$P" --until "2, 1"
refused "an unknown error" "--error: unknown column or option 'momntum'; an error is of q, p, energy or a column" convergence "$P" --error momntum
refused "an error twice" "--error q, q l2: 'q' stands twice: give one another label, as in 'far: q l2'" convergence "$P" --error "q, q l2"
refused "an unknown word of an error" "--error q relativ: 'relativ': expected relative, scaled, constant, sup, l2, max or euclid" \
    convergence "$P" --error "q relativ"
refused "no exact solution" "--reference exact: $S/henon_heiles.lag names no exact solution ('exact NAME' in the model); take 33, 64 or self" \
    convergence "$S/henon_heiles.lag" --reference exact
refused "an unknown reference" "--reference best: expected exact, self, 33 or 64" convergence "$P" --reference best
study convergence "$P" --error iterations --step 0.1 --until 1
[ $status = 3 ] && grep -q "no reference: 'iterations' has no exact value: take the reference 33" out || ! grep -q 'the exact solution' out
ok "what has no closed form says so" $?
refused "digits" "--digits 20: expected 15, 33 or 64" convergence "$P" --digits 20
refused "an option of another study" "--windows: not for a study of convergence" convergence "$P" --windows "log 3"
refused "windows of drift" '--windows often: expected "log N" or "linear N", N from 1 to 1000' drift "$P" --windows often
refused "repeats" "--repeats 0: expected a whole number from 1 to 1000" work "$P" --repeats 0
refused "a reference too large" "the reference has 2e+09 numbers, 64.0 GB: take larger steps or a shorter time, or errors of constants alone (energy)" \
    convergence "$P" --step 1e-6 --halvings 0 --until 1000 --error q,p --reference 33
refused "an output of no format" "cannot write 'a.txt': the name of a study's table must end in .csv or .json" convergence "$P" --output a.txt
refused "a picture of no format" "cannot draw 'a.gif': the name must end in .svg, .png or .pdf" convergence "$P" --plot a.gif
refused "a picture in no folder" "cannot write none/a.svg: No such file or directory" convergence "$P" --plot none/a.svg
refused "no such file" "none.study: cannot read the study: No such file or directory" none.study
echo "study = convergence" >empty.study
refused "a file without a model" "../empty.study: no model: write 'model = FILE.lag'" ../empty.study
refused "a file and words" "--step: ../empty.study says how the study is made: change it there" ../empty.study --step 1
refused "a file and values" "q=1: ../empty.study says how the study is made: change it there" ../empty.study q=1
exit $failed
