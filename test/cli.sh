#!/bin/bash
# noether WORDS -> rows, files, one line of what is wrong, an exit status: the command as a person meets it.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common"
S=$R/systems
run() { # ARGS: noether run ARGS, into out and err
    "$N" run "$@" >out 2>err
    status=$?
}
column() { cut -d, -f"$1" "${2:-out}" | tail -n +2 | paste -sd' '; }
rows() { tail -n +2 "$1"; }

# refused NAME PATTERN ARGS: one line about it, exit status 2, no output, no file.  A message about a place in a
# text has two lines more, which show it.
refused() {
    local name=$1 pattern=$2 lines
    shift 2
    mkdir empty
    (cd empty && "$N" "$@" >../out 2>../err)
    status=$?
    lines=$(wc -l <err)
    [ $status = 2 ] && [ ! -s out ] && [ -z "$(ls -A empty)" ] && head -1 err | grep -q -e "$pattern" \
        && { [ "$lines" = 1 ] || { [ "$lines" = 3 ] && sed -n 3p err | grep -q '^ *^$'; }; }
    ok "$name" $?
    rm -rf empty
}

cat >free.lag <<'M'
coordinate x
kinetic    x'^2/2
start      x' = 1
M
cat >fall.lag <<'M'
coordinate x
kinetic    x'^2/2
potential  -1/x
start      x = 1
suggest    method = "simpson", step = 0.05, until = 10
M
cat >walls.lag <<'M'
coordinate x
kinetic    x*x'^2/2
M
chain() { # N: that many masses on springs
    echo "coordinate $(seq -s', ' -f 'q%.0f' "$1")"
    seq -f "kinetic q%.0f'^2/2" "$1"
    seq -f 'potential q%.0f^2/2' "$1"
    echo 'start q1 = 1'
    echo 'observe first = q1, twice = 2*first'
}
chain 64 >chain64.lag
chain 65 >chain65.lag

# ---- what is not said is as the model suggests -------------------------------------------------------------
run "$S/pendulum.lag"
cp out suggested
run "$S/pendulum.lag" --method simpson --step 0.01 --until 10
[ $status = 0 ] && cmp -s out suggested
ok "the model's suggestions are the default" $?
run "$S/pendulum.lag" --until 0.05
cmp -s out <(head -7 suggested)
ok "an option overrides the suggestion" $?
run "$S/kepler.lag" e=1.5 x=0.5 y.v=2 --step 0.01 --until 0.1 --columns y.v,x.exact --output hyperbola.h5 --quiet
[ $status = 0 ] && run "$S/kepler.lag" --from hyperbola.h5 --until 0.2 --columns t,x --quiet && [ $status = 0 ] && [ "$(rows out | wc -l)" = 11 ]
ok "assignments count together, in any order, also where a run goes on" $?
for what in method step until; do
    given=()
    [ $what = method ] || given+=(--method simpson)
    [ $what = until ] && given+=(--step 0.1)
    refused "no $what: the message names --$what and suggest" "no $what: give --$what, .*or write 'suggest $what = ...' in " \
        run ../free.lag "${given[@]}"
done

# ---- steps -------------------------------------------------------------------------------------------------
free() { run free.lag --method simpson "$@"; }
free --step 2*pi/100 --until 2*pi --columns t
is "--step and --until are expressions" "$status $(wc -l <out) $(tail -1 out)" "0 102 6.283185307179587"
run "$S/pendulum.lag" --step ' 2*pi / (100*omega) ' --until 1/omega*2*pi
is "expressions know the parameters, blanks do not matter" "$status $(wc -l <out)" "0 102"
free --step 0.1 --until 0.3 --columns t
is "0.3 is three steps of 0.1" "$(column 1)" "0 0.1 0.2 0.30000000000000004"
free --step 0.1 --until 1+1e-11 --columns t
is "whole within 1e-9" "$(wc -l <out) $(grep -c 'no whole' err)" "12 0"
free --step 0.1 --until 1.05 --columns t
is "else the last whole step, and it says so" \
    "$(tail -1 out) $(grep -c 'no whole number of steps away: the last step ends at t = 1$' err)" "1 1"
free --step 0.1 --until 0.04 --columns t
is "less than a step: the start alone" "$status $(column 1)" "0 0"
free --step 0.1 --until 0 --columns t
is "no steps: the start alone" "$status $(column 1)" "0 0"
free --step 0.125 --until 1.25 --every 3 --columns t
is "every third row, and the first and the last" "$(column 1)" "0 0.375 0.75 1.125 1.25"
free --step 0.125 --until 1.25 --every 5 --columns t
is "the last row is written once" "$(column 1)" "0 0.625 1.25"
free --step 0.125 --until 1.25 --every 1000 --columns t
is "at least the first and the last" "$(column 1)" "0 1.25"
free --step 0.125 --until 1.3 --rows 3 --columns t
is "evenly spaced rows, the end included that no step reaches" "$(column 1)" "0 0.65 1.3"
free --step 0.125 --times "0.1, 1/3..1 in 3, 1.25" --columns t
is "rows at times" "$(column 1)" "0.1 0.3333333333333333 0.6666666666666666 1 1.25"
free --step -0.125 --times "0, -0.3" --columns t
is "rows at times, back in time" "$(column 1)" "0 -0.3"
"$N" structure cantilever --dim 2 --size 8 --consistent --output between >/dev/null
echo 'damping alpha = 50' >>between.lag
"$N" run between.lag --until 0.0008 --rows 4 --columns work,dissipated,balance --quiet >out
is "where states are interpolated, what is known at the ends of steps alone has no value" "$(rows out | sort -u)" "0,nan,nan"
"$N" run between.lag --until 0.0008 --every 50 --columns dissipated --quiet >out
[ "$(head -2 out | tail -1)" = 0 ] && ! grep -q nan out
ok "rows of whole steps have it" $?
sed -i 's/alpha = 50/alpha = a/; 1a parameter a = 50' between.lag
"$N" run between.lag --sweep "a = 10..50 in 3" --until 0.0008 --rows 4 --columns energy >out 2>err
[ $? = 0 ] && grep -q 'energy error at most [0-9.e-]* of' err && ! grep -q nan out
ok "members whose rows are between the steps have the error of the run" $?
"$N" run "$S/double_pendulum.lag" --until 2 --output grid.h5 --quiet
"$N" run "$S/double_pendulum.lag" --until 2 --rows 97 --output rows.h5 --quiet
"$N" run "$S/double_pendulum.lag" --from grid.h5 --until 3 --quiet >grid.csv
"$N" run "$S/double_pendulum.lag" --from rows.h5 --until 3 --quiet >rows.csv
cmp -s grid.csv rows.csv && [ "$(wc -l <rows.csv)" -gt 10 ]
ok "rows between the steps do not change the run, which goes on from its file bit for bit" $?
"$N" run "$S/double_pendulum.lag" --from grid.h5 --until 3 --rows 3 --columns t --quiet >out
is "rows of a run that goes on" "$(column 1)" "2 2.5 3"
"$N" run "$S/double_pendulum.lag" --until 0.5 --times 0.0123456 --digits 33 --columns t --quiet >out
is "a row at a time in 33 digits" "$(column 1)" "0.0123456"
free --step 0.5 --until 3 --columns t,x t=1
is "start t = 1" "$(column 1)" "1 1.5 2 2.5 3"

free --step -0.1 --until -0.3 --columns t
is "back in time, by a negative step" "$(column 1)" "0 -0.1 -0.2 -0.30000000000000004"
free --step 2*3-7 --until -2.5 --columns t
is "the last whole step, back in time" "$(column 1) $(grep -c 'the last step ends at t = -2$' err)" "0 -1 -2 1"
run "$S/double_pendulum.lag" --until 1 --columns q1,q1.v,q2,q2.v
there=$(tail -1 out)
run "$S/double_pendulum.lag" --step -0.01 --until -1 --columns q1,q1.v,q2,q2.v
is "a motion from rest is the same backwards" "$status $(tail -1 out | tr -d - | cut -c1-13)" "0 $(echo "$there" | tr -d - | cut -c1-13)"
for ending in json h5; do
    free --step 0.1 --until 1.05 --columns t --quiet --output "end.$ending"
    run "$S/pendulum.lag" --sweep 'q = 1..2 in 3' --until 1.005 --columns q --output "members.$ending"
    grep -q 'no whole number of steps away: the last step ends at t = 1$' err
    ok "members: an end that is no whole number of steps away is said, $ending" $?
done
is "and stands in the file" "$(grep -hE '"(until|last)"' end.json members.json | tr -d '\n')" '"until": 1.05,"last": 1,"until": 1.005,"last": 1,'
grep -aq until_exact end.h5 && grep -aq last_exact end.h5 && grep -aq '1\.05' end.h5
ok "in HDF5 as attributes" $?
for m in "$S/pendulum.lag" "$S/kepler.lag" "$S/fput_alpha.lag"; do
    run "$m" --until 0.1 --threads 1
    [ $status = 0 ] || break
done
is "--threads 1 is always allowed" $status 0
run "$S/pendulum.lag" --digits 33 --until 0.1 --threads 1 --quiet
is "with more digits, too" $status 0
run "$S/pendulum.lag" --until 1
grep -qE '^  100 steps to t = 1 in [0-9.e-]+ s, [0-9.e+-]+ us a step; rows and output [0-9.e-]+ s$' err
ok "the summary tells the time of steps from that of rows and output" $?

# ---- rows --------------------------------------------------------------------------------------------------
run "$S/double_pendulum.lag" --until 0.02
is "header: t, coordinates, momenta, energy" "$(head -1 out)" "t,q1,q2,p(q1),p(q2),energy"
run "$S/kepler.lag" --until 0.1
is "then observables, in the order of declaration" "$(head -1 out)" "t,x,y,p(x),p(y),energy,angular_momentum,ex,ey"
run "$S/pendulum.lag" m=2 --until 0.1 --columns "t,q,q',q.v,p(q),q.p,energy,k2,m,omega,energy"
is "any column, by any of its names" "$(head -1 out)" "t,q,q',q.v,p(q),q.p,energy,k2,m,omega,energy"
[ "$(column 3)" = "$(column 4)" ] && [ "$(column 5)" = "$(column 6)" ] && [ "$(column 3)" != "$(column 5)" ] && [ "$(column 7)" = "$(column 11)" ] \
    && [ "$(column 10 | cut -d' ' -f1)" = 6.283185307179586 ]
ok "synonyms are the same numbers" $?
run "$S/pendulum.lag" --until 0.01 --columns ' energy , t '
is "blanks in a list" "$(head -1 out)" "energy,t"
for n in 64 65; do
    run chain$n.lag --method simpson --step 0.1 --until 0.1
    [ $n = 64 ] && is "64 coordinates: all of them" "$(head -1 out | tr , '\n' | wc -l)" 132
    [ $n = 65 ] && is "above 64: t, energy, observables" "$(head -1 out)" "t,energy,first,twice"
done
if command -v python3 >/dev/null; then
    run "$S/double_pendulum.lag"
    python3 -c '
import csv, sys
for row in list(csv.reader(open("out")))[1:]:
    for x in row:
        digits = lambda s: s.lower().split("e")[0].replace(".", "").lstrip("-0").rstrip("0")
        assert len(digits(x)) <= len(digits(repr(float(x)))), x' 2>err
    ok "numbers are the shortest that read back" $?
fi
is "a number" "$(sed -n 2p suggested)" "0,1.5707963267948966,0,39.478417604357425,0.4999999999999999"

# ---- parameters and starts ---------------------------------------------------------------------------------
run "$S/double_pendulum.lag" 'l1 = g / 40' q1=pi/3 q2.v=2 q1.p=0.25 --until 0 --columns "l1,l2,q1,q2',q1.p"
is "NAME=VALUE, and what depends on it follows" "$(column 1-5)" "0.24525,0.24525,1.0471975511965979,2,0.25"
run "$S/kepler.lag" "y'=1" "p(x)=0.5" --until 0 --columns y.v,x.p
is "y' and p(x)" "$(column 1-2)" "1,0.5"

# ---- files -------------------------------------------------------------------------------------------------
run "$S/double_pendulum.lag" --until 1
cp out rows.csv
for ending in csv CSV; do
    run "$S/double_pendulum.lag" --until 1 --output a.$ending
    [ $status = 0 ] && [ ! -s out ] && cmp -s a.$ending rows.csv
    ok "--output a.$ending" $?
