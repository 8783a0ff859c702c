#!/bin/bash
# what a run reads and writes when something is amiss: changed inputs, limits, full disks, runs that are killed.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common"
S=$R/systems
run() { # ARGS: noether run ARGS, into out and err
    "$N" run "$@" >out 2>err
    status=$?
}
# says NAME STATUS PATTERN: how the last run ended, and what it said
says() {
    [ "$status" = "$2" ] && grep -q -e "$3" err
    ok "$1" $?
}
entries() { # NAME K M: a spring of stiffness K and a mass M, at each of two places
    printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 %s\n2 2 %s\n' "$2" "$3" >"$1"
}

# ---- --from: all that the model reads is as it was ---------------------------------------------------------
cat >read.lag <<'M'
coordinate u[1..2]
force      u[1] = table("load.csv", t)
mass       "m.mtx"
stiffness  "k.mtx"
start      "begin.csv"
suggest    method = "simpson", step = 0.1, until = 1
M
fresh() {
    printf '0,0\n1,1\n9,0\n' >load.csv
    printf 'u.1,u.2\n1,0.5\n' >begin.csv
    entries m.mtx 1 1
    entries k.mtx 2 3
}
fresh
run read.lag --output half.h5 --quiet
run read.lag --from half.h5 --until 2
is "--from: nothing has changed" "$status $(wc -l <out)" "0 12"
cp out first
changed() { # FILE
    run read.lag --from half.h5 --until 2
    says "--from: $1 is not what it was" 2 "--from half.h5: it was written by another model: '$1', which read.lag reads, has changed since"
    [ ! -s out ]
    ok "and nothing is computed" $?
    fresh
}
printf '0,0\n1,1.5\n9,0\n' >load.csv
changed load.csv
entries k.mtx 2 3.0000000001
changed k.mtx
entries m.mtx 1.5 1
changed m.mtx
printf 'u.1,u.2\n1,0.25\n' >begin.csv
changed begin.csv
{ printf '%%%%MatrixMarket matrix coordinate real general\n%% the same, written otherwise\n2 2 2\n2 2 3.00\n1 1 2e0\n'; } >k.mtx
gzip -c k.mtx >k.gz && mv k.gz k.mtx
run read.lag --from half.h5 --until 2
[ $status = 0 ] && cmp -s out first
ok "--from: the same matrix in another order, compressed" $?
fresh
printf '%s\n' "parameter size = 1" "$(cat read.lag)" >sized.lag
run sized.lag 'stiffness = 2' --output half.h5 --quiet
run sized.lag --from half.h5 --until 2
is "--from: factors of matrices go on, too" "$status $(wc -l <out)" "0 12"

# A state of any size is kept, 2.9 MB here: the energy of a row is finite, that of the next row is not.
cat >long.lag <<'M'
parameter  N = 60000
coordinate u[1..N]
kinetic    sum(i in 1..N) u[i]'^2/2
potential  sum(i in 1..N-1) ((u[i+1] - u[i])^2/2 + (u[i+1] - u[i])^4/4)
start      u[100] = 1, u[200]' = 1
M
run long.lag --method verlet --step 1.5 --until 3000 --rows 5 --output long.h5
says "a large lattice runs away, and its last finite state is kept" 3 "the state before the step is kept"
run long.lag --from long.h5 --until 4000 --rows 2 --columns t,energy
[ $status = 3 ] && awk -F, 'NR == 2 && $2 ~ /^[0-9]/ { n++ } END { exit n != 1 }' out
ok "from which a run goes on" $?

# ---- a limit on the size of files --------------------------------------------------------------------------
# within NAME STATUS FILE ARGS: the command may write files of 8 KB; FILE stays as it was, nothing is left over
within() {
    local name=$1 expected=$2 file=$3
    shift 3
    mkdir limit && echo old >"limit/$file"
    (cd limit && ulimit -f 8 && exec "$N" "$@" >/dev/null 2>../err)
    status=$?
    [ $status = "$expected" ] && grep -q "noether: cannot write .*$file: File too large; 'ulimit -f' says how large a file may be here" err \
        && [ "$(cat "limit/$file")" = old ] && [ "$(ls -A limit)" = "$file" ]
    ok "a limit of 8 KB: $name" $?
    rm -rf limit
}
P=$S/double_pendulum.lag
for ending in csv json h5; do within "run --output a.$ending" 2 a.$ending run "$P" --until 100 --output a.$ending; done
"$N" run "$P" --plot try.svg --quiet >out 2>err && within "run --plot, whose rows are there" 3 a.svg run "$P" --until 100 --columns t --every 5000 --plot a.svg --quiet
within "emit" 2 a.c emit "$S/sine_gordon.lag" --output a.c
within "structure" 2 a_M.mtx structure cantilever --size 20 --output a
(ulimit -f 8 && exec "$N" run "$S/pendulum.lag" --sweep 'q = 0.1..3 in 50' --until 1 >out 2>err)
status=$?
says "a limit of 8 KB: an ensemble's numbers" 2 'need 0.000[0-9]* GB on the disk of temporary files: File too large'
(ulimit -f 8 && exec "$N" run "$P" --until 100 >out 2>err)
status=$?
says "a limit of 8 KB: standard output" 2 'noether: cannot write standard output: File too large'

