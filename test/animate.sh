#!/bin/bash
# draw and --animate: points of a page = columns, the motion is that without a picture, what is refused.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common"
S=$R/systems
seed=${NOE_SEED:-1}
random() { awk -v s="$seed" -v k="$1" -v a="$2" -v b="$3" 'BEGIN { srand(s * 100 + k); rand(); printf "%.6f", a + (b - a) * rand() }'; }
# field NAME PAGE: a list of numbers of the page; member NAME PAGE: a number or a word of its scene
field() { sed -n 's/.*"'"$1"'": "\([A-Za-z0-9+\/]*\)".*/\1/p' "$2" | base64 -d | od -An -v -w4 -tf4; }
member() { sed -n 's/^{\{0,1\}"'"$1"'": "\{0,1\}\([a-z0-9]*\).*/\1/p; s/.*{"'"$1"'": "\([a-z]*\)".*/\1/p' "$2" | head -1; }
beside() { # COUNT: columns of "got expected" pairs are equal to float32, 2^-24, twice: od spells what it reads in as few digits as tell it from others
    awk -v n="$1" '{ d = $1 - $2; m = $2 < 0 ? -$2 : $2; bad += !(d * d <= (1.25e-7 * m + 1e-15) ^ 2); k++ }
         END { if (bad || k < n) print k, bad; exit bad || k < n }'
}

# ---- points ------------------------------------------------------------------------------------------------
q1=$(random 1 -3 3) q2=$(random 2 -3 3) l2=$(random 3 0.1 1)
"$N" run "$S/double_pendulum.lag" q1=$q1 q2=$q2 l2=$l2 --columns t,q1,q2,energy --animate a.html --output a.csv --quiet >out 2>err
ok "a double pendulum: a page" $?
rows=$(member rows a.html)
is "every row is a frame; 6 points: 3 of a line, 2 disks, 1 trace" "$rows $(member spots a.html) $(member deep a.html)" "1001 6 false"
awk -F, -v l2=$l2 'NR > 1 { l1 = 9.81 / (8 * atan2(1, 1)) ^ 2; x = l1 * sin($2); y = -l1 * cos($2); X = x + l2 * sin($3); Y = y - l2 * cos($3)
    printf "0\n0\n%.17g\n%.17g\n%.17g\n%.17g\n%.17g\n%.17g\n%.17g\n%.17g\n%.17g\n%.17g\n", x, y, X, Y, x, y, X, Y, X, Y }' a.csv >expected
# sums of two lengths that cancel have the rounding errors of the lengths
paste <(field points a.html) expected | awk -v l=$(awk -v b=$l2 'BEGIN { print 0.25 + b }') '{ d = $1 - $2; m = $2 < 0 ? -$2 : $2; bad += !(d * d <= (1.25e-7 * m + 1e-13 * l) ^ 2); k++ }
    END { exit bad || k != 12012 }'
ok "its points are those of the angles, to float32" $?
paste <(field t a.html | head -1001) <(tail -n +2 a.csv | cut -d, -f1) | beside 1001 >err
ok "its times" $?
paste <(field error a.html | head -1001) <(awk -F, 'NR == 2 { e = $4 } NR > 1 { printf "%.17g\n", ($4 - e) / (e < 0 ? -e : e) }' a.csv) >pair
awk '{ d = $1 - $2; bad += !(d * d <= 1e-24 + 1.6e-14 * $2 * $2); k++ } END { exit bad || k != 1001 }' pair
ok "its energy error" $?

cat >top.lag <<'M'
parameter  m = 0.02, l = 0.02, g = 9.81, tilt = pi/3, slow = 25*sin(tilt)
body       top: mass = m, inertia = (3.125e-6, 3.125e-6, 6.25e-6)
point      tip on top = (0, 0, -l)
constraint held: tip = (0, 0, 0)
potential  m*g*top.r.z
start      top.attitude = rotation((1, 0, 0), tilt), top.omega = (0, slow, 112.5)
start      top.r = l*(0, -sin(tilt), cos(tilt)), top.r' = (l*slow, 0, 0)
suggest    method = "simpson", step = 0.0005, until = 0.1
M
{ cat top.lag; echo "draw body top"; echo "draw line tip, top.r"; } >drawn.lag
"$N" run drawn.lag --columns t,top.r,top.e1,top.e2,top.e3 --animate a.html --output a.csv --quiet >out 2>err
is "a rigid body: centre and three axes; a line" "$? $(member spots a.html) $(member deep a.html)" "0 6 true"
grep -q '"kind": "body".*"size": \[0.025,0.025,0.001\], "round": true' a.html
ok "equal moments about two axes: a round plate of radius sqrt(2 C/m), which is shown a little thicker" $?
paste <(field points a.html) <(awk -F, 'NR > 1 { for (k = 0; k < 12; k++) printf "%.17g\n", $(2 + k) + (k < 3 ? 0 : $(2 + k % 3)); printf "0\n0\n0\n"; for (k = 2; k < 5; k++) printf "%.17g\n", $k }' a.csv) \
    | awk '{ d = $1 - $2; m = $2 < 0 ? -$2 : $2; bad += !(d * d <= (1.25e-7 * m + 1e-13) ^ 2); k++ } END { exit bad || k != 18 * 201 }'