done
run "$S/double_pendulum.lag" --until 1 --output=a.json --quiet
[ $status = 0 ] && [ ! -s err ] && grep -q '"complete": true}' a.json
ok "--output=a.json --quiet" $?
if command -v python3 >/dev/null; then
    python3 -m json.tool a.json >/dev/null 2>err && python3 -c '
import csv, json
a, rows = json.load(open("a.json")), list(csv.reader(open("rows.csv")))
assert a["columns"] == rows[0] and a["method"] == "simpson" and a["step"] == 0.01 and "kinetic" in a["model"]
assert a["rows"] == [[float(x) for x in r] for r in rows[1:]]' 2>err
    ok "JSON is valid and has the rows of the CSV" $?
fi
echo old >b.csv
refused "a refused run leaves an old file alone" 'cannot write' run "$S/pendulum.lag" --columns t --output /dev/null/b.csv
(trap '' XFSZ && ulimit -f 16 && "$N" run "$S/pendulum.lag" --until 100 --output b.csv >out 2>err)
is "a full disk: exit status 2, the old file is there, nothing else" "$? $(cat b.csv) $(ls -A | grep -c '^[.]')" "2 old 0"

# ---- on from a file, bit for bit ---------------------------------------------------------------------------
goes_on() { # NAME MODEL HALF WHOLE ARGS
    local name=$1 model=$2 half=$3 whole=$4
    shift 4
    run "$model" "$@" --until "$whole" --output full.csv
    run "$model" "$@" --until "$half" --output half.h5
    run "$model" --from half.h5 --until "($half + $whole)/2" --output more.h5
    run "$model" --from more.h5 --until "$whole" --output rest.csv
    [ $status = 0 ] && [ "$(wc -l <rest.csv)" -gt 10 ] && cmp -s <(rows rest.csv) <(tail -n "$(rows rest.csv | wc -l)" full.csv)
    ok "$name" $?
}
goes_on "--from: simpson" "$S/double_pendulum.lag" 5 10
goes_on "--from: other parameters, gauss 4" "$S/kepler.lag" 10 20 e=0.7 'y.p = 1.5' --method "gauss 4" --step 0.01
goes_on "--from: time in L, a start of t" "$S/moving_pivot.lag" 2 3 t=1
goes_on "--from: momenta, an odd step" "$S/lagrange_top.lag" 0.35 0.7 --step 0.7/768 p\(phi\)=0 --method "lobatto 3"
goes_on "--from: 33 digits" "$S/double_pendulum.lag" 0.4 0.8 --digits 33
goes_on "--from: 33 digits, gauss 3" "$S/kepler.lag" 1 2 --digits 33 e=0.7 --method "gauss 3"
run "$S/pendulum.lag" --output p.h5 --until 1
refused "--from another model" 'written by another model' run "$S/kepler.lag" --from ../p.h5
refused "--from with a parameter" 'its own parameters.*leave out m=2' run "$S/pendulum.lag" m=2 --from ../p.h5
goes_on "--from: the solver" "$S/double_pendulum.lag" 5 10 --solver newton
run "$S/double_pendulum.lag" --from more.h5 --until 7.6 --verbose
grep -q 'solver: Newton, as asked' err
ok "--from: twice, the solver is that of the first run" $?
awk -v n=40 'BEGIN { h = "%%%%MatrixMarket matrix coordinate real symmetric\n"
    printf h n " " n " " 2*n - 1 "\n" >"ladder_K.mtx"; printf h n " " n " " n "\n" >"ladder_M.mtx"
    for (i = 1; i <= n; i++) {
        print i, i, 2 >"ladder_K.mtx"; print i, i, 1 >"ladder_M.mtx"
        if (i < n) print i + 1, i, -1 >"ladder_K.mtx"
    } }'
printf 'coordinate u[1..40]\nmass "ladder_M.mtx"\nstiffness "ladder_K.mtx"\nstart u[1] = 1\n' >ladder.lag
run ladder.lag --method simpson --step 0.1 --until 1 --columns t,u[1] --factorise --output ladder.h5
run ladder.lag --from ladder.h5 --until 2 --columns t,u[1] --verbose
grep -q 'by Cholesky' err
ok "--from: --factorise is kept" $?
run ladder.lag --method simpson --step 0.1 --until 1 --columns t,u[1] --output ladder.h5
run ladder.lag --from ladder.h5 --until 2 --columns t,u[1] --verbose
! grep -q 'by Cholesky' err
ok "--from: nor is it made up" $?
for o in --method=simpson --step=0.1 --digits=33 --solver=newton --window=2 --factorise --bits=same; do
    refused "--from with ${o%=*}" "leave out ${o%=*}" run "$S/pendulum.lag" --from ../p.h5 $o
done
refused "--from: the end lies behind the start" 'lies behind the start, t = 1' run "$S/pendulum.lag" --from ../p.h5 --until 0.5
refused "--from: no such file" 'cannot read none.h5: No such file' run "$S/pendulum.lag" --from none.h5
refused "--from: no HDF5" 'not an HDF5 file' run "$S/pendulum.lag" --from "$S/pendulum.lag"

# ---- libraries that are loaded late --------------------------------------------------------------------------
# A file that is none stands in a library's place.
in_place_of() { # NAME: the file that the command would load
    grep -aoE "lib$1[a-z_]*\.so\.[0-9]+" "$N" | head -1
}
if [ "$(uname -m)" = x86_64 ]; then
    mkdir -p lib
    for l in hdf5 openblas; do
        [ -z "$(in_place_of $l)" ] || echo no library >"lib/$(in_place_of $l)"
    done
    export LD_LIBRARY_PATH=$PWD/lib
    run "$S/pendulum.lag" --until 1 --columns t,q --quiet
    ok "a run without LAPACK and HDF5 asks for neither" $status
    [ -z "$(in_place_of hdf5)" ] || refused "without HDF5 no .h5 is written" 'p.h5.*: HDF5 cannot be loaded: .*libhdf5.*; install libhdf5-dev' \
        run "$S/pendulum.lag" --quiet --columns t,q --output p.h5
    [ -z "$(in_place_of hdf5)" ] || refused "and none is read" '/p.h5: HDF5 cannot be loaded: .*libhdf5.*; install libhdf5-dev' run "$S/pendulum.lag" --from ../p.h5
    refused "without LAPACK no symmetries are found" 'LAPACK cannot be loaded: .*libopenblas' check "$S/pendulum.lag"
    unset LD_LIBRARY_PATH
fi

# ---- digits ------------------------------------------------------------------------------------------------
run "$S/pendulum.lag" --digits 33 --until 1 --columns t,q
cut -d, -f2 out | tail -1 | grep -qE '^-?[0-9]+\.[0-9]{30,}$' && [ "$(cut -d, -f1 out | sed -n 4p)" = 0.02 ]
ok "33 digits are printed" $?
is "and agree with 15" "$(tail -1 out | cut -c1-13)" "$(sed -n 102p suggested | cut -d, -f1,2 | cut -c1-13)"
run "$S/pendulum.lag" --digits 33 --method "gauss 12" --step 0.02 --until 1 --columns energy
is "33 digits are computed" "$(rows out | cut -c1-30 | sort -u | wc -l)" 1
run "$S/pendulum.lag" --digits 33 --method "gauss 8" --until 1
grep -qE '^  energy error at most [1-9]\.[0-9]+e-3[0-9] of ' err
ok "and the energy error is one of 33 digits" $?

run "$S/pendulum.lag" --digits 64 --until 1 --columns t,q --output wide.json
run "$S/pendulum.lag" --digits 64 --until 1 --columns t,q
cut -d, -f2 out | tail -1 | grep -qE '^-?[0-9]+\.[0-9]{62,}$' && [ "$(cut -d, -f1 out | sed -n 4p)" = 0.02 ] \
    && grep -qF "$(tail -1 out)" wide.json
ok "64 digits are printed, in CSV and JSON" $?
wide=$(tail -1 out | cut -c1-32)
run "$S/pendulum.lag" --digits 33 --until 1 --columns t,q
is "and agree with 33" "$wide" "$(tail -1 out | cut -c1-32)"
run "$S/pendulum.lag" --digits 64 --method "gauss 12" --step 0.01 --until 0.5 --columns q.exact,q
is "the exact solution, too" "$(tail -1 out | cut -d, -f1 | cut -c1-45)" "$(tail -1 out | cut -d, -f2 | cut -c1-45)"
goes_on "--from: 64 digits" "$S/double_pendulum.lag" 0.2 0.4 --digits 64
refused "--digits 1001" 'from 15 to 1000' run "$S/pendulum.lag" --digits 1001
sed "s/cos(q)/cos(q)^3/" "$S/pendulum.lag" >other.lag
refused "a solution of another system" 'does not solve the equations' run ../other.lag --columns t,q,q.exact
refused "no solution is named" 'names no exact solution' run "$S/arenstorf.lag" --columns t,x.exact

# ---- instruction sets ---------------------------------------------------------------------------------------
for method in simpson "gauss 8"; do
    for isa in sse2 avx2 avx512; do NOETHER_ISA=$isa "$N" run "$S/double_pendulum.lag" --method "$method" --until 2 --quiet >$isa.csv; done
    [ -s sse2.csv ] && cmp -s sse2.csv avx2.csv && cmp -s sse2.csv avx512.csv
    ok "NOETHER_ISA: the same bits by $method" $?
done
NOETHER_FUSED=off refused "NOETHER_FUSED: another word" 'expected no, or nothing' run "$P"
NOETHER_ISA=sse refused "NOETHER_ISA: another word" 'expected sse2, avx2 or avx512' run "$P"

# ---- tolerance ---------------------------------------------------------------------------------------------
run "$S/kepler.lag" --tolerance 1e-9 --columns t,x,y
is "--tolerance: it ends where it should, at least 200 steps" "$status $(tail -1 out | cut -d, -f1) $(($(wc -l <out) > 200))" "0 20 1"
grep -q 'gauss [2468] with .* steps; trials over' err && grep -q 'shorter steps differ by at most [0-9.]*e-[01]' err
ok "--tolerance: the summary says what and why" $?
run "$S/fput_beta.lag" N=16 --tolerance 1e-9 --until 1500 --rows 3
[ $status = 0 ] && grep -q 'srkn11-6 with [2-9][0-9][0-9][0-9] steps; trials over.*more than [0-9.e+]* (gauss 2)' err && ! grep -q 'follow the monitor' err
ok "--tolerance: many short steps of a splitting are not exchanged for steps that follow a monitor" $?
run "$S/double_pendulum.lag" --tolerance 1e-8 --until 40
[ $status = 3 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -q 'up to t = 40: .*end there with --until 1[0-9.]*,' err
ok "--tolerance: beyond the horizon of chaos it is refused, and the horizon is named" $?
run "$S/double_pendulum.lag" --tolerance 1e-8 --until 40 --force --columns t
[ $status = 0 ] && tail -1 out | awk '{ exit !($1 > 40 - 1e-12 && $1 < 40 + 1e-12) }' && grep -q 'WARNING: the tolerance holds up to t = 1' err
ok "--force goes on" $?
refused "without a method --tolerance is named" 'or --tolerance 1e-9, which chooses method and step' run ../free.lag --until 1
refused "--tolerance: a start from which no step goes" 'the mass matrix L_vv is singular at the start' run "$S/spherical_pendulum.lag" theta=0 --tolerance 1e-6
refused "--tolerance with a method" 'leave out --method' run "$S/pendulum.lag" --tolerance 1e-6 --method simpson
refused "--tolerance 0" 'from 1e-30 to 0.01' run "$S/pendulum.lag" --tolerance 0
refused "--tolerance of words" 'unknown name' run "$S/pendulum.lag" --tolerance small
refused "--tolerance in Arb" 'expected --digits 15 or 33' run "$S/pendulum.lag" --tolerance 1e-6 --digits 64
refused "--force alone" 'goes with --tolerance' run "$S/pendulum.lag" --force

# ---- what is refused ---------------------------------------------------------------------------------------
P=$S/pendulum.lag
"$N" >out 2>err
is "no verb: help on standard error" "$? $(wc -c <out) $(grep -c 'noether run' err)" "2 0 1"
refused "an unknown verb" "unknown verb 'rnu'" rnu
refused "a verb that is nearly one" "unknown verb 'studie'; did you mean study?" studie
refused "help on no verb" "unknown verb 'rnu'" help rnu
refused "help on two" 'help on which verb' help run check
is "-V" "$("$N" -V)" "$("$N" --version)"
refused "an option that is nearly one" "unknown option '--untill'; did you mean --until?" run "$P" --untill 3
refused "-o without its value" '--output needs a value' run "$P" -o
refused "-o for a value" '--step needs a value' run "$P" --step -o a.csv
refused "-o and --output" '--output is given twice' run "$P" -o a.csv --output b.csv
run "$P" --until 0.1 -o short.json --quiet
[ $status = 0 ] && grep -q '"complete": true' short.json
ok "-o is --output" $?
for m in leapfrog stormer-verlet 'velocity verlet'; do
    refused "a method's other name: $m" "noether calls it \"verlet\"" run "$P" --method "$m"
done
refused "gauss-legendre 4, by stages or by order" '"gauss 2" has order 4, "gauss 4" order 8' run "$P" --method "gauss-legendre 4"
for m in rattle shake trapezoidal "radau 3" radau-IIA5 ode15s dop853 hht-alpha central-difference; do
    case $m in
        rattle | shake) words='"lobatto 1"' ;;
        trapezoidal) words='"newmark 1/4 1/2"; nearest for others is "midpoint"' ;;
        radau*) words='no Radau IIA, .* nearest is "gauss s"' ;;
        ode15s) words='nearest is "gauss s"' ;;
        dop853) words='noether has "rk4"' ;;
        hht*) words='noether has "newmark beta gamma"' ;;
        *) words='noether calls it "verlet"' ;;
    esac
    refused "a method's other name: $m" "method '$m': .*$words" run "$P" --method "$m"