# ---- data that is too large to be read as a whole: refused, not cut --------------------------------------------
printf '0,0\n1,1\n' >big.csv
truncate -s 257M big.csv
printf '%s\n' 'coordinate u' "kinetic u'^2/2" 'force u = table("big.csv", t)' >big.lag
run big.lag --step 0.1 --until 1
says "a table of more than 256 MB" 2 "'big.csv' has more than 256 MB of data"
rm big.csv

# ---- a full disk: a small one of our own, where that is allowed ----------------------------------------------
cat >full.sh <<'F'
mkdir small && mount -t tmpfs -o size=64k none small 2>/dev/null || exit 77
cd small
for words in "run $2/double_pendulum.lag --until 100 --output a.csv" "run $2/double_pendulum.lag --until 100 --output a.json" \
    "run $2/double_pendulum.lag --until 100 --output a.h5" "emit $2/sine_gordon.lag --output a.c" \
    "run $2/double_pendulum.lag --until 100 --columns t --plot a.svg" "structure cantilever --size 30 --output a"; do
    file=${words##* }
    [ "$file" != a ] || file=a_M.mtx
    head -c 50000 /dev/zero >filled # most of it is taken
    echo old >"$file"
    expected=2
    case $words in *--plot*) command -v gnuplot >/dev/null || continue; expected=3 ;; esac
    "$1" $words >/dev/null 2>../said
    [ $? = $expected ] && grep -q "noether: cannot write .*$file: \(No space left on device\|the picture is cut off\)" ../said && [ "$(cat "$file")" = old ] \
        && [ "$(ls -A | sort | tr '\n' ' ')" = "$(printf '%s\n' "$file" filled | sort | tr '\n' ' ')" ] || { echo "$words: $(cat ../said) $(ls -A)"; exit 1; }
    rm -f "$file"
done
F
rm -f said
unshare -rm bash full.sh "$N" "$S" >out 2>err
status=$?
if [ $status = 77 ] || ! [ -e said ]; then echo "ok a full disk (not tried: no file system of one's own may be mounted here)"; else ok "a full disk: csv, json, h5, C, matrices" $status; fi

# ---- a run that is killed ------------------------------------------------------------------------------------
P=$S/pendulum.lag
mkdir killed
left() { find killed -name '.noether-*' | wc -l; }
begin() { # FILE: a run that would take days; waits until it writes
    (ulimit -t 60 && exec "$N" run "$P" --until 1e9 --output "killed/$1" >/dev/null 2>&1) &
    id=$!
    local i
    for ((i = 0; i < 400; i++)); do
        [ "$(left)" -ge "$2" ] && break
        sleep 0.05
    done
}
begin a.csv 1
first=$id
kill -KILL $first
wait $first 2>/dev/null
is "a run that is killed leaves a file" "$(left) $(ls killed | wc -l)" "1 0"
begin b.csv 1
second=$id
for ((i = 0; i < 200; i++)); do [ "$(left)" = 1 ] && [ -n "$(find killed -name '.noether-*' -newer full.sh)" ] && break; sleep 0.05; done
run "$P" --until 1 --output killed/c.csv
is "the next one removes it, and leaves alone what a living run writes" "$status $(left) $(ls killed)" "0 1 c.csv"
kill -INT $second
wait $second
is "which ends whole" "$? $(left) $(ls killed | tr '\n' ' ')" "130 0 b.csv c.csv "
: >killed/.noether-notes
: >killed/.noether-0123abcd
mkdir killed/.noether-00000000
run "$P" --until 1 --output killed/c.csv
is "only files of such names go" "$(ls -A killed | tr '\n' ' ')" ".noether-00000000 .noether-notes b.csv c.csv "

