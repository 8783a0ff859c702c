#!/bin/bash
# events on the command line: what is refused, what is said, rows up to a stop, many rows in bounded memory.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common"
says() { # NAME STATUS PATTERN ARGS: noether ARGS ends so and says so
    local name=$1 expected=$2 pattern=$3
    shift 3
    "$N" "$@" >out 2>err
    [ $? = "$expected" ] && grep -q -e "$pattern" out err
    ok "$name" $?
}
cat >ball.lag <<'M'
coordinate x, y
kinetic    (x'^2 + y'^2)/2
potential  y
event      floor: y = 0 falling then bounce 1
event      half: y = 1/2
start      y = 1, x' = 0.3
suggest    method = "gauss 2", step = 1/16, until = 4
M
sed '/floor/d' ball.lag >free.lag
sed 's/half: y = 1\/2/half: y = 1\/2 stop/' free.lag >stop.lag

# ---- what does not heed events says so ----------------------------------------------------------------------
says "--tolerance: refused where events change the motion" 2 "--tolerance bounds the error of a smooth motion, and the event 'floor' changes" run ball.lag --tolerance 1e-6
says "--tolerance: a section is none" 0 "event half: once" run free.lag --tolerance 1e-6 --until 1.2
says "a study: refused where events change the motion" 2 "the event 'floor' changes the motion" study convergence ball.lag --methods simpson --step 0.1 --halvings 2
says "a study does not stop" 0 "a study does not end at the event 'half'" study convergence stop.lag --methods simpson --step 0.1 --halvings 2 --until 1
says "check: the event is named" 0 "measured without the event floor" check ball.lag
says "check --json: the event is named" 0 '"events_not_heeded": \["floor"\]' check ball.lag --json
says "check: a section is nothing to say" 0 "All that is promised holds" check free.lag
! grep -q 'not heeded' out
ok "and nothing is said" $?

# ---- steps that follow a monitor -----------------------------------------------------------------------------
"$N" run ball.lag --section half --columns t,y --quiet --method "gauss 8" >even.csv &&
    "$N" run ball.lag --section half --columns t,y --quiet --method "gauss 8" --monitor "1/(1 + y^2)" >adapted.csv &&
    [ "$(wc -l <even.csv)" = 4 ] &&
    paste -d, even.csv adapted.csv | awk -F, 'NR > 1 { d = $1 - $3; if (d * d > 1e-20 || $3 == "") bad = 1 } END { exit bad }'
ok "a monitor: the rows of a section with impacts are those of equal steps" $?
cat >orbit.lag <<'M'
parameter  e = 0.9, mu = 1
coordinate x, y
kinetic    (x'^2 + y'^2)/2
potential  -mu/sqrt(x^2 + y^2)
monitor    (x^2 + y^2)^0.75
event      apse: y = 0
start      x = 1 - e, y' = sqrt((1 + e)/(1 - e))
suggest    method = "gauss 8", step = 0.01, until = 6.5
M
for monitor in "r^1.5" "r reversible"; do
    sed "s/^monitor.*/r = sqrt(x^2 + y^2)\nmonitor $monitor/" orbit.lag >paced.lag
    "$N" run paced.lag --section apse --columns "t,d(x)/d(e),d(y)/d(mu),d(energy)/d(x)" --quiet >section.csv &&
        "$N" run paced.lag --times "$(awk -F, 'NR > 1 { printf "%s%s", sep, $1; sep = "," }' section.csv)" \
            --columns "t,d(x)/d(e),d(y)/d(mu),d(energy)/d(x)" --quiet >times.csv &&
        [ "$(wc -l <section.csv)" = 3 ] &&
        paste -d, section.csv times.csv | awk -F, 'NR > 1 { for (i = 2; i <= 4; i++) { d = $i - $(i + 4); if ($i == "" || d * d > 1e-18 * (1 + $i * $i)) bad = 1 } } END { exit bad }'
    ok "monitor $monitor: derivatives at a section are those at its time" $?
done

# ---- bad use ------------------------------------------------------------------------------------------------
says "--section: no such event" 2 "--section flor: no event has this name; did you mean 'floor'?" run ball.lag --section flor
says "--stop: no such event" 2 "--stop haf: no event has this name; did you mean 'half'?" run ball.lag --stop haf
says "--section: no events at all" 2 "the model has no events; write 'event far: EXPR = EXPR' in it" run "$R/systems/kepler.lag" --section far
for to in "" "--rows 3" "--section half"; do
    says "--stop at the start $to" 2 "'half', which stops the run, is at its start" run ball.lag y=1/2 --stop half $to --output start.csv
    ok "nothing is written $to" "$([ ! -e start.csv ]; echo $?)"