done
for m in simpson-middle Simpson-Ends "compose 6 simpson-ends"; do
    refused "a method's former name: $m" "method '.*${m##* }': noether calls it \"simpson\", whose steps are the same" run "$P" --method "$m"
done
refused "a method's other name, composed" 'noether calls it "verlet"' run "$P" --method "compose 6 leapfrog"
refused "a method of other tools" 'noether has "rk4", to compare with' run "$P" --method rk45
refused "a model for a verb" 'noether run kepler.lag integrates it' kepler.lag
refused "a method without its quotes" '"gauss 3" in quotes is one' run "$P" --method gauss 3
refused "an assignment with blanks, without its quotes" "'m': expected NAME=VALUE or an option, each one word" run "$P" m = 2
refused "no model" 'which model?' run
refused "no such model" 'none.lag: cannot read the model: No such file' run none.lag
refused "a folder for a model" 'cannot read the model: Is a directory' run "$S"
refused "an unknown option" "unknown option '--stp'" run "$P" --stp 0.1
refused "an unknown short option" "unknown option '-s'" run "$P" -s 0.1
refused "an option without its value" '--step needs a value' run "$P" --step
refused "an option for a value" '--step needs a value' run "$P" --step --until 3
refused "a value for --quiet" '--quiet takes no value' run "$P" --quiet=1
refused "an assignment twice" "'m' is given twice: m=1 and m=2" run "$P" m=1 m=2
refused "an assignment twice, with blanks" "'q ' is given twice" check "$P" q=1 m=1 "q = 2"
refused "an assignment twice, of other verbs" "'m' is given twice" emit "$P" m=1 m=2
"$N" structure membrane --size 2 --output -x >out 2>err # one coordinate
"$N" run -x.lag >out 2>err
[ $? = 2 ] && grep -q "'-x.lag' begins as an option does: write ./-x.lag for the file" err && "$N" run ./-x.lag --quiet >out 2>err
ok "a file that begins as an option" $?
rm -f ./-x*
refused "an option twice" '--step is given twice' run "$P" --step 1 --step 2
refused "a word that is no assignment" "'10': expected NAME=VALUE" run "$P" 10
refused "an unknown parameter" "unknown name 'omgea'; did you mean 'omega'?" run "$P" omgea=2
refused "an assignment without a value" "found the end of the text" run "$P" omega=
refused "a start that a parameter makes infinite" 'kepler.lag:18:28: the value is not finite' run "$S/kepler.lag" e=1.5
refused "velocity and momentum of one coordinate" "both velocity and momentum of 'q'" run "$P" q.v=1 q.p=1
refused "a step of 0" '--step 0: expected a number that is not 0, not 0' run "$P" --step 0
refused "a negative step, and an end ahead" '--until 10 lies behind the start, t = 0, for a step of -0.1: a positive step goes forward' run "$P" --step -0.1
refused "a step that is not finite" '--step:1:1: the value is not finite' run "$P" --step 1/0
refused "a step with an unknown name" "--step:1:3: unknown name 'omgea'" run "$P" --step 2*omgea
refused "a step that moves" 'expected numbers and parameters only' run "$P" --step q
refused "an end before the start" '--until -1 lies behind the start, t = 0, for a step of 0.01: a negative step goes back in time' run "$P" --until -1
refused "an end before the start, for --tolerance" 'back in time go --method and a negative --step' run "$P" --until -1 --tolerance 1e-6
refused "rows 1" '--rows 1: expected a whole number from 2' run "$P" --rows 1
refused "rows and every" '--every, --rows and --times: expected one of them' run "$P" --rows 5 --every 2
refused "rows and times" '--every, --rows and --times: expected one of them' run "$P" --rows 5 --times 1

# ---- steps that follow a monitor ---------------------------------------------------------------------------
K=$S/kepler.lag
run "$K" e=0.9 --monitor "r^1.5" --method "gauss 8" --step 0.01 --until 7 --columns t,energy
is "the last row of a run with a monitor is at --until" "$status $(tail -1 out | cut -d, -f1)" "0 7"
[ "$(wc -l <out)" -lt 100 ] && grep -q 'the steps follow the monitor: they were from' err
ok "the steps follow the monitor, and the summary says so" $?
run "$K" e=0.9 --monitor "r^1.5 reversible" --method verlet --step 1e-4 --times "1, 2.5, 3" --columns t
is "output times with a monitor" "$(column 1)" "1 2.5 3"
run "$K" e=0.9 --monitor "r" --step 0.01 --until 20 --rows 5 --columns t
is "rows with a monitor" "$(column 1)" "0 5 10 15 20"
run "$K" e=0.5 --monitor "r*(1 + 0.3*x/r)" --step 0.01 --until 20 --columns t
grep -q 'the monitor has not its symmetry' err
ok "a momentum that the monitor breaks is said to be bounded only" $?
if "$N" run "$K" --step 0.1 --until 1 --output try.h5 --quiet 2>err; then
    for form in "r^1.5" "r^1.5 reversible"; do
        run "$K" e=0.8 --monitor "$form" --method simpson --step 0.01 --until 10 --output half.h5 --quiet
        run "$K" --from half.h5 --until 20 --output rest.csv --quiet
        run "$K" e=0.8 --monitor "$form" --method simpson --step 0.01 --until 20 --output whole.csv --quiet
        is "a run with the monitor $form goes on bit for bit" "$(tail -40 rest.csv)" "$(tail -40 whole.csv)"
    done
    run "$K" e=0.9 --method simpson --step 0.05 --until 10 --output coarse.h5 --quiet
    grep -q 'WARNING: at t = ' err && run "$K" --from coarse.h5 --until 10.2 --output more.h5 --quiet
    [ $status = 0 ] && grep -q 'WARNING: .*before the restart at t = 10: at t = ' err
    ok "what was said of the run before a restart is said again" $?
    run "$K" --from more.h5 --until 10.4 --quiet
    [ $status = 0 ] && grep -q 'before the restart at t = 10.2: .*before the restart at t = 10: at t = ' err
    ok "also after another restart" $?
fi
run "$K" e=0.9 --monitor none --step 0.1 --until 1 --columns t
is "no monitor" "$(wc -l <out)" 12
refused "a monitor of a splitting" 'whose mass is M/G(q)' run "$K" --monitor r --method verlet
cat >flyby.lag <<'M'
coordinate x, y
r = sqrt(x^2 + y^2)
kinetic    (x'^2 + y'^2)/2
potential  -1/r
monitor    r^1.5 reversible
start      x = 1, y' = 1.6
M
run flyby.lag --method "gauss 8" --step 0.05 --until 1e5 --rows 2
[ $status = 3 ] && grep -q 'the monitor, .* there, has grown so much within a step .* try a smaller step' err
ok "a density of steps that falls to 0 is told from a monitor that does" $?
run flyby.lag --method "gauss 8" --step 0.002 --until 1e5 --rows 2
ok "and a smaller step helps" $status
cat >jump.lag <<'M'
coordinate q
kinetic    q'^2/2
potential  1 - cos(q)
monitor    if(cos(q) > 0, 1, 2)
start      q' = 2.00001
M
run jump.lag --tolerance 1e-3 --until 1 --rows 2
[ $status = 3 ] && grep -q 'not one of them follows the motion: L or the monitor jumps or bends there' err
ok "--tolerance with a monitor that jumps ends" $?
refused "a monitor that is negative" 'the monitor is -1.5 at the start' run "$K" --monitor "x - 2"
refused "a monitor of members without common rows" 'give --rows N, --times or --section' run "$K" --monitor r --sweep "e = 0.1..0.5 in 2"
run "$K" --monitor "r^1.5" --method "gauss 8" --sweep "e = 0.1..0.5 in 9" --step 0.1 --until 5 --rows 6 --columns x
is "members with a monitor have rows at their times" "$status $(cut -d, -f1,2 out | tr '\n' ' ')" "0 t,members 0,9 1,9 2,9 3,9 4,9 5,9 "
grep -q '9 of them eight at a time, in lanes' err
ok "they are stepped in lanes" $?
run "$K" e=0.5 --monitor "x - 0.3" --sweep "x = 0.2..0.5 in 2" --step 0.01 --until 0.1 --rows 2 --columns x
grep -q 'member 1: .*the monitor is -0.1 at the start' err
ok "a member whose monitor is negative at the start is told" $?
"$N" run "$K" --monitor r --tolerance 1e-6 --columns t --output a.csv >out 2>err && grep -q 'the steps follow the monitor' err
ok "a monitor and --tolerance" $?
printf 'coordinate x\nkinetic x'"'"'^2/2\npotential x^2/2 + 0.3*exp(-((x-0.4)/1e-7)^2)\nstart x = 1\n' >wall.lag
run wall.lag --tolerance 1e-9 --until 10 --output a.csv --quiet
[ "$status" = 3 ] && grep -q 'do not resolve what happens .*exp of the state, within a step' err
ok "--tolerance takes no monitor to step over a narrow wall" $?
run wall.lag --monitor auto --method "gauss 8" --step 0.066 --until 2 --output a.csv --quiet
[ "$status" = 0 ] && grep -q 'WARNING: at t = 1.188: a step passes a narrow region' err
ok "what a step passed is told where the run ends within a step, too" $?
refused "a monitor in 50 digits" 'in 15 or 33 digits' run "$K" --monitor r --digits 50
run_check() { "$N" check "$K" e=0.6 "monitor=$1" --method "$2" --step 0.02 >out 2>err; }
run_check "r^1.5" "gauss 3" && grep -q 'holds .* symplectic .* at its energy E' out && grep -q 'holds .* order .*computed 6' out
ok "the certificate of a run with a monitor" $?
run_check "r reversible" verlet && grep -q 'expected failure symplectic .*the length of a step depends on the state' out
ok "the certificate of the reversible form" $?
seq -4 4 | awk '{ print $1 "," 2 + cos($1) }' >pace.csv # its spline does not end level
printf '%s\n' -2,0 -1,1 0,4 1,1 2,0 >hat.csv        # a B-spline, which does
for table in '"pace.csv", x, cubic:0' '"pace.csv", x/2, cubic:0' '"pace.csv", x:1' '"pace.csv", x, cubic, zero:1' '"pace.csv", x, cubic, hold:1' '"pace.csv", abs(x), cubic:1' \
    '"hat.csv", x, cubic, zero:0' '"hat.csv", x, cubic, hold:0' '"hat.csv", x, zero:1'; do
    cat >tabled.lag <<M
coordinate x
kinetic    x'^2/2
potential  x^2/2
monitor    table(${table%:*})
start      x = 1
M
    run tabled.lag --method "gauss 4" --step 0.1 --until 1 --columns energy
    is "a monitor by table(${table%:*}) has a kink, or none" "$status $(grep -c 'the monitor has a kink' err)" "0 ${table#*:}"