# ---- masses that double does not hold ------------------------------------------------------------------------
printf "parameter m = 1\ncoordinate x\nkinetic m/2*x'^2\npotential x^2/2\nstart x = 1\nsuggest step = 0.1, until = 1\n" >light.lag
for method in simpson verlet rk4 "gauss 3"; do
    run light.lag m=1e-310 --method "$method"
    says "m = 1e-310 is refused: $method" 2 'light.lag: the mass of x, 1e-310, is below 2.2e-308, the least number that double holds in full: .*--digits 33'
    [ ! -s out ]
    ok "without a row" $?
done
run light.lag m=1e-310 --method simpson --digits 33 --step 1e-157 --until 1e-155 --columns x
[ $status = 0 ] && ! grep -qi nan out
ok "in 33 digits it moves" $?
run light.lag m=1e-300 --method simpson --step 1e-152 --until 1e-150 --columns x
[ $status = 0 ] && ! grep -qi nan out
ok "m = 1e-300 moves" $?
"$N" check light.lag m=1e-310 --method simpson >out 2>err
status=$?
says "check refuses it, too" 2 'the mass of x, 1e-310, is below'
entries light.mtx 1e-310 1
entries one.mtx 1 1
printf 'coordinate u[1..2]\nmass "light.mtx"\nstiffness "one.mtx"\nstart u[1] = 1\n' >light.lag
run light.lag --method simpson --step 0.1 --until 1
says "a matrix with such a mass" 2 'the mass of coordinate 1, 1e-310, is below'
printf "coordinate x[1..200]\nkinetic sum(i in 1..200) 1e-310/2*x[i]'^2\npotential sum(i in 1..200) x[i]^2/2\nstart x[3] = 1\n" >light.lag
run light.lag --method simpson --step 0.1 --until 1
says "many such masses" 2 'has a mass below 2.2e-308'

# ---- structures: a step from the frequencies, a start that is projected --------------------------------------
printf "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint rod: x^2 + y^2 = 25\nstart x = 3, y = 4, x' = 5, y' = 0\n" >tied.lag
run tied.lag --method simpson --step 0.1 --until 1
says "velocities that a constraint changes are told" 0 "  the start is projected onto what the constraints allow: x' begins at 3.2, not at 5; 1 more differ$"
printf "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint rod: x^2 + y^2 = 25\nstart x = 3, y = 4, x' = 4, y' = -3\n" >tied.lag
run tied.lag --method simpson --step 0.1 --until 1
is "and only these" "$(grep -c 'projected' err)" 0

printf '%%%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 1 1\n3 3 1\n' >gap.mtx
printf '3 3 5\n1 1 2\n2 1 -1\n2 2 2\n3 2 -1\n3 3 2\n' >bare.mtx # without its banner
printf 'coordinate u[1..3]\nmass "gap.mtx"\nstiffness "bare.mtx"\nstart u[1] = 1, u[2] = 3, u[3] = 1\nobserve middle = u[2]\n' >gap.lag
run gap.lag --method simpson --step 0.1 --until 1 --columns t,middle
says "a start without mass is projected, and that is said" 0 '  the start is projected onto what directions without mass allow: u\[2\] begins at 1, not at 3$'
is "and it begins there" "$(sed -n 2p out)" "0,1"
"$N" check gap.lag --method simpson >out 2>err
is "check chooses the step of a structure" "$? $(grep -c '^  step       0.15708 is chosen, as none is given: 40 points in the longest period$' out) $(grep -c '^Laws of simpson (order 4) at step 0.1570796' out) $(wc -c <err)" "0 1 1 0"
grep -q '^  start      is projected onto what they allow: u\[2\] begins at 1, not at 3$' out
ok "and tells of the start" $?
"$N" check gap.lag --method simpson --json >out 2>err
is "and in JSON" "$? $(grep -cE '^"step": 0.157079[0-9]*,|^"chosen": true,' out)" "0 2"
"$N" check gap.lag --method simpson --step 0.1 --json >out 2>err
is "a step that is given is not chosen" "$? $(grep -cE '^"step": 0.1,|^"chosen": false,' out)" "0 2"
printf "coordinate x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\n" >free.lag
"$N" check free.lag --method simpson >out 2>err
status=$?
says "check of what is no structure wants a step, and knows its own options" 2 "no step: give --step, or write 'suggest step = ...' in free.lag"
exit $failed