ok "its points are those of its columns, and the tip is held" $?
"$N" run top.lag --animate b.html --output a.csv --quiet >out 2>err
is "a body that is not drawn is drawn" "$? $(member spots b.html) $(grep -c '"kind": "body"' b.html)" "0 4 1"

"$N" run "$S/n_link_pendulum.lag" n=7 --columns t,q,end_x,end_y --until 1 --animate a.html --output a.csv --quiet >out 2>err
is "a family of lines, of disks, and a trace" "$? $(member spots a.html)" "0 22"
paste <(field points a.html | awk 'NR % 44 == 43 || NR % 44 == 0') <(awk -F, 'NR > 1 { print $9; print $10 }' a.csv) \
    | awk '{ d = $1 - $2; bad += !(d * d < 1e-14); k++ } END { exit bad || k != 202 }'
ok "the end of the last is that of the observables" $?

# ---- without draw statements -------------------------------------------------------------------------------
for m in kepler double_pendulum three_bodies_in_space duffing_planar fput_alpha; do sed '/^draw/d' "$S/$m.lag" >plain_$m.lag; done
plain() { # MODEL MODE SPOTS DEEP
    "$N" run plain_$1.lag --until 1 --animate a.html --output a.csv --quiet >out 2>err
    is "$1 without draw: $2, $3 points" "$? $(member mode a.html) $(member spots a.html) $(member deep a.html)" "0 $2 $3 $4"
}
plain kepler space 2 false
plain double_pendulum space 4 false
plain three_bodies_in_space space 6 true
plain duffing_planar curves 2 false
plain fput_alpha wave $("$N" run plain_fput_alpha.lag --until 1 --columns x --quiet | head -1 | tr , '\n' | wc -l) false
ok "its axis has the index of its sites" $(grep -q '"index": \[1,32\]' a.html; echo $?)
"$N" run plain_fput_alpha.lag --until 1 --animate a.svg --output a.csv --quiet >out 2>err
is "and so in a picture: the fifth stands at 5" "$(grep -o '<circle[^>]*' a.svg | sed -n '5s/.*cx="\([^"]*\).*/\1/p')" \
    "$(sed -n 's/.*<text x="\([^"]*\)"[^>]*>5<.*/\1/p' a.svg | head -n 1)"
"$N" run "$S/fput_alpha.lag" N=500 --until 1 --animate a.html --columns t,x.200 --output a.csv --quiet >out 2>err
[ $? = 0 ] && [ "$(member spots a.html)" -le 400 ] && [ "$(member spots a.html)" -gt 200 ]
ok "a long chain: some of its sites" $?

# ---- frames ------------------------------------------------------------------------------------------------
"$N" run "$S/pendulum.lag" --until 300 --columns t --animate a.html --output a.csv --quiet >out 2>err
rows=$(member rows a.html)
last=$(field t a.html | sed -n "${rows}p" | tr -d ' ')
[ "$rows" -le 6001 ] && [ "$rows" -gt 3000 ] && [ "$last" = 300 ]
ok "30001 rows: $rows frames, the last at the end" $?
"$N" run "$S/pendulum.lag" --rows 50 --animate a.html --output a.csv --quiet >out 2>err
is "--rows: as many frames" "$? $(member rows a.html)" "0 50"
"$N" run "$S/kepler.lag" --monitor r^1.5 --animate a.html --output a.csv --quiet >out 2>err
is "steps that follow a monitor" "$? $(member rows a.html)" "0 $(($(wc -l <a.csv) - 1))"
"$N" run "$S/kepler.lag" e=0.8 --monitor r^1.5 --step 0.005 --animate a.html --beside simpson --output a.csv --quiet >out 2>err
is "steps of another method that follow it, too" "$? $(grep -c '"other": "simpson"' a.html)" "0 1"
"$N" run "$S/kepler.lag" --monitor r^1.5 --animate a.html --beside verlet --output b.csv --quiet >out 2>err
is "a method beside that cannot follow it is refused before the run" "$? $(grep -c 'whose mass is M/G(q)' err) $(ls b.csv 2>/dev/null)" "2 1 "
"$N" run "$S/driven_pendulum.lag" --animate a.html --output a.csv --quiet >out 2>err
is "forces act: the energy balance" "$? $(grep -c '"errorName": "relative energy balance"' a.html)" "0 1"
"$N" run "$S/kepler.lag" --until 1 --digits 40 --animate a.html --output a.csv --quiet >out 2>err
ok "40 digits" $?
"$N" run "$S/pendulum.lag" --quiet >rows.csv 2>err && "$N" run "$S/pendulum.lag" --animate a.html --quiet >out 2>err && cmp rows.csv out && [ ! -s err ]
ok "the rows are those without --animate, on standard output" $?
"$N" run "$S/double_pendulum.lag" --until 1 --animate a.html --output a.html.csv --quiet >out 2>err
bytes=$(sed 's/"\(t\|error\|points\)": "[^"]*"//g' a.html | wc -c)
[ "$bytes" -lt 200000 ] && ! grep -qE '(src|href)="?(http|//)|url\((http|//)|import |fetch\(' a.html
ok "a page of $bytes bytes without its numbers, which asks nobody" $?
cp "$S/kepler.lag" '<b>"&.lag'
"$N" run '<b>"&.lag' --until 1 --animate a.html --output a.csv --quiet >out 2>err
is "a name that is HTML is text" "$? $(grep -c '<b>' a.html)" "0 0"

# ---- .svg --------------------------------------------------------------------------------------------------
# list N ATTRIBUTE FILE: the values over all frames of this attribute of the Nth circle
list() { grep '^<circle' "$3" | sed -n "$1"'s/.*attributeName="'"$2"'"[^>]*values="\([^"]*\)".*/\1/p' | tr ';' '\n'; }
"$N" run "$S/double_pendulum.lag" q1=$q1 q2=$q2 l2=$l2 --rows 250 --columns t,q1,q2 --animate a.svg --output a.csv --quiet >out 2>err
is "a picture that plays: 250 frames in 10 s, two disks, a support, the head of the energy error" \
    "$? $(list 1 cx a.svg | wc -l) $(grep -c '^<circle' a.svg) $(grep -o 'dur="10s"' a.svg | wc -l)" "0 250 4 12"
# A difference of two numbers with one decimal is off by 0.1; the scale k, fitted to such, by 0.1 sum abs(x) / sum x^2.
paste <(list 1 cx a.svg) <(list 1 cy a.svg) <(list 2 cx a.svg) <(list 2 cy a.svg) <(list 3 cx a.svg) <(list 3 cy a.svg) <(tail -n +2 a.csv | tr , '\t') \
    | awk -v l2=$l2 'function near(a, x) { return (a - k * x) ^ 2 <= (0.1001 + 0.1 * size(x) * r / q) ^ 2 }
        function size(x) { return x < 0 ? -x : x }
        { l1 = 9.81 / (8 * atan2(1, 1)) ^ 2; x = l1 * sin($8); y = l1 * cos($8); X = x + l2 * sin($9); Y = y + l2 * cos($9)
          a[NR] = $1 - $5; b[NR] = $2 - $6; c[NR] = $3 - $5; d[NR] = $4 - $6; xs[NR] = x; ys[NR] = y; Xs[NR] = X; Ys[NR] = Y
          p += a[NR] * x + b[NR] * y + c[NR] * X + d[NR] * Y; q += x * x + y * y + X * X + Y * Y
          r += size(x) + size(y) + size(X) + size(Y) }
        END { k = p / q; for (i = 1; i <= NR; i++) bad += !(near(a[i], xs[i]) && near(b[i], ys[i]) && near(c[i], Xs[i]) && near(d[i], Ys[i]))
          if (bad || NR != 250) print NR, bad, k; exit bad || NR != 250 || !(k > 100) }' >err
ok "its disks are where the angles are, to the tenth that is written" $?
for m in double_pendulum heavy_top_body duffing van_der_pol fput_alpha; do
    "$N" run "$S/$m.lag" --rows 40 --animate a.svg --output a.csv --quiet >out 2>err
    ok "$m" $?
    awk '{ s = s $0 "\n" } END { gsub(/"[^"]*"/, "", s); n = 0; while (match(s, /<\/?[a-zA-Z]+[^>]*>/)) { x = substr(s, RSTART, RLENGTH); s = substr(s, RSTART + RLENGTH)
        if (x ~ /\/>$/) continue; name = x; gsub(/[<>\/]| .*/, "", name); if (x ~ /^<\//) { if (stack[n--] != name) exit 1 } else stack[++n] = name } exit n || s ~ /[<]/ }' a.svg
    ok "its elements are closed, as XML wants" $?
    ! grep -qE '[" ,;-](nan|inf)|href|url\((http|//)' a.svg && grep -q '<title>' a.svg
    ok "it names itself and asks nobody" $?
done
"$N" run '<b>"&.lag' --until 1 --animate a.svg --output a.csv --quiet >out 2>err
is "a name that is XML is text" "$? $(grep -c '<b>' a.svg) $(grep -c '<title>&lt;b&gt;&quot;&amp;</title>' a.svg)" "0 0 1"

# ---- another method beside -----------------------------------------------------------------------------------
"$N" run "$S/double_pendulum.lag" q1=$q1 q2=$q2 --beside rk4 --animate a.html --output a.csv --quiet >out 2>err
ok "the energy error of rk4 beside" $?
"$N" run "$S/double_pendulum.lag" q1=$q1 q2=$q2 --method rk4 --columns t,energy --output b.csv --quiet >out 2>err
paste <(field otherError a.html | head -1001) <(awk -F, 'NR == 2 { e = $2 } NR > 1 { printf "%.17g\n", ($2 - e) / (e < 0 ? -e : e) }' b.csv) \
    | awk '{ d = $1 - $2; bad += !(d * d <= 1e-24 + 1.6e-14 * $2 * $2); k++ } END { exit bad || k != 1001 }'
ok "it is that of a run by rk4" $?
"$N" run "$S/double_pendulum.lag" --beside rk4 --animate a.svg --output a.csv --quiet >out 2>err
is "in a picture that plays" "$? $(grep -c '>rk4<' a.svg)" "0 1"

# ---- .gif, .mp4: a program in the place of ffmpeg, which tells what it was given -------------------------------
mkdir bin nothing
cat >bin/ffmpeg <<'E'
#!/bin/sh
while [ $# -gt 1 ]; do [ "$1" = -i ] && frames=$2; shift; done
folder=${frames%/*}
echo "$folder $(ls "$folder" | wc -l) $(grep -l '</svg>' "$folder"/*.svg | wc -l)" >"$SAID"
[ "$BROKEN" ] && echo 'no such codec' >&2 && exit 1
echo film >"$1"
E
chmod +x bin/ffmpeg
export SAID=$T/said
film() { PATH="$T/bin:$PATH" TMPDIR=$T "$N" run "$S/double_pendulum.lag" --until 4 --animate "$1" --output a.csv --quiet >out 2>err; }
film a.gif
is "a .gif: 20 frames a second, each a whole picture; none is left behind" "$? $(cut -d' ' -f2- said) $(cat a.gif) $(ls -d "$(cut -d' ' -f1 said)" 2>/dev/null)" "0 80 80 film "
film a.mp4
is "an .mp4: 30 frames a second" "$? $(cut -d' ' -f2- said) $(cat a.mp4)" "0 120 120 film"
export BROKEN=1
film a.gif
is "what ffmpeg says is told, the old film stays" "$? $(cat a.gif) $(grep -c 'ffmpeg could not make .*a.gif: no such codec' err)" "3 film 1"
unset BROKEN
PATH=$T/nothing "$N" run "$S/pendulum.lag" --animate c.gif --output c.csv --quiet >out 2>err
is "without ffmpeg: said before the run" "$? $(ls c.gif c.csv 2>/dev/null) $(grep -c 'apt-get install ffmpeg' err)" "2  1"

# ---- a real ffmpeg: what it made is read back, frame by frame ---------------------------------------------------
if command -v ffmpeg >/dev/null; then
    for ending in gif ${NOE_LONG:+mp4}; do # an .mp4 takes 16 s
        "$N" run "$S/double_pendulum.lag" --until 0.5 --animate "real.$ending" --output a.csv --quiet >out 2>err
        status=$?
        # in grey: as many frames as there are, of one size, with the motion in them
        ffmpeg -v error -i "real.$ending" -f framemd5 - 2>>err >frames
        size=$(sed -n 's/^#dimensions 0: //p' frames) n=$(grep -vc '^#' frames) different=$(grep -v '^#' frames | awk '{ print $NF }' | sort -u | wc -l)
        [ $status = 0 ] && [ "$n" -ge 10 ] && [ "$different" -ge $((n - 1)) ] && [[ $size =~ ^[0-9]{3,4}x[0-9]{3,4}$ ]] && [ ! -s err ]
        ok "a real ffmpeg makes a .$ending: $n frames of $size, $different of them different" $?
    done
else echo "skipped: ffmpeg is not installed, films are not read back"; fi

# ---- the motion ----------------------------------------------------------------------------------------------
for m in "$S"/*.lag; do
    grep -q '^draw' "$m" || continue
    sed '/^draw/d' "$m" >plain.lag
    "$N" run "$m" --rows 5 --quiet >with 2>err && "$N" run plain.lag --rows 5 --quiet >without 2>>err && cmp with without
    ok "$(basename "$m"): the same bits with draw and without" $?
done

# ---- refused -------------------------------------------------------------------------------------------------
refused() { # NAME PATTERN ARGS: exit status 2, nothing written
    local name=$1 pattern=$2
    shift 2
    rm -f a.csv a.html
    "$N" "$@" >out 2>err
    [ $? = 2 ] && [ ! -s out ] && [ ! -e a.csv ] && [ ! -e a.html ] && head -1 err | grep -q -e "$pattern"
    ok "$name" $?
}
P=$S/pendulum.lag
refused "an unknown ending" 'the name must end in .html, .svg, .gif or .mp4' run "$P" --animate a.txt --output a.csv
refused "a method beside no animation" 'belongs to an animation' run "$P" --beside rk4 --output a.csv
refused "an unknown method beside" "method 'rk5'" run "$P" --beside rk5 --animate a.html --output a.csv
refused "no name before the ending" 'the name must end in .html, .svg, .gif or .mp4' run "$P" --animate .html --output a.csv
refused "a folder that is not there" 'cannot write none/a.html: No such file' run "$P" --animate none/a.html --output a.csv
mkdir folder.html
refused "a folder" 'it is a folder' run "$P" --animate folder.html --output a.csv
refused "members" '--animate is for one run' run "$P" --sweep "q = 0..1 in 2" --animate a.html --output a.csv
{ cat "$S/kepler.lag"; echo "event apsis: x*x' + y*y' = 0"; } >apsis.lag
refused "a section" 'rows of a --section' run apsis.lag --section apsis --animate a.html --output a.csv
wrong() { # PLACE PATTERN STATEMENT
    { echo "coordinate x, y"; echo "kinetic (x'^2 + y'^2)/2"; echo "$3"; } >wrong.lag
    refused "$3" "wrong.lag:3:$1: .*$2" run wrong.lag --method simpson --step 0.1 --until 1 --output a.csv
}
wrong 6 'expected what is drawn: line, spring, disk, trace, body or surface' 'draw circle (x, y)'
wrong 11 'a number where a point is wanted' 'draw line x, y'
wrong 11 'a line has two points or more' 'draw line (x, y)'
wrong 13 'a spring has two points' 'draw spring (0, 0), (1, 0), (x, y)'
wrong 19 'points in the plane' 'draw line (0, 0), (x, y, 0)'
wrong 25 'the radius must be greater than 0' 'draw disk (x, y) radius 0'
wrong 14 "expected '\['" 'draw surface (x, y, 0)'
wrong 23 "the second index of the surface" 'draw surface[i in 1..2] (i, x, y)'
wrong 13 'three numbers' 'draw surface[i in 1..2, j in 1..2] (i*x, j*y)'
wrong 14 'two rows of two points' 'draw surface[i in 1..1, j in 1..2] (i, j, x)'
wrong 19 'a radius belongs to a disk' 'draw trace (x, y) radius 1'
wrong 17 "unknown name 'z'" 'draw trace (x, (z))'
wrong 12 'contains momenta or the energy' 'draw trace (p(x), y)'
wrong 11 'the name of a body above' 'draw body x'
wrong 10 'over which indices does the drawing run' 'draw disk[i] (x, y)'
wrong 10 'the range 3..2 is empty' 'draw disk[i in 3..2] (x, i)'

# ---- a file that cannot be written -----------------------------------------------------------------------------
mkdir limit && echo old >limit/a.html
(cd limit && ulimit -f 8 && exec "$N" run "$P" --columns t --every 500 --animate a.html --quiet >../out 2>../err)
is "a limit of 8 KB: the rows are there, the old page too, status 3" "$? $(wc -l <out) $(cat limit/a.html) $(ls -A limit)" "3 4 old a.html"
grep -q 'cannot write .*a.html: File too large' err
ok "and it is said" $?
exit $failed