done
refused "a monitor of velocities" 'positions, parameters and t alone' run "$K" --monitor "x'^2"
cat >rod.lag <<'M'
coordinate x, y
kinetic    (x'^2 + y'^2)/2
potential  y
constraint rod: x^2 + y^2 = 1
monitor    1 + y^2
start      x = 1
suggest    method = "simpson", step = 0.01, until = 1
M
sed '/^monitor/d' rod.lag >equal.lag
sed '/^constraint/d; s/^suggest/force x = -x'"'"'\n&/' rod.lag >forced.lag
sed '/^constraint/d; s/^monitor .*/monitor x'"'"'^2/' rod.lag >moving.lag
refused "a monitor beside constraints" "leave out 'monitor', or write 'monitor=none' after the name of the file" run "$PWD/rod.lag"
run equal.lag && mv out equal
for way in "--monitor none" monitor=none "monitor=x' --monitor none"; do
    # shellcheck disable=SC2086
    run rod.lag $way
    [ $status = 0 ] && cmp -s out equal
    ok "$way replaces a monitor that is refused" $?
done
run forced.lag --monitor "1 + y^2 reversible" --method verlet
[ $status = 0 ] && grep -q 'the steps follow the monitor, reversible' err
ok "a reversible monitor replaces one that forces exclude" $?
run moving.lag --monitor none --quiet && "$N" check rod.lag monitor=none >out && "$N" emit forced.lag monitor=none >out \
    && "$N" study convergence rod.lag monitor=none --halvings 1 >out 2>err && run rod.lag --monitor none --sweep "y' = 0..1 in 2" --rows 3
ok "so it is for check, emit, study and members" $?
if run rod.lag --monitor none --until 0.5 --output half.h5 --quiet && [ $status = 0 ]; then
    run rod.lag --from half.h5 --until 1 --output rest.csv --quiet
    is "a run goes on that has replaced a monitor that is refused" "$status $(tail -40 rest.csv)" "0 $(tail -40 equal)"
fi
refused "a monitor and an end before the start" 'lies behind the start' run "$K" --monitor r --until -1

refused "rows in 50 digits" '--digits 50: the states of --rows and --times' run "$P" --rows 5 --digits 50 --method "gauss 4"
refused "times outside the run" '--times: 11 lies outside the run, from 0 to 10' run "$P" --until 10 --times 1,11
refused "times that descend" '--times: 1 comes after 2: expected times that ascend' run "$P" --times 2,1
refused "no times" '--times is empty' run "$P" --times ""
refused "times of a file that is not there" '--times /nonexist: no such file' run "$P" --times /nonexist
refused "times of a file beside" '--times ../none/times: no such file' run "$P" --times ../none/times
refused "times of a folder" '--times ./: Is a directory' run "$P" --times ./
printf '0.5\n1\0 5\n' >zero.txt
refused "times: a NUL byte" '--times ../zero.txt:2: a NUL byte' run "$P" --times ../zero.txt
{ printf '\xef\xbb\xbf0.5'; printf ',\t%s' $(seq 20000 | sed 's/.*/&e-5 + 0.5/; s/ //g'); printf '\r\n # no more\n'; } >long.txt
"$N" run "$P" --times <(cat long.txt) --until 1 --columns t --quiet >out 2>err
is "times: a pipe, a byte order mark, a line of any length" "$? $(cat err) $(wc -l <out) $(tail -1 out)" "0  20002 0.7"
printf '0.5\n# a\0\n' >zero.txt
refused "times: a NUL byte in a comment" '--times ../zero.txt:2: a NUL byte' run "$P" --times ../zero.txt
refused "times: no end of lines" '--times /dev/zero:1: a NUL byte' run "$P" --times /dev/zero
refused "every 0" '--every 0: expected a whole number' run "$P" --every 0
refused "every 1.5" '--every 1.5: expected a whole number' run "$P" --every 1.5
refused "20 digits" '--digits 20: expected 15 (double), 33' run "$P" --digits 20
refused "an unknown method" "unknown name 'simson' (did you mean 'simpson'?)" run "$P" --method simson
refused "a degree too high" 'the degree must be a number from 1 to 12' run "$P" --method "gauss 13"
refused "fewer points than modes" 'points' run "$P" --method "P4 gauss 3"
refused "an unknown column" "unknown column or option 'energi'; did you mean 'energy'?" run "$P" --columns t,energi
refused "a definition as a column" "'r' is a definition: observe it" run "$S/kepler.lag" --columns r
refused "an empty list of columns" 'an empty name' run "$P" --columns ''
refused "an empty column" 'an empty name' run "$P" --columns t,,q
refused "an unknown ending" "the name must end in .csv, .json or .h5" run "$P" --output a.txt
refused "a folder that is not there" 'cannot write none/a.csv: No such file' run "$P" --output none/a.csv
mkdir d.csv
refused "a folder for a file" 'it is a folder' run "$P" --output ../d.csv
refused "a picture's unknown ending" 'the name must end in .svg, .png or .pdf' run "$P" --plot a.gif --output a.csv
refused "a picture's folder" 'cannot write none/a.svg' run "$P" --plot none/a.svg --output a.csv
refused "a picture's unknown column" "unknown column or option 'qq'" run "$P" --plot a.svg --plot-columns q:qq
refused "half a pair" "no partner for 'q'" run "$P" --plot a.svg --plot-columns q:q.p,q
refused "columns without a picture" '--plot-columns needs a picture' run "$P" --plot-columns q
refused "a singular mass" 'the mass matrix L_vv is singular at the start' run ../walls.lag --method simpson --step 1 --until 1
refused "a start that is not finite" 'not finite at the start' run ../fall.lag x=0
printf 'coordinate x\nkinetic y^2\n' >wrong.lag
refused "a wrong model: file, line, column" "wrong.lag:2:9: unknown name 'y'" run ../wrong.lag

# ---- a run that ends early ---------------------------------------------------------------------------------
run fall.lag --output fall.csv
last=$(tail -1 fall.csv | cut -d, -f1)
[ $status = 3 ] && [ "$(wc -l <fall.csv)" -gt 10 ] \
    && grep -q "noether: step [0-9]* from t = $last: .*the state before the step is kept; .*try a smaller step than 0.05" err
ok "a step that cannot go on: exit status 3, the rows before are kept" $?
run fall.lag --every 1000
is "the last good state is a row, whatever --every is" "$status $(wc -l <out) $(tail -1 out | cut -d, -f1)" "3 3 $last"

# interrupted SIGNAL STATUS FILE: starts a run that would take days, stops it once rows are being written.
interrupted() {
    (ulimit -t 60 && exec "$N" run "$P" --until 1e9 --output "$3" >out 2>err) & # not for ever, if all else fails
    local id=$! i
    for ((i = 0; i < 200; i++)); do
        [ -n "$(find . -name '.noether-*' -size +8k)" ] && break
        sleep 0.05
    done
    kill -"$1" $id
    wait $id
    [ $? = "$2" ] && grep -q 'interrupted: the rows up to t = [0-9.]* are kept' err && [ -z "$(find . -name '.noether-*')" ]
}
interrupted INT 130 int.csv && last=$(sed -n 's/.*rows up to t = \([0-9.]*\) are kept/\1/p' err) \
    && awk -F, -v t="$last" 'END { exit !($1 - t < 1e-6 && t - $1 < 1e-6) }' int.csv && [ "$(awk -F, '{ print NF }' int.csv | sort -u)" = 5 ] \
    && [ "$(tail -c1 int.csv | od -An -c | tr -d ' ')" = '\n' ] && grep -q 'energy error at most' err
ok "Ctrl-C: exit status 130, the file is whole" $?
interrupted TERM 143 int.json && tail -2 int.json | tr -d '\n' | grep -q '"complete": false,"ended": "interrupted"}'
ok "SIGTERM: exit status 143, the file is whole" $?
if command -v python3 >/dev/null; then
    python3 -m json.tool int.json >/dev/null 2>err
    ok "and valid JSON" $?
fi
interrupted INT 130 int.h5 && last=$(sed -n 's/.*rows up to t = \([0-9.]*\) are kept/\1/p' err) \
    && run "$P" --from int.h5 --until "$last + 1" --output more.csv && [ $status = 0 ] \
    && run "$P" --until "$last + 1" && cmp -s <(rows more.csv) <(tail -n 101 out)
ok "and a run from it goes on, bit for bit" $?
"$N" run "$P" --until 1e6 2>err | head -1 >out
is "| head -1: SIGPIPE's status, nothing said" "${PIPESTATUS[0]} $(cat out) $(wc -l <err)" "141 t,q,p(q),energy,k2 1"
for words in "run $P" "show simpson" "emit $P" "check $P" "structure cantilever --size 2 --steps 1" "--help" "run --help"; do
    "$N" $words >/dev/full 2>err
    is "noether ${words%% *}: standard output is full" "$? $(tail -1 err)" \
        "2 noether: cannot write standard output: No space left on device"
done

# ---- what is said ------------------------------------------------------------------------------------------
run "$S/double_pendulum.lag"
grep -q "^$S/double_pendulum.lag: 2 coordinates, simpson (order 4), step 0.01$" err \
    && grep -q '^  1000 steps to t = 10 in [0-9.e-]* s, [0-9.e+]* us a step; rows and output [0-9.e-]* s$' err \
    && grep -q '^  per step [0-9.]* iterations, [0-9.]* Newton matrices; equations solved to [0-9.e-]* of the momenta' err \
    && grep -q '^  energy error at most [0-9.]*e-0[0-9] of 7.31307 = max(|H0|, largest kinetic energy), H0 = 7.3130666' err
ok "the summary: steps, time per step, iterations, energy error and its denominator" $?
run "$S/double_pendulum.lag" --every 10
[ "$(wc -l <err)" = 5 ] && grep -q "NOTE: the same run with half the step has another q1" err
ok "no progress where there is no terminal" $?
# The energy balance goes on with the run.
run "$S/driven_pendulum.lag" --until 5 --output forced.h5 && run "$S/driven_pendulum.lag" --from forced.h5 --until 10 --columns t,work,dissipated,balance \
    && tail -1 out >more.txt && run "$S/driven_pendulum.lag" --until 10 --columns t,work,dissipated,balance && cmp -s more.txt <(tail -1 out)
ok "work, dissipated and balance go on from a restart, bit for bit" $?
run "$S/van_der_pol.lag" --until 1
grep -q 'NOTE: the dissipation feeds energy into the motion, first before t = 0.02: damping is negative there' err
ok "negative damping is allowed and said" $?
run "$S/moving_pivot.lag"
grep -q '^  energy balance at most [0-9.]*e-0[3-9] of' err && ! grep -q 'energy error' err \
    && grep -q '^  the energy balance is energy [-0-9.]* + dissipated 0 - work [-0-9.]* - H0' err
ok "where energy is not conserved the summary has the energy balance" $?
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 </dev/null; then # and a pseudo-terminal
    script -qec "timeout -s INT 3 $N run $P --until 1e9 --every 1000 --output long.csv" /dev/null >out 2>&1 </dev/null
    tr '\r' '\n' <out | grep -qE '^ +[0-9]+ % +step [0-9]+ of 100000000000 +[0-9.e+]+ steps/s +[0-9]+ s left'
    ok "progress on a terminal: rate and time left" $?
fi
run "$S/double_pendulum.lag" --until 0.2 --verbose --output a.csv
[ $status = 0 ] && grep -q '^  solver: Newton, the degree is below 4: a matrix of 4 unknowns, second derivatives by [0-9]* operations' err \
    && grep -q '^  Newton: 20 of 20 steps, [0-9]* of them by one evaluation' err && grep -q '^  [0-9]* iterations and [0-9]* matrices of Newton in all' err
ok "--verbose: Newton, why, and how it did" $?
run "$S/double_pendulum.lag" --method "gauss 8" --until 0.2 --verbose --output a.csv
[ $status = 0 ] && grep -q '^  solver: the fixed point, the degree is 4 or more: 8 nodes at once' err \
    && grep -qE '^  fixed point: 20 of 20 steps, [0-9.]+ iterations each; the first correction, or the first two together, left [0-9.]+e-[0-9]+ of the residual' err \
    && run "$S/double_pendulum.lag" --method "gauss 8" --until 0.2 --solver newton --verbose --output a.csv \
    && grep -q '^  solver: Newton, as asked: a new matrix of 16 unknowns for every iteration' err && ! grep -q 'fixed point' err
ok "--verbose: the fixed point, and Newton where it was asked for" $?
for n in 32 100; do
    run "$S/fput_alpha.lag" N=$n --until 1 --verbose --output a.csv && grep -q 'solver: the fixed point, term by term; Newton with sparse factors where' err \
        && run "$S/fput_alpha.lag" N=$n --until 1 --solver newton --verbose --output a.csv && grep -q 'solver: Newton, as asked: new sparse' err \
        && grep -q '10 of 10 steps by Newton' err && run "$S/fput_alpha.lag" N=$n --method verlet --until 1 --verbose --output a.csv \
        && grep -q 'solver: none, the step is explicit' err
    ok "--verbose: sums of $n sites, and an explicit step" $?