done
sed 's/half: y = 1\/2/half: y = 1\/2 rising/; s/start .*/start y = 1\/2, y'"'"' = -1/' ball.lag >down.lag
sed 's/1\/2 rising/1\/2 falling/' down.lag >away.lag
says "--stop in another direction than that of the start" 0 "event half: once" run down.lag --stop half
says "--stop in the direction of the start" 2 "'half', which stops the run, is at its start" run away.lag --stop half
says "--stop without a direction says which one begins elsewhere" 2 "make it 'rising' for the stop" run ball.lag y=1/2 y.v=-1 --stop half
says "--stop at the floor that the start leaves" 0 "event floor: once" run ball.lag y=0 y.v=1 --stop floor
says "--section and --rows" 2 "its rows are at events" run free.lag --section half --rows 5
says "members: --section and --rows" 2 "its rows are at events" run free.lag --section half --rows 5 --sweep "y = 1..2 in 2"
says "members: --section and --all" 2 "it is --output that has the rows" run free.lag --section half --all a.csv --sweep "y = 1..2 in 2"
says "members: a picture without columns" 2 "say what to draw" run free.lag --section half --plot a.svg --sweep "y = 1..2 in 2"
says "members: --stop unknown" 2 "did you mean 'half'?" run free.lag --stop haf --sweep "y = 1..2 in 2"
says "members: --times outside" 2 "lies outside the run" run free.lag --times 9 --until 4 --sweep "y = 1..2 in 2"
cat >endless.lag <<'M'
coordinate y
kinetic    y'^2/2
potential  2*y
event      floor: y = 0 falling then bounce 0.5
start      y = 1
M
"$N" run endless.lag --method simpson --step 0.01 --times "0.5, 0.75" --sweep "y = 1..2 in 3" --columns y >out 2>err
is "members: --times is the end where nothing else says it" "$? $(cut -d, -f1,2 out | paste -sd' ')" "0 t,members 0.5,3 0.75,3"
# Simpson's method is exact here, and the impacts at 1, 2 and 2.5 are at ends of steps
"$N" run endless.lag --method simpson --step 0.02 --until 2.5 --columns y >out 2>err
ok "an impact at the end of a step is no difference to the run with half the step" "$(grep -c NOTE err)"
# starts twice as dense: the same rows, and others between them
for n in 5 9; do "$N" run free.lag --section half --until 4 --columns t,y,y.v --quiet --sweep "y = 1..2 in $n" 2>err | tail -n +2 | cut -d, -f2- | sort >"rows.$n"; done
[ "$(wc -l <rows.5)" -ge 5 ] && [ "$(wc -l <rows.9)" -gt "$(wc -l <rows.5)" ] && [ -z "$(comm -23 rows.5 rows.9)" ]
ok "a section of twice as many starts has the rows of the fewer, to the last bit" $?
says "members: one stops at its start" 3 "1 of 3 members stopped .*, member 1: .*'half', which stops the run, is at its start" run free.lag --stop half --sweep "y = 0.5..1.5 in 3"

# ---- rows at times, up to a stop: y = 1/2 at t = 1 ----------------------------------------------------------
"$N" run stop.lag --times "0, 0.5, 0.97, 0.99, 1.02, 2" --until 2 --columns t,y >out 2>err
is "rows at times end at the stop" "$(cut -d, -f1 out | paste -sd' ')" "t 0 0.5 0.97 0.99"
"$N" run free.lag --stop half --times "0, 0.5, 0.97, 0.99, 1.02, 2" --until 2 --columns t,y --sweep "y = 1..1.5 in 2" --all all.csv --output s.csv 2>err
is "also those of members" "$(sed -n 's/^\([0-9]*\),[^,]*,\([0-9.]*\),.*/\1:\2/p' all.csv | paste -sd' ')" "1:0 1:0.5 1:0.97 1:0.99 2:0 2:0.5 2:0.97 2:0.99 2:1.02"

# ---- rows at times between impacts: heights 1 - t^2/2, then (t - k sqrt(8)) (sqrt(2) - ..) --------------------
"$N" run ball.lag --times "0.5, 1.6, 2.7, 3.93, 4.77" --until 4.77 --columns t,y --quiet >out 2>err &&
    awk -F, 'NR > 1 { s = $1 + sqrt(2); s -= int(s / sqrt(8)) * sqrt(8); d = s * (sqrt(2) - s / 2) - $2; n++
                      if (d * d > 1e-28) bad = 1 } END { exit bad || n != 5 }' out
ok "rows at times between impacts, one of them behind the last whole step" $?
"$N" run ball.lag --times "0.3, 1.6, 4.31" --until 4.31 --columns t,y,event --quiet >out 2>err
is "with the column event in the order of time" "$(awk -F, 'NR > 1 { printf " %.8g:%d", $1, $3 }' out)" " 0.3:0 1:2 1.4142136:1 1.6:0 1.8284271:2 3.8284271:2 4.2426407:1 4.31:0"
cat >wave.lag <<'M'
coordinate x, y
kinetic    (1 + x^2/8)*x'^2/2 + y'^2/2
potential  x^2/2 + y^2 + 0.11*x^2*y
start      x = 0.4, y' = 0.45
event      plane: x = 0 rising
event      high: y = 0.1
suggest    method = "gauss 3", step = 0.05, until = 12
M
says "rows at times at grid points: the summary has looked at them" 0 "p(y) + t changes by up to .*: the impulse of events" run ball.lag --rows 5
"$N" run wave.lag --times "0.1, 1..11.93 in 200" --columns t,x,y,event --quiet >with 2>err &&
    awk -F, 'NR > 2 && !($1 >= last) { bad = 1 } { last = $1 } $4 > 0 { told++ } END { exit bad || NR < 202 || told < 5 }' with