done
refused "--solver: an explicit step" 'a step of "verlet" is explicit' run "$P" --method verlet --solver newton
run "$P" --quiet --until 1
is "--quiet" "$status $(wc -c <err)" "0 0"
is "--version" "$("$N" --version)" "noether $(sed -n 's/^#define NOE_VERSION "\(.*\)"/\1/p' "$R/include/noether.h")"

# ---- pictures ----------------------------------------------------------------------------------------------
run "$S/double_pendulum.lag" --plot a.svg --output a.csv
[ $status = 0 ] && head -1 a.svg | grep -q '^<?xml' && tail -2 a.svg | grep -q '^</svg>' && cmp -s <(head -5 a.csv) <(head -5 rows.csv)
ok "--plot a.svg" $?
run "$P" q.v=1 --plot a.pdf --plot-columns q:q.p --quiet
[ $status = 0 ] && [ "$(head -c5 a.pdf)" = %PDF- ] && [ "$(wc -l <out)" = 1002 ]
ok "--plot a.pdf, a phase portrait" $?
sed 's/^unit.*/unit q1 = "rad", q2 = "m", t = "s", m1 = "kg", energy = "J"/' "$S/double_pendulum.lag" >units.lag
run units.lag m1=2 --until 1 --plot u.svg --output a.csv && mv u.svg v.svg
run units.lag --until 1 --plot u.svg --plot-columns "q1,q2'" --output a.csv
[ "$(grep -oE '<text>(q[12].*|t \[.*|m1 = [^,]*|relative to [^=]*.*[A-Z])</text>' v.svg | sed 's/<[^>]*>//g; s/= [0-9.]* J/= J/' | paste -sd';')" = "q1 [rad];q2 [m];t [s];relative to |energy(0)| = J" ] &&
    grep -q '<text>m1 = 2 kg, m2 = 1, g = 9.81' v.svg && grep -q "<text>q2' \[m/s\]</text>" u.svg
ok "units: panels, axes, parameters, velocities" $?
run "$P" --plot a.png --plot-columns q,energy --output a.csv --every 100
[ $status = 0 ] && [ "$(head -c4 a.png | tail -c3)" = PNG ]
ok "--plot a.png" $?
run "$P" --plot a.dark.png --output a.csv --every 100 && cp a.dark.png dark.png && run "$P" --plot dark.png --output a.csv --every 100
[ $status = 0 ] && ! cmp -s a.dark.png dark.png && [ "$(head -c4 a.dark.png | tail -c3)" = PNG ] && "$N" study convergence "$P" --methods "simpson, rk4" --step 0.1 --halvings 2 --error q --plot a.dark.svg >out 2>err
[ $status = 0 ] && grep -q 'fill="#191919"' a.dark.svg && ! grep -q '@media' a.dark.svg
ok "--plot a.dark.png, a.dark.svg: dark paper" $?
run "$S/spring_lattice.lag" N=6 --until 5 --plot a.svg --plot-columns 'u[*] by N,u[0]' --output a.csv
[ $status = 0 ] && [ "$(grep -c '<image' a.svg)" = 6 ] && [ "$(grep -oE '<text>t = [0-9]*' a.svg | grep -o '[0-9]*' | paste -sd' ')" = "0 1 2 3 4 5" ]
ok "--plot a.svg, a membrane as frames" $?
refused "frames with rows of one" 'a row of a frame has two members or more' run "$S/spring_lattice.lag" --plot a.svg --plot-columns 'u[*] by 1'
refused "frames wider than their family" 'u has 64 members, a row of a frame 65' run "$S/spring_lattice.lag" --plot a.svg --plot-columns 'u[*] by 65'
run "$S/fput_alpha.lag" N=20 --until 5 --plot a.svg --plot-columns 'x[*]' --output a.csv
map=$status
run "$S/fput_alpha.lag" N=20 --until 5 --plot b.svg --plot-columns 'x.*' --output a.csv
[ $map$status = 00 ] && [ "$(grep -c '<image' a.svg)" = 1 ] && grep -q '<text>x\[i\]</text>' a.svg && cmp -s a.svg b.svg
ok "--plot a.svg, a space-time map, by either spelling" $?
run "$S/fput_alpha.lag" N=20 --until 5 --plot c.svg --output a.csv
[ $status = 0 ] && [ "$(grep -c '<image' c.svg)" = 1 ] && run "$S/fput_alpha.lag" N=8 --until 5 --plot c.svg --output a.csv \
    && ! grep -q '<image' c.svg
ok "--plot a.svg, a map of itself above 16 coordinates" $?
rm b.svg c.svg
PATH= "$N" run "$P" --plot b.svg >out 2>err
is "without gnuplot: said, before anything is computed" "$? $(wc -l <out) $(tail -1 err) $(ls b.svg 2>/dev/null)" \
    "2 0 noether: gnuplot is not installed: apt-get install gnuplot-nox "

# ---- show --------------------------------------------------------------------------------------------------
shows() { # NAME METHOD, then lines that must be there
    local name=$1 line missing=0
    "$N" show $2 >out 2>err || missing=1
    shift 2
    for line in "$@"; do grep -qxF -e "$line" out || { echo "missing: $line"; missing=1; }; done
    ok "show $name" $missing
}
shows simpson simpson 'order 4, symmetric, symplectic, preserves the momenta of affine symmetries' \
    'weights   0.166666666666666666666666666666667' '          0.666666666666666666666666666666667' \
    'oscillator, w h: stable to 2.828427' '                 unstable to 3.464102' \
    '                 stable to 4.898979, then unstable'
shows "gauss 3" "gauss 3" 'nodes     0.112701665379258311482073460021760' '          0.887298334620741688517926539978240' \
    'weights   0.277777777777777777777777777777778' '          0.444444444444444444444444444444444' \
    'oscillator, w h: stable for every step'
shows "lobatto 5" "lobatto 5" '          0.117472338035267653574498513020331' '          0.189237478148923490158306404106012' \
    'weights   0.033333333333333333333333333333333' '                 stable to 6.253008' \
    '                 unstable to 6.305939' '                 stable to 8.841474' '                 unstable to 10.105951' \
    '                 stable to 11.353409'
shows rk4 "RK 4" 'order 4, not symmetric, not symplectic, preserves the momenta of translations' \
    'a(2,.)    0.500000000000000000000000000000000' 'oscillator, w h: stable to 2.828427, then unstable'
"$N" run "$P" --method rk4-v --until 1 >out 2>err && [ "$(wc -l <out)" = 102 ]
ok "run --method rk4-v" $?
shows "compose 6 simpson" "compose 6 Simpson" 'order 6, symmetric, symplectic, preserves the momenta of affine symmetries' \
    'steps     1.174671758089363384495069436557146' 'oscillator, w h: stable to 3.277768, then unstable as far as was searched, to 10'
shows srkn11-6 "SRKN11-6" 'order 6, symmetric, symplectic, preserves the momenta of affine symmetries' \
    'order 4 with forces that depend on velocities' 'oscillator, w h: stable to 3.141431'
printf "coordinate x\nkinetic x'^2/2\npotential x^2/2\nforce x = 10*(1 - x^2)*x'\nstart x = 1\n" >vdp.lag
"$N" run vdp.lag --method srkn11-6 --step 0.01 --until 1 >out 2>err && grep -q 'WARNING: .* srkn11-6 has the order 4' err \
    && ! grep -q 'kicks back in time' err
ok "a set that is for forces without velocities says so" $?
"$N" run vdp.lag --method yoshida4 --step 0.15 --until 1.5 x=2 >out 2>err && grep -q 'WARNING: kicks back in time' err
ok "damping against kicks back in time is told" $?
refused "a splitting of what cannot be split" "d2L/d(q1')d(q2') is not constant" run "$S/double_pendulum.lag" --method verlet
printf "coordinate x\nkinetic sqrt(1 - 1e6*x^2)*x'^2/2\nstart x' = 1e-4\n" >near.lag  # finite up to 1e-3 alone
refused "a splitting of a mass that moves near the start alone" "d2L/d(x')d(x') is not constant" run ../near.lag --method verlet --step 0.01 --until 0.1
printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 2\n' >two.mtx
printf 'coordinate x[1..2]\nmass "two.mtx"\nstiffness "two.mtx"\nstart x[1] = 1\n' >two.lag
"$N" run two.lag --method verlet --step 0.1 --until 1 --columns t,x.1 --quiet >out && "$N" run two.lag --method rk4 --step 0.1 --until 1 --quiet >out1 \
    && awk -F, 'END { exit !(NR == 12 && $2 > 0.539 && $2 < 0.542) }' out && awk -F, 'END { exit !($2 > 0.5403 && $2 < 0.5404) }' out1
ok "a structure by verlet, and by rk4" $?
refused "a scheme that divides by positions" "its kicks divide by positions; take" run ../two.lag --method luo-guo4-frozen --step 0.1 --until 1
refused "a structure in many digits" "a structure is stepped in double, not in 33 digits" run ../two.lag --method simpson --digits 33 --step 0.1 --until 1
refused "a composition of a structure" "does not step a structure: take" run ../two.lag --method 'compose 6 simpson' --step 0.1 --until 1
printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 1\n' >one.mtx
printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 100\n' >fast.mtx
printf 'coordinate x[1..2]\nmass "one.mtx"\nstiffness "fast.mtx"\nstart x[1] = 1, x[2] = 1\n' >fast.lag
refused "a step that a mode does not stand" "largest stable one of simpson, 0.2828" run ../fast.lag --method simpson --step 0.4 --until 4
"$N" run fast.lag --method simpson --step 0.4 --until 400 --window 2 --threads 2 --factorise --quiet >out 2>err \
    && ! awk -F, 'NR > 1 && ($3 > 3 || $3 < -3) { print }' out | grep -q .
ok "run --window 2 --threads 2 --factorise" $?
refused "--window for what is no structure" "window = 2: only structures" run "$P" --window 2
refused "--window 0" "--window 0: expected a whole number from 1 to 64" run "$P" --window 0
"$N" show "lobatto 5" | grep -q 'order 10, symmetric' && "$N" show "P3 radau-left 3" | grep -q 'order 5, not symmetric'
ok "show: order and symmetry" $?
"$N" show methods >out && grep -q simpson out && "$N" show options >out && grep -q '^step ' out
ok "show methods, show options" $?
printf "coordinate x\nparameter k = 2\nkinetic x'^2/2\npotential k/2*x^2\n" >spring.lag
is "show --latex" "$("$N" show spring.lag --latex)" '\begin{aligned} L &= \frac{\dot{x}^{2}}{2} - \frac{k}{2} x^{2} \end{aligned}'
printf "coordinate x, y\nparameter e = 1/2\nkinetic (x'^2 + y'^2)/2\nevent floor: y = sin(t) + 1 falling then bounce e\nevent kick: x = 0 then x' = -x', y' = 1\nevent far: x = 9 stop\n" >hit.lag
is "show --latex: events" "$("$N" show hit.lag --latex | sed 's/.*{2} //')" '\\ g_{\mathit{floor}} &= y - \left(\sin\left(t\right) + 1\right) = 0\ \mathrm{falling}:\quad \dot{g}_{\mathit{floor}}^{+} = -e\, \dot{g}_{\mathit{floor}} \\ g_{\mathit{kick}} &= x = 0:\quad \dot{x}^{+} = -\dot{x},\ \dot{y}^{+} = 1 \\ g_{\mathit{far}} &= x - 9 = 0:\quad \mathrm{stop} \end{aligned}'
printf "coordinate x[1..2], z\nparameter l = 2\nkinetic (x[1]'^2 + x[2]'^2 + z'^2)/2\nconstraint rod[i in 1..2]: x[i]^2 + z^2 = l\nstart x[1] = 1, x[2] = 1, z = 1\n" >tied.lag
is "show --latex: constraints" "$("$N" show tied.lag --latex | sed 's/.*}{2} //')" '\\ x_{i}^{2} + z^{2} &= l\quad i = 1, \ldots, 2 \end{aligned}'
printf "body b: mass = 1, inertia = (1, 1, 1)\n" >body.lag
refused "show --latex of a body" 'a rigid body has no form in LaTeX' show ../body.lag --latex
refused "show --latex of several" 'one model' show spring.lag k=3 --latex
"$N" show spring.lag --hamiltonian >spring_h.lag && is "show --hamiltonian" "$(tail -1 spring_h.lag)" 'hamiltonian k/2*x^2 + 0.5*p(x)^2'
"$N" run spring.lag "x'=1" --method simpson --step 0.1 --until 1 --quiet >out && "$N" run spring_h.lag "x'=1" --method simpson --step 0.1 --until 1 --quiet | cmp -s - out
ok "show --hamiltonian: its text runs and moves as the model does" $?
is "show --hamiltonian of a Hamiltonian: its text" "$("$N" show spring_h.lag --hamiltonian)" "$(cat spring_h.lag)"
is "show --latex of a Hamiltonian" "$("$N" show spring_h.lag --latex)" '\begin{aligned} H &= \frac{k}{2} x^{2} + 0.5 \left(p_{x}\right)^{2} \end{aligned}'
refused "show --hamiltonian of several" 'one model' show ../spring.lag k=3 --hamiltonian
refused "show --latex --hamiltonian" 'not both' show ../spring.lag --latex --hamiltonian
refused "show --hamiltonian of rigid bodies" 'no Hamiltonian as text: the momenta of rigid bodies' show "$S/heavy_top_body.lag" --hamiltonian
printf "coordinate x\nlagrangian x'^4 + x'^2\n" >quartic.lag
refused "show --hamiltonian of what is not solved" 'no Hamiltonian as text: the momenta are not solved' show ../quartic.lag --hamiltonian
refused "show an unknown method" "unknown name 'foo'" show foo
refused "show nothing" 'show what?' show

# ---- what is wrong is told: rare rows, few steps, many coordinates ------------------------------------------------
printf 'coordinate x, z[1..40]\nkinetic x'"'"'^2/2 + sum(i in 1..40) z[i]'"'"'^2/2\npotential 9e4*max(-x, 0)^2.5 + sum(i in 1..40) z[i]^2/2\nstart x = 1, x'"'"' = -1, z[i] = 1\n' >wall.lag
"$N" run wall.lag --method verlet --step 0.25 --until 250 --every 1000 --quiet >out 2>err
grep -q 'the energy is wrong by' err
ok "40 oscillators, two rows" $?
"$N" run wall.lag --method kahan-li8 --step 0.3 --until 9 --every 1000 --quiet >out 2>err
grep -q 'the same run with half the step has other velocities' err
ok "40 oscillators, 30 steps" $?
"$N" run "$P" --method midpoint --step 0.02 --until 0.06 --quiet >out 2>err && [ ! -s err ]
ok "three sound steps have no warning" $?

# ---- check: what it finds is the business of other tests ------------------------------------------------------
"$N" check "$P" >out 2>err && grep -q energy out && [ ! -s err ]
ok "check" $?
"$N" check "$P" --json >out 2>err && { ! command -v python3 >/dev/null || python3 -m json.tool out >/dev/null; }
ok "check --json" $?
refused "check without a model" 'which model?' check
refused "check: no such model" 'none.lag: cannot read the model' check none.lag
refused "check: no method" 'no method: give --method' check ../free.lag
refused "check: a step of 0" '--step 0: expected a number that is not 0' check "$P" --step 0
refused "check: an unknown method" "unknown name 'simson'" check "$P" --method simson