ok "so are those of a motion that events do not change" $?
"$N" run wave.lag --times "0.1, 1..11.93 in 200" --columns t,x,y --quiet >without 2>err &&
    cmp without <(awk -F, -v OFS=, 'NR == 1 || $4 == 0 { print $1, $2, $3 }' with)
ok "and the rows at the times are those without them" $?
"$N" run ball.lag --rows 40 --columns t,x,y,y.v,energy --quiet >one.csv 2>err &&
    "$N" run ball.lag --rows 40 --columns t,x,y,y.v,energy --quiet --sweep "y = 0.75..1 in 2" --all all.csv --output s.csv 2>err &&
    sed -n 's/^2,[^,]*,//p' all.csv | cut -d, -f1-5 | cmp - <(sed 1d one.csv)
ok "members have the rows of a run of their own" $?

# ---- a run that goes on tells no event twice -------------------------------------------------------------------
sed 's/gauss 2/gauss 4/' ball.lag >adapted.lag
echo 'monitor 1/(1 + y^2)' >>adapted.lag
events() { sed -n '/"events"/,$p' "$1" | grep -o '^\["[a-z]*",[^,]*'; }
for case in "adapted.lag" "ball.lag --times 0.1,1.02" "ball.lag --times 0.1,1.43" "adapted.lag --times 0.1,1.43"; do
    has hdf5 || continue
    set -- $case
    for until in 1.0003 1.43 1.6 1.83; do
        [ $# = 3 ] && until=${3#*,}
        "$N" run $case --until $until --output half.h5 --quiet 2>err && "$N" run $case --until $until --output half.json --quiet 2>err &&
            "$N" run --from half.h5 $1 --until 6 --output rest.json --quiet 2>err && "$N" run $1 --until 6 --output whole.json --quiet 2>err &&
            [ "$(events half.json; events rest.json)" = "$(events whole.json)" ] && [ "$(events half.json | wc -l)" -gt 0 ]
        ok "$case until $until: no event is told twice after --from" $?
        [ $# = 3 ] && break
    done
done

# ---- many rows in bounded memory ----------------------------------------------------------------------------
# Under ASan freed memory waits before it is used again; not here.
export ASAN_OPTIONS=quarantine_size_mb=1
# NOE_ROWS=10000000 for the bar itself.  What a run needs does not grow with its rows.
cat >peak.c <<'C'
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int n, char **program)
{
    int           status = n;
    struct rusage used;
    const pid_t   child = fork();
    if (!child) return execv(program[1], program + 1);
    if (wait4(child, &status, 0, &used) != child || status) return 1;
    printf("%ld\n", used.ru_maxrss);
    return 0;
}
C
${CC:-cc} -D_DEFAULT_SOURCE peak.c -o peak
peak() { # STEPS OUTPUT: KB
    ./peak "$N" run "$R/systems/pendulum.lag" --until "$1/100" --columns t,q,q.v,energy --quiet --output "$2"
}
rows=${NOE_ROWS:-300000}
for ending in csv h5 json; do
    [ $ending = h5 ] && ! has hdf5 && continue
    small=$(peak $((rows / 10)) few.$ending) large=$(peak "$rows" many.$ending)
    echo "$ending: $large KB for $rows rows, $small KB for a tenth"
    [ "$large" -gt 0 ] && [ "$large" -lt $((small + 4096)) ]
    ok "$rows rows of .$ending in bounded memory" $?
    rm -f few.$ending many.$ending
done

# ---- a linear system: the bits of rows ----------------------------------------------------------------------
cat >linear.lag <<'M'
coordinate x, y
kinetic    (x'^2 + y'^2)/2
potential  (x^2 + 3*y^2)/2 + x*y/2
start      x = 0.5, y = 0.2, y' = 0.4
suggest    method = "gauss 3", step = 0.2, until = 60
M
last() { "$N" run linear.lag --columns t,x,y,x.v,y.v --quiet "$@" 2>err | tail -1; }
one=$(last --until 2000)
[ -n "$one" ] || failed=1
for k in 8 15 16 75 1000 9999; do
    [ "$one" = "$(last --until 2000 --every $k)" ]
    ok "linear: the last row has the bits of single steps, --every $k" $?
done
[ "$one" = "$(last --until 2000 --times "3.33, 7, 1000.05, 2000")" ]
ok "linear: the last row has the bits of single steps, after rows between steps" $?
printf 'event side: x = 0.1\nevent fast: y'"'"' = 0.2 rising\n' >>linear.lag
[ "$one" = "$(last --until 2000)" ]
ok "linear: the last row has the bits of single steps, with events" $?
if has hdf5; then
    for k in 15 50 7000; do
        "$N" run linear.lag --until 1400 --every $k --output linear.h5 --quiet 2>err
        [ "$one" = "$(last --from linear.h5 --until 2000 --every 100)" ]
        ok "linear: --from has the bits of the whole run, whatever the rows, --every $k" $?
    done
fi
exit $failed