# ---- emit --------------------------------------------------------------------------------------------------
san=$(nm "$B/libnoether.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
printf 'coordinate x\nkinetic x'"'"'^2/2\npotential if(x < 0, x, 1e400)*1e-400 + abs(x) + min(x, 2) + max(x, -2) + atan2(x, 2)\n' >odd.lag
printf 'coordinate ä\nkinetic ä'"'"'^2/2\n' >'3 double-ü.lag'
status=0
for m in "$S"/*.lag odd.lag free.lag '3 double-ü.lag'; do
    if grep -qE '^(constraint|body) ' "$m"; then
        "$N" emit "$m" >e.c 2>err
        [ $? = 2 ] && [ ! -s e.c ] && grep -q 'is not written for systems with constraints' err && continue
    fi
    "$N" emit "$m" >e.c 2>err && ${CC:-cc} -std=c99 -Wall -Wextra -Wpedantic -Werror -O1 -c e.c -o e.o 2>out || { status=1; break; }
done
ok "emit: C99 without a warning, for every system; none for those with constraints" $status
cat >same.c <<'C'
#include "noether.h"
#include <math.h>
#include <stdio.h>
noe_lagrangian double_pendulum_lagrangian;
int main(int argc, char **argv)
{
    static const char *const name[] = { "m1", "m2", "g", "l1", "l2" };
    noe_system *text = noe_system_load(argv[argc - 1]), *c = noe_system_new(2, 5, double_pendulum_lagrangian, NULL, NULL);
    noe_method *simpson = noe_method_parse("simpson");
    noe_integrator *a = noe_integrator_new(text, simpson, 0.01), *b = noe_integrator_new(c, simpson, 0.01);
    for (int i = 0; i < 5; i++) {
        char parameter[8];
        snprintf(parameter, sizeof parameter, "c.%d", i + 1);
        noe_set(b, parameter, noe_system_get(text, name[i]));
    }
    noe_start(b, 0, noe_q(a), noe_v(a));
    noe_run(a, 2, NULL, NULL);
    noe_run(b, 2, NULL, NULL);
    const double error = fmax(fabs(noe_q(a)[0] - noe_q(b)[0]), fabs(noe_q(a)[1] - noe_q(b)[1]));
    printf("%.3g %s\n", error, noe_error() ? noe_error() : "");
    noe_integrator_free(a), noe_integrator_free(b);
    noe_method_free(simpson);
    noe_system_free(text), noe_system_free(c);
    return !(error < 1e-11);
}
C
"$N" emit "$S/double_pendulum.lag" --output dp.c \
    && ${CC:-cc} $san -I"$R/include" same.c dp.c -L"$B" -lnoether -Wl,-rpath,"$B" -lm -o same 2>err \
    && ./same "$S/double_pendulum.lag" >out 2>>err
ok "emit: the same motion as from the text" $?
"$N" emit "$P" m=2 | grep -q 'param\[0\] = m, in the model 2'
ok "emit: NAME=VALUE" $?
"$N" emit "$P" --output /dev/stdout >e.c 2>err && tail -1 e.c | grep -q '^}' && [ -c /dev/full ]
ok "emit: /dev/stdout is no file to replace" $?
ln -s nowhere dangling
"$N" emit "$P" --output dangling 2>err
[ $? = 2 ] && grep -q "dangling: it is a link to nothing" err && [ -L dangling ]
ok "emit: a link to nothing is not replaced" $?
"$N" emit "$P" --step "gauss 2" --output step.c \
    && ${CC:-cc} -std=c99 -Wall -Wextra -Wpedantic -Werror -O1 -c step.c -o step.o && nm step.o | grep -q 'T pendulum_step'
ok "emit --step: C99 without a warning" $?
refused "emit --step: neither a Galerkin method nor a splitting" 'written for Galerkin methods' emit "$P" --step rk4
cat >wall.lag <<'M'
coordinate q
kinetic    q'^2/2
event      wall: q = 1 then bounce 1
event      half: q = 1/2
start      q' = 1
M
for as in "" --step=simpson --step=verlet "--step=gauss 3"; do
    "$N" emit wall.lag ${as:+"$as"} >e.c 2>err && ${CC:-cc} -std=c99 -Wall -Wextra -Wpedantic -Werror -c e.c -o e.o 2>>err
    is "emit $as: events are no part of the code, and it says so" "$? $(grep -c "^noether: the event '[wh]al[lf]' is not part of the emitted C" err) \
$(grep -c '^ \* Not part of this code: the event [wh]al[lf] of the model' e.c)" "0 2 2"
done
refused "emit without a model" 'which model?' emit
refused "emit: no such folder" 'cannot write none/a.c' emit "$P" --output none/a.c
refused "emit: an unknown parameter" "unknown name 'omgea'" emit "$P" omgea=1

# ---- members -------------------------------------------------------------------------------------------------
D=$S/double_pendulum.lag
printf '# two pendulums\nq1, l1\n0.3,g/10\n\n2.5, 1.25\n-1,2\n' >members.csv
"$N" run "$D" --ensemble members.csv --until 2 --every 40 --columns t,q1,p\(q2\),energy --all all.csv --threads 2 >stats.csv 2>err
"$N" run "$D" --ensemble members.csv --until 2 --every 40 --columns t,q1,p\(q2\),energy --all all1.csv --threads 1 --quiet >stats1.csv
cmp -s stats.csv stats1.csv && cmp -s all.csv all1.csv && grep -q '3 members, 600 steps.*3 of them eight at a time' err
ok "members: the same bits on one thread and on two" $?
k=0; status=0
for words in "q1=0.3 l1=g/10" "q1=2.5 l1=1.25" "q1=-1 l1=2"; do
    k=$((k + 1))
    "$N" run "$D" $words --until 2 --every 40 --columns t,q1,p\(q2\),energy --quiet | tail -n +2 >alone
    awk -F, -v k=$k '$1 == k { print $4 "," $5 "," $6 "," $7 }' all.csv >among
    [ -s alone ] && cmp -s alone among || status=1
done
ok "members: each bit for bit as alone" $status
head -1 all.csv | grep -q ',energy,local_error,energy_error$' && awk -F, 'NR > 1 && $8 > 1e-6 { one = 1 } NR > 1 && $9 < 0 { bad = 1 } END { exit !one || bad }' all.csv
ok "members: what judges each is in its rows" $?
"$N" run "$D" --sweep "q1 = 0.1..3.0 in 30; m2 = 1..2 in 3" --until 1 --every 50 --columns q1,energy --output stats.csv --all all.csv --quiet 2>err
awk -F, 'NR > 1 { i = n[$1]++; s[i] += $4; q[i] += $4 * $4; m = i > m ? i : m }
    END { for (i = 0; i <= m; i++) { mu = s[i] / 90; printf "%.9f %.9f\n", mu, sqrt((q[i] - 90 * mu * mu) / 89) } }' all.csv >own
awk -F, 'NR > 1 { printf "%.9f %.9f\n", $3, $4 }' stats.csv | cmp -s - own && [ "$(wc -l <own)" = 3 ]
ok "members: mean and deviation, from all rows once more" $?
for i in 1 2 3; do awk -F, -v r=$i '{ c = n[$1]++; if (NR > 1 && c == r - 1) print $4 }' all.csv | sort -g | awk '
    { x[NR - 1] = $1 } END { a = 0.05 * 89; i = int(a); m = 44; printf "%.12g %.12g %.12g\n", x[0],
    x[i] + (a - i) * (x[i + 1] - x[i]), (x[44] + x[45]) / 2 }'; done >own
awk -F, 'NR > 1 { printf "%.12g %.12g %.12g\n", $5, $6, $7 }' stats.csv | cmp -s - own
ok "members: least, quantile and median, from all rows once more" $?
grep -q '^90,3,2,' all.csv && grep -q '^1,0.1,1,' all.csv && grep -q '^2,0.1,1.5,' all.csv
ok "--sweep: a grid, the last name fastest" $?
for n in 32 100; do # sums that are written out and stepped as sums, and sums that stay
    run "$S/fput_alpha.lag" N=$n --sweep "alpha = 0..0.5 in 9" --until 1 --columns x.3 --all all.csv --output stats.csv \
        && "$N" run "$S/fput_alpha.lag" N=$n alpha=0.1875 --until 1 --columns x.3 --quiet >one && [ "$(tail -1 one)" = "$(grep '^4,' all.csv | tail -1 | cut -d, -f3)" ]
    ok "--sweep: members of $n sites, each as alone" $?
done
"$N" run "$D" --scatter "q1 ~ normal(1, 0.1); m1 ~ uniform(1, 2)" --members 400 --until 0.01 --columns q1 --output a.csv --all all.csv --quiet
"$N" run "$D" --scatter "q1 ~ normal(1, 0.1); m1 ~ uniform(1, 2)" --members 200 --until 0.01 --columns q1 --output b.csv --all half.csv --quiet --seed 1
"$N" run "$D" --scatter "q1 ~ normal(1, 0.1); m1 ~ uniform(1, 2)" --members 200 --until 0.01 --columns q1 --output b.csv --all other.csv --quiet --seed 2
head -401 all.csv | cmp -s - half.csv && ! cmp -s half.csv other.csv
ok "--scatter: a seed is a sequence, of which more members have more" $?
awk -F, 'NR > 1 && n[$1]++ == 0 { a += $2; b += ($2 - 1) ^ 2; c += $3; d += ($3 - 1.5) ^ 2; if ($3 < 1 || $3 > 2) bad = 1 }
    END { exit !(!bad && (a / 400 - 1) ^ 2 < (5 * .1 / 20) ^ 2 && b / 400 > .007 && b / 400 < .013 && (c / 400 - 1.5) ^ 2 < (5 * .289 / 20) ^ 2 && d / 400 > .065 && d / 400 < .102) }' all.csv
ok "--scatter: means and deviations as asked" $?
printf 'parameter c = 1\ncoordinate x\nkinetic x'"'"'^2/2\npotential -c*x^4\nstart x = 1\nsuggest method = "simpson", step = 0.01, until = 3\n' >escape.lag
"$N" run escape.lag --sweep "c = -1..1 in 3" --columns t,x --every 10 --output stats.csv --all all.csv 2>err
[ $? = 3 ] && grep -q '1 of 3 members stopped' err && grep -q 'member 3' err && grep -q '2 of them eight at a time' err && tail -1 stats.csv | grep -q '^3,2,' && tail -1 all.csv | grep -q '^3,1,'
ok "members: one that stops leaves the others as they are" $?
# Members that would take many minutes: stopped when some are at the end, however slow the machine is.
for seconds in 1 4 16; do
    (ulimit -t 60 && exec "$N" run "$P" --sweep "q = 0.1..3 in 100000" --until 1000 --every 10000 --columns t,q --all all.json --output stats.csv >out 2>err) &
    id=$!
    sleep $seconds
    kill -INT $id
    wait $id
    status=$? many=$(sed -n 's/^  interrupted: \([0-9]*\) of 100000 members reached the end.*/\1/p' err)
    [ "${many:-0}" = 0 ] || break
done
[ $status = 130 ] && [ "$many" -gt 0 ] && [ "$many" -lt 100000 ] && [ "$(tail -1 stats.csv | cut -d, -f1-2)" = "1000,$many" ] \
    && tail -2 all.json | tr -d '\n' | grep -q '"complete": false,"ended": "interrupted"}'
ok "members: Ctrl-C keeps what is done" $?
refused "--sweep: no count" "NAME = FIRST..LAST in COUNT" run "$P" --sweep "q = 1..2"
refused "--sweep: three dots, 1 to 0.2" "NAME = FIRST..LAST in COUNT" run "$P" --sweep "q = 1...2 in 3"
refused "--sweep: an unknown name" "member 1 of 3" run "$P" --sweep "w = 1..2 in 3"
refused "--scatter: how many" "Give --members N" run "$P" --scatter "q ~ normal(0, 1)"
refused "--scatter: an unknown distribution" "NAME ~ normal(MEAN, DEVIATION)" run "$P" --scatter "q ~ cauchy(0, 1)" --members 3
refused "members of two kinds" "expected one of them" run "$P" --scatter "q ~ normal(0, 1)" --sweep "q = 0..1 in 2" --members 3
refused "members: a picture of what is no column" "'energy' is no column of the members: name it in --columns" run "$P" --sweep "q = 0..1 in 2" --columns t,q --plot a.svg --plot-columns energy
refused "members: a picture of a value that does not vary" "'q.p' is no column of the members and not varied" run "$P" --sweep "q = 0..1 in 2" --columns t,q --plot a.svg --plot-columns q.p:q
refused "members: no map" "a map is of one run" run "$S/fput_alpha.lag" --sweep "alpha = 0..1 in 2" --plot a.svg --plot-columns 'x[*]'
# A sweep: curves in the colours of the value that varies, and the final state of each against it.
run "$P" --sweep "q.v = 0..6 in 13" --until 2 --every 50 --plot-columns q --plot a.svg --output a.csv --all all.csv --quiet
awk -F, '!/^#/ && $1 == 13 { last = $4 } END { exit !(last != "") }' all.csv && [ $status = 0 ] && grep -qF '<desc>q [rad] against t [s]; q [rad] at the end, t = 2 against q.v [rad/s]</desc>' a.svg &&
    [ "$(grep -c '<text>q \[rad\] at the end, t = 2</text>' a.svg)" = 1 ] && [ "$(grep -c "#gpPt6' transform" a.svg)" = 13 ] &&
    [ "$(grep -o "stroke='rgb([^']*'  d='M[^']*'" a.svg | grep -c 'L[0-9.,]* L')" -ge 13 ]
ok "--sweep --plot: thirteen curves and thirteen final states" $?
run "$P" --scatter "q ~ normal(1, 0.1)" --members 200 --until 2 --every 10 --plot b.svg --plot-columns q --output b.csv --quiet
[ $status = 0 ] && grep -qF '<desc>q [rad] against t [s]; q [rad] at the end, t = 2 against q [rad]</desc>' b.svg
ok "--scatter --plot" $?
run "$P" --scatter "q ~ normal(1, 0.1); q.v ~ normal(0, 0.1)" --members 200 --until 2 --every 10 --plot b.svg --plot-columns q --output b.csv --quiet
[ $status = 0 ] && grep -q '<text>median</text>' b.svg && grep -q '<text>5 to 95 %</text>' b.svg
ok "--scatter --plot of two values: quantiles" $?
refused "members: no word on solvers" "--verbose is for one run" run "$P" --sweep "q = 0..1 in 2" --verbose
refused "members: options alone" "are for --ensemble" run "$P" --seed 3
printf 'q,m\n1\n' >short.csv
refused "--ensemble: a short line" "short.csv:2: expected 2 values" run "$P" --ensemble ../short.csv
printf 'q\n\nomgea\n' >wrong.csv
refused "--ensemble: the line of a wrong value" "wrong.csv:3: member 1 of 1: .*unknown name 'omgea'" run "$P" --ensemble ../wrong.csv
printf '\xef\xbb\xbf"q","m"\r\n"1",2\r\n' >office.csv
printf 'q,m\n1,2\n' >plain.csv
"$N" run "$P" --ensemble office.csv --until 1 --quiet >a.csv && "$N" run "$P" --ensemble plain.csv --until 1 --quiet >b.csv && cmp -s a.csv b.csv
ok "--ensemble: quotes, a byte order mark and CR LF say nothing" $?
printf '  # q and m\n"q" , m\n"max(1, 0)",2' | "$N" run "$P" --ensemble /dev/stdin --until 1 --quiet >a.csv && cmp -s a.csv b.csv
ok "--ensemble: a value with a comma in quotes, from a pipe" $?
printf 'q\n1\n1e400/0\n' >half.csv
"$N" run "$P" --ensemble half.csv --until 1 --columns t,q --output stats.csv 2>err
[ $? = 3 ] && grep -q '1 of 2 members stopped .*, half.csv:3: member 2: .*not finite' err && tail -1 stats.csv | grep -q '^1,1,'
ok "members: one that cannot begin leaves the others as they are" $?
printf 's,a\n-100,0\n1,0\n1.005,-60\n1.01,0\n100,0\n' >spike.csv
for of in x t; do
    printf 'coordinate x\nkinetic x'"'"'^2/2\nforce x = table("spike.csv", %s, linear, zero)\nstart x'"'"' = 1\n' $of >spike.lag
    for m in simpson midpoint rk4; do
        "$N" run spike.lag --method $m --step 0.03 --until 3 --output spike_rows.csv --quiet 2>err
        [ $? = 0 ] && grep -q 'at t = 1.0[0-9]*: the force on x jumps within a step, or varies faster' err
        ok "$m steps over a spike of a table of $of: told" $?
        "$N" run spike.lag --method $m --step 1e-5 --until 1.1 --output spike_rows.csv --every 1000 --quiet 2>err
        [ $? = 0 ] && ! grep -q 'force on x\|withdrawn' err
        ok "$m resolves it: not told, nor was its momentum promised" $?
    done
done
printf "coordinate x, y\nkinetic (x'^2+y'^2)/2\nlagrangian 5*(x*y'-y*x')\npotential (x^2+y^2)/4\nstart x = 1\n" >trap.lag
"$N" run trap.lag --method simpson --step 0.05 --until 30 --output trap.csv --quiet 2>err
[ $? = 0 ] && ! grep -q WARNING err
ok "a magnetic field, where v.p is negative, is no energy error" $?
printf "coordinate x, y\nkinetic (x'^2+y'^2)/2\npotential -1/sqrt(x^2+y^2)\nstart y' = 1\n" >centre.lag
"$N" run centre.lag --sweep "x = 0..2 in 3" --method simpson --step 0.1 --until 0.5 --columns x --output stats.csv 2>err
[ $? = 3 ] && grep -q '1 of 3 members stopped .*, member 1: .*not finite' err && tail -1 stats.csv | grep -q '^0.5,2,'
ok "members: the model itself need not be able to begin" $?
run "$P" --sweep "q = -1e308..1e308 in 3" --until 0.01 --columns q --quiet
is "--sweep: over all numbers there are" "$status $(tail -1 out | cut -d, -f5,9)" "0 -1e+308,1e+308"
refused "--sweep: beyond them" '--sweep: 1e400 is larger than what double holds' run "$P" --sweep "q = 0..1e400 in 3"
refused "--scatter: beyond them" "the value of 'q' is not finite" run "$P" --scatter "q ~ normal(1e308, 1e308)" --members 50
for x in 0/0 '0*log(0)' 1/0-1/0 'sqrt(-1)^0' 1/0; do
    refused "$x in --until" '--until:1:1: the value is not finite' run "$P" --until "$x"
    refused "$x in a start" 'the value is not finite' run "$P" "q=$x"
    refused "$x in a parameter" 'the value is not finite' run "$P" "m=$x"
    refused "$x in --sweep" '--sweep:1:1: the value is not finite' run "$P" --sweep "q = 0..$x in 3"
    refused "$x in --scatter" '--scatter:1:1: the value is not finite' run "$P" --scatter "q ~ uniform(0, $x)" --members 3
done
printf 'q\n1\0\n2\n' >zero.csv
refused "--ensemble: a NUL byte" 'zero.csv:2: a NUL byte' run "$P" --ensemble ../zero.csv
printf '# a\0\nq\n1\n' >zero.csv
refused "--ensemble: a NUL byte in a comment" 'zero.csv:1: a NUL byte' run "$P" --ensemble ../zero.csv
printf 'x\n0\n1\n' >late.csv
"$N" run fall.lag --ensemble late.csv --until 0.1 --columns t --output stats.csv 2>err
[ $? = 3 ] && grep -q 'member 2, x = 1$' err
ok "members: the summary names one that ran" $?
refused "members: one file for two tables" "expected two files, not 'a.csv' twice" run "$P" --sweep "q = 0..1 in 2" --all a.csv --output a.csv
refused "members: a folder that is not there, before anything is computed" 'cannot write none/a.csv' run "$P" --until 1e7 --sweep "q = 0..1 in 2" --all none/a.csv
refused "--ensemble: no file" "cannot read it" run "$P" --ensemble none.csv
refused "members: steps that differ" "differs from member to member" run "$S/duffing_driven.lag" --sweep "Omega = 1..2 in 2"

# ---- models that are installed -----------------------------------------------------------------------------
mkdir -p inst/bin inst/share/noether
cp "$N" inst/bin/noether && ln -s "$S" inst/share/noether/systems
installed() { "$PWD/inst/bin/noether" "$@" >out 2>err; }
installed systems
is "noether systems: all of them, with what they are" "$? $(cut -d' ' -f1 out | paste -sd' ')" "0 $(cd "$S" && echo *.lag)"
grep -q '^kepler.lag  *a planet around a fixed sun, in the plane$' out
ok "noether systems: what they are" $?
installed run kepler.lag --until 1 --quiet && cp out by_name && "$N" run "$S/kepler.lag" --until 1 --quiet >out && cmp -s out by_name
ok "an installed model runs by its name" $?
installed check pendulum && grep -q 'All that is promised holds' out
ok "and is checked by it, without its ending" $?
cp free.lag kepler.lag
installed run kepler.lag --method simpson --step 0.1 --until 0.1 --columns t,x,x.v --quiet
is "a file here is before one that is installed" "$? $(head -1 out)" "0 t,x,x.v"
rm kepler.lag
installed systems pendulum && cmp -s out "$S/pendulum.lag"
ok "noether systems NAME: its text" $?
installed systems nothing
is "noether systems: no such one" "$? $(grep -c "no model is called 'nothing'" err)" "2 1"
installed run ./kepler.lag
is "a path is a path" "$? $(grep -c 'cannot read the model' err)" "2 1"

# ---- completion --------------------------------------------------------------------------------------------
bash -n "$R/completion/noether.bash"
ok "completion: bash reads it" $?
zsh -n "$R/completion/_noether"
ok "completion: zsh reads it" $?
completed() { # WORD ..: what bash offers for the last of them
    bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _noether; printf "%s\n" "${COMPREPLY[@]}"' - \
        "$R/completion/noether.bash" "$PWD/inst/bin/noether" "$@" | sort | paste -sd' '
}
is "completion: verbs" "$(completed s)" "show structure study systems"
is "completion: options of a verb" "$(completed run kepler.lag --st)" "--step --stop"
is "completion: all options of a verb" "$(completed check -)" "--help --json --method --step --within"
is "completion: models that are installed" "$(completed run kep)" "kepler.lag"
is "completion: values" "$(completed run kepler.lag --solver n)" "newton"

# ---- forty links, every term a pair: within a minute of computing ------------------------------------------
cat >links.lag <<'M'
parameter  N = 40, l = 1/40, g = 9.81
coordinate q[1..N]
kinetic    sum(i in 1..N, j in 1..N) l^2/2*(N + 1 - max(i, j))*cos(q[i] - q[j])*q[i]'*q[j]'
potential  sum(i in 1..N) -g*l*(N + 1 - i)*cos(q[i])
start      q[i] = 0.5
suggest    method = "simpson", step = 0.001, until = 1
M
seconds=60 within=
nm "$B/libnoether.a" 2>/dev/null | grep -q __asan_init && seconds=1200 within=900
(ulimit -t $seconds && exec "$N" check links.lag ${within:+--within $within} >out 2>err)
[ $? = 0 ] && grep -q '^All that is promised holds' out && grep -q '40 coordinates: only strict affine generators' out
ok "check: forty links as a double sum" $?
cat >links_20.lag <<'M'
parameter  N = 20, l = 1/20, g = 9.81
coordinate q[1..N]
kinetic    sum(i in 1..N, j in 1..N) l^2/2*(N + 1 - max(i, j))*cos(q[i] - q[j])*q[i]'*q[j]'
potential  sum(i in 1..N) -g*l*(N + 1 - i)*cos(q[i])
start      q[i] = 0.5
suggest    method = "simpson", step = 0.001, until = 1
M
"$N" check links_20.lag --within 1 >out 2>err
[ $? = 3 ] && grep -q '^Left out, since 1 s of computing are over: .*a run of 10000 steps; ' out && tail -1 out | grep -qx 'All that was measured holds.'
ok "check: what there is no time for is left out, and named" $?
"$N" check links_20.lag --within 1 --json >out 2>err
[ $? = 3 ] && grep -q '"left out": ".*a run of 10000 steps"' out && grep -q '"holds": false' out
ok "and in JSON" $?
"$N" structure cantilever --dim 2 --size 100 --output wide >out 2>err && "$N" check wide.lag --within 1 >out 2>err
[ $? = 3 ] && grep -q '^Left out, since 1 s of computing are over: .*a long run; ' out && tail -1 out | grep -qx 'All that was measured holds.'
ok "check: nor is there more time for a structure" $?
refused "check: a time that is none" '--within -1: expected a whole number from 0' check "$P" --within -1

# ---- structures to try things on ---------------------------------------------------------------------------
"$N" structure cantilever --size 3 --method "gauss 2" --steps 3 >out 2>err
is "structure --method" "$? $(grep -c 'after 3 steps' out)" "0 1"
for prefix in '' 'a"b' $'a\nb' dir/ $'a\xff'; do
    refused "structure --output: what no file name in a model can be" 'expected the beginning of three file names' structure membrane --size 3 --output "$prefix"
done

# ---- pictures without gnuplot ------------------------------------------------------------------------------
mkdir -p tools
for t in ls wc grep sed head rm mkdir; do ln -sf "$(command -v $t)" tools/$t; done
PATH=$PWD/tools refused "without gnuplot nothing is computed, and nothing written" 'gnuplot is not installed' run "$P" --plot a.svg --output a.csv

# ---- messages ----------------------------------------------------------------------------------------------
cat >still.lag <<'M'
coordinate x
kinetic    x'^2/2
potential  x^2/2*sqrt(1 - t)
M
run still.lag --method simpson --step 0.1 --until 2 --quiet
[ $status = 3 ] && grep -q 'not finite from t = 1 on: a division by zero' err
ok "a failure by t alone names no coordinate" $?
cat >mixed.lag <<'M'
coordinate x[1..3]
kinetic    sum(i in 1..3) x[i]'^2/2
potential  sum(i in 1..3) x[i]^2/2 - x[1]
suggest    method = "simpson", step = 0.1, until = 0.2
M
for verb in run check emit; do
    "$N" $verb mixed.lag >out 2>err
    is "$verb: a sum that takes in what stands behind it" "$? $(grep -c '^WARNING: mixed.lag:3:36: the sum before' err)" "0 1"
done
run mixed.lag --quiet
is "but --quiet says nothing" "$(wc -c <err)" 0
cat >jumps.lag <<'M'
coordinate x
kinetic    x'^2/2
potential  abs((x mod 2) - 1) + if(x < 5 and (x > -5 or x < -8), x^2/2, 12.5) + 0*floor(x)
force      x = -0.1*sign(x')
start      x = 1.3, x' = 1
suggest    method = "gauss 2", step = 0.01, until = 0.3
M
run jumps.lag --columns x --quiet && double=$(tail -1 out | cut -c1-14)
run jumps.lag --columns x --quiet --digits 33 && quad=$(tail -1 out | cut -c1-14)
run jumps.lag --columns x --quiet --digits 40
is "sign, floor, mod, and, or: the same in all numbers of digits" "$double $quad" "$(tail -1 out | cut -c1-14) $(tail -1 out | cut -c1-14)"
"$N" check jumps.lag >out
grep -q '^kinks .*sign, floor or mod of q and v' out
ok "and check knows their kinks" $?

# ---- a momentum that seemed to be conserved ---------------------------------------------------------------------
# No state around the start sees the well, and the search does not know that atan is narrow here: the run finds it.
cat >well.lag <<'M'
coordinate x, y
kinetic    (x'^2 + y'^2)/2
far        = (((x + 8)^2 + (y - 0.01)^2)/1e-3)^8
potential  (x^2 + y^2)^2/1e5 + 0.5 - atan(far*far)/3
start      x = 1, y' = 0.01, x' = -9.5
M
run well.lag --method "gauss 3" --step 0.0001 --until 0.5 --every 500
[ $status = 0 ] && ! grep -q 'withdrawn' err && grep -q 'rotation_x_y .* promised: preserved' err
ok "a momentum is kept before the term that breaks it" $?
run well.lag --method "gauss 3" --step 0.0001 --until 2 --every 2000
[ $status = 0 ] && grep -q 'WARNING: rotation_x_y = .* drifts by .*: that it is conserved is withdrawn' err && ! grep -q 'promised' err
ok "one that drifts is withdrawn, with a warning" $?
run "$S/pleiades.lag" --method midpoint --step 0.001 --until 3 --every 1000 --quiet
grep -q '^noether: WARNING: at t = 1.681: the energy of x\[1\] .* is wrong by 11 %' err
ok "an energy that is wrong between rows alone is told" $?
cat >hangs.lag <<M
coordinate X, x
kinetic    1e6*X'^2/2 + x'^2/2
potential  1e6*X^2/2 + 30*(1 - cos(x - X))
start      X = 1, x = 1, x' = 0.3
M
run hangs.lag --method rk4 --step 0.1 --until 1500 --every 1000 --columns t,accumulated_error --quiet
grep -q '^noether: WARNING: the local errors .* of what the velocity of x varies, and rk4 is not symplectic' err \
    && tail -1 out | awk -F, '{ exit !($2 > 0.1 && $2 < 10) }'
ok "a light body whose motion rk4 may lose is told" $?
run hangs.lag --method simpson --step 0.1 --until 1500 --every 1000
grep -q 'NOTE: the local errors of all steps may add up to [0-9.]* rad in the phase of x' err && ! grep -q WARNING err
ok "a phase that is wrong is told" $?
run hangs.lag --method simpson --step 0.02 --until 20 --every 1000
! grep -q 'NOTE: the local errors' err
ok "a phase that is right is not" $?
run "$S/fput_beta.lag" --step 0.1 --until 2 N=80
[ $status = 0 ] && grep -q 'energy_error of coupled sets and accumulated_error: not measured with more than 64' err
ok "what is not measured with many coordinates is named" $?
cat >runs_ahead.lag <<M
coordinate x, y
kinetic    (x'^2 + y'^2)/2
potential  -1/sqrt(x^2 + y^2)
start      x = 0.16, y' = sqrt(1.84/0.16)
M
run runs_ahead.lag --method rk4 --step 0.0359 --until 167*0.0359 --every 1000 --quiet
grep -q '^noether: WARNING: the same run with half the step has another y at t = 5.9953, by [0-9]* % of its range' err
ok "an orbit that rk4 makes run ahead is told" $?
run hangs.lag --method simpson --step 0.1 --until 1500 --every 1000 --quiet --output hangs.json
grep -q '^noether: NOTE: the local errors' err && grep -q '^"note": "the local errors of all steps may add up' hangs.json \
    && grep -q '^"accumulated_error": [0-9]' hangs.json && grep -q '^"energy_error": [0-9]' hangs.json
ok "a note is printed without a summary, too, and stands in the file" $?
run hangs.lag --method rk4 --step 0.1 --until 1500 --every 1000 --quiet --sweep "x = 1..1.1 in 9"
grep -q '^noether: WARNING: the steps do not resolve the motion of 9 of 9 members' err
ok "members whose motion rk4 may lose are told" $?
run hangs.lag --method simpson --step 0.1 --until 1500 --every 1000 --quiet --sweep "x = 1..1.1 in 9"
grep -q '^noether: NOTE: the local errors of all steps may add up to more than 0.1 rad in the phase of 9 of 9 members' err
ok "members with a wrong phase are, too" $?
run "$S/fput_beta.lag" --step 0.1 --until 2 N=80 --quiet --output many.json
grep -q '^"accumulated_error": null' many.json && grep -q '^"energy_error": null' many.json
ok "what is not measured is null there" $?
run "$S/pleiades.lag" --method midpoint --step 0.001 --until 3 --every 3000 --sweep 'x[1] = 3..3.0001 in 9'
[ $status = 0 ] && grep -q 'do not resolve the motion of 9 of 9 members' err
ok "also of members, in lanes and alone" $?
run well.lag --method "gauss 3" --step 0.0001 --until 2 --every 2000 --quiet
grep -q '^noether: WARNING: rotation_x_y' err
ok "also in a run without a summary" $?
run well.lag --method "gauss 3" --step 0.0001 --until 2 --every 2000 --quiet --output well.json
grep -q '"warning": "rotation_x_y = .* is withdrawn' well.json
ok "and in its file" $?
printf 'coordinate x, y\nkinetic (x%s^2 + y%s^2)/2\npotential (x^2 + (1 + 1e-18)*y^2)/2\nstart x = 1, y = 0.5\n' "'" "'" >nearly.lag
run nearly.lag --method "gauss 3" --step 0.01 --until 10 --digits 33
! grep -q 'floor' err && grep -q 'as well as the constants of the model have the symmetry' err
ok "33 digits: 1 + 1e-18 is not 1" $?

# ---- help and the manual page say the same -----------------------------------------------------------------
in_manual() { # SECTION: its options, which stand below .TP
    sed 's/\\-/-/g' "$R/doc/noether.1" | awk -v section=".SH OPTIONS OF $1" '
        /^\.SH/ { here = $0 == section }
        here && term { sub(/.*--/, ""); sub(/[^a-z-].*/, ""); print }
        { term = $0 == ".TP" }'
}
for verb in $("$N" --help | sed -n 's/^  noether \([a-z]*\) .*/\1/p'); do
    is "the options of noether $verb: manual page = --help" \
        "$({ in_manual "${verb^^}"; in_manual "EVERY VERB"; } | sort | paste -sd' ')" \
        "$("$N" $verb --help | sed -n 's/^ *\(-[a-z], \)\{0,1\}--\([a-z-]*\).*/\2/p' | sort | paste -sd' ')"
    is "noether $verb -h is --help" "$("$N" $verb -h)" "$("$N" $verb --help)"
    is "and so is noether help $verb" "$("$N" help $verb)" "$("$N" $verb --help)"
done
is "the version in the manual page" "$(sed -n 's/^\.TH.*"noether \([0-9.]*\)".*/\1/p' "$R/doc/noether.1")" \
    "$("$N" --version | cut -d' ' -f2)"
exit $failed
