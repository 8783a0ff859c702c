#!/bin/bash
# what the pages say = what happens: every model, every command, every number that can be checked.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common"
export PATH="$B:$PATH"
san=$(nm "$B/libnoether.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)

# ---- models ------------------------------------------------------------------------------------------------
# Every block ```lag of a page becomes block.N, N its line; of a block ```lag error the text after "Refused: "
# becomes block.N.refused.
blocks() {
    rm -f block.*
    awk '/^```lag/    { file = sprintf("block.%d", NR); error = /error/; next }
         /^```/       { file = "" }
         file         { print > file; last = file }
         /^Refused: `/ && error { sub(/^Refused: `/, ""); sub(/`$/, ""); print > (last ".refused"); error = 0 }' "$1"
}
for page in $(cd "$R" && grep -l '^```lag' README.md doc/*.md); do
    blocks "$R/$page"
    is_error=$(grep -c '^```lag error' "$R/$page")
    [ "$(ls block.* | grep -vc refused)" -gt 0 ] && [ "$(ls block.* | grep -c refused)" = "$is_error" ]
    ok "$page has models, and every wrong one its message" $?
    for m in $(ls block.* | grep -v refused | sort -t. -k2n); do
        if [ -f "$m.refused" ]; then
            "$N" run "$m" --method simpson --step 0.01 --until 0.1 >out 2>err
            [ $? = 2 ] && [ ! -s out ] && head -1 err | grep -qF -e "$(cat "$m.refused")" \
                && head -1 err | grep -q "^$m:[0-9]*:[0-9]*: "
            ok "$page, line ${m#block.}: refused as it says" $?
        elif grep -q '^suggest' "$m"; then
            "$N" run "$m" >out 2>err && [ "$(wc -l <out)" -gt 2 ]
            ok "$page, line ${m#block.}: runs" $?
        else
            "$N" run "$m" --method simpson --step 0.001 --until 0.1 >out 2>err && [ "$(wc -l <out)" = 102 ]
            ok "$page, line ${m#block.}: runs" $?
        fi
    done
done
blocks "$R/README.md"
cmp -s <(grep -v '^#' block.* | sed 's/  *#.*//; /^$/d') <(grep -v '^#' "$R/systems/double_pendulum.lag" | sed '/^suggest/d; /^unit/d; /^draw/d; s/  *#.*//; /^$/d')
ok "README.md: its model is systems/double_pendulum.lag" $?
blocks "$R/doc/bodies.md"
for m in block.*; do
    library=$R/systems/$(sed -n '1s/^# \([a-z0-9_]*\.lag\).*/\1/p' "$m")
    cmp -s "$m" <(grep -v '^draw' "$library")
    ok "doc/bodies.md, line ${m#block.}: is ${library##*/} of systems/, but for what it draws" $?
done
{ echo "coordinate q"; echo "parameter m = 1, omega = 2"; grep -A1 '^pendulum.lag:3:' "$R/README.md" | sed -n '2s/^ *//p'; } >pendulum.lag
"$N" run pendulum.lag 2>err
cmp -s err <(grep -A2 '^pendulum.lag:3:' "$R/README.md")
ok "README.md: its message is the message" $?
rm pendulum.lag

# ---- commands ----------------------------------------------------------------------------------------------
ln -s "$R/systems" systems
ln -s "$R/examples" examples
ln -s "$R"/systems/*.lag .
commands() { # PAGE: the lines that run noether
    case $1 in
    *.1) sed -n '/^\.nf/,/^\.fi/p' "$R/$1" | sed -n 's/\\-/-/g; s/\\(dq/"/g; /^noether /p' ;;
    *) awk '/^```sh/ { on = 1; next } /^```/ { on = 0 } on' "$R/$1" | sed -n 's|^\(build/\)\{0,1\}noether |noether |p' ;;
    esac
}
# A block ```lag, ```study or ```csv that begins "# NAME.lag", "# NAME.study" or "# NAME.csv" is that file, for the commands of its page.
files() {
    awk '/^```(lag|study|csv)$/ { first = 1; next } /^```/ { file = "" }
         first { first = 0; file = $0 ~ /^# [a-z0-9_]+\.(lag|study|csv)/ ? $2 : "" }
         file { print > ("file." file) }' "$R/$1"
    for f in file.*; do [ -e "$f" ] && { [ -e "${f#file.}" ] || cp "$f" "${f#file.}"; rm "$f"; }; done
}
for page in $(cd "$R" && grep -l '^```sh' README.md doc/*.md) doc/noether.1; do
    files $page
    : >said
    while IFS= read -r line; do
        timeout 100 sh -c "$line" >out 2>err </dev/null
        ok "$page: ${line%%  *}" $?
        cat out >>said
    done < <(commands $page)
    # Every line of a block ```text is a line that some command of the page has printed.
    awk '/^```text$/ { on = 1; next } /^```/ { on = 0 } on' "$R/$page" | grep -vFx -f said >out
    [ ! -s out ]
    ok "$page: its commands print what it shows" $?
done
for f in pendulum.svg pendulum.csv orbit.h5 more.csv phase.svg p.csv; do [ -s $f ] || break; done
ok "README.md: its commands leave the files that they name" $?
{ # the example in C, with a frame around it
    printf '#include "noether.h"\n#include <stdio.h>\nint main(void)\n{\n'
    awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' "$R/README.md"
    printf 'noe_integrator_free(orbit), noe_method_free(simpson), noe_system_free(kepler);\nreturn noe_error() != NULL;\n}\n'
} >readme.c
${CC:-cc} -std=c99 $san -I"$R/include" readme.c -L"$B" -lnoether -Wl,-rpath,"$B" -o readme 2>err && ./readme >out 2>>err \
    && awk '{ bad = NF != 2 || $2 > -0.499999 || $2 < -0.500001 } END { exit bad || NR != 1 }' out
ok "README.md: its C runs" $?

# ---- systems -----------------------------------------------------------------------------------------------
[ "$san" ] && patience=60 || patience=5
for m in systems/*.lag; do
    timeout $patience "$N" run "$m" --output rows.csv >out 2>err
    status=$?
    error=$(sed -n 's/.*energy [eb][a-z]* at most \([0-9.e+-]*\) of.*/\1/p' err)
    [ $status = 0 ] && awk -v x="${error:-1}" 'BEGIN { exit !(x + 0 == x && x < 1e-3) }'
    ok "$m: runs by its own suggestion, in time, energy error or balance ${error:-unknown}" $?
done

# ---- examples ----------------------------------------------------------------------------------------------
for c in "$R"/examples/*.c; do
    name=$(basename "$c" .c)
    "$B/examples/$name" >out 2>err && cmp -s out "${c%.c}.txt" && [ ! -s err ]
    ok "examples/$name.c prints examples/$name.txt" $?
done

# The limit cycle of Van der Pol, to ten digits of the published period and amplitude, where the page says so.
awk '$1 == 10 { p = $2 - 19.07836956693901407; a = $3 - 2.01428536092640528; good = p * p < 1e-18 && a * a < 1e-20 }
     END { exit !good }' "$R/examples/limit_cycle.txt" && grep -qF "$(tail -1 "$R/examples/limit_cycle.txt")" "$R/doc/forced.md"
ok "doc/forced.md: its limit cycle" $?

# ---- numbers and links -------------------------------------------------------------------------------------
# The windows of stability in doc/theory.md, as far as the table goes, are those of noether show.
while IFS='|' read -r _ method windows _; do
    method=$(echo "$method" | tr -d '`' | sed 's/^ *//; s/ *$//')
    page=$(echo "$windows" | grep -oE '[0-9]+\.[0-9]+' | paste -sd' ')
    [ "$page" ] || page=$(echo "$windows" | grep -oE '[0-9]+' | sed 's/$/.000000/' | paste -sd' ')
    shown=$("$N" show "$method" | grep -oE 'stable to [0-9.]+[0-9]' | sed 's/.* //' | paste -sd' ')
    [ "$page" ] && [ "${shown:0:${#page}}" = "$page" ]
    ok "doc/theory.md: windows of $method" $?
done < <(sed -n '/unstable for omega h in/,/^$/p' "$R/doc/theory.md" | grep -E '^\| `(lobatto|simpson)')
order=$("$N" show "gauss 12" | sed -n 's/^order \([0-9]*\),.*/\1/p')
grep -q "2, 4, 6, .. $order " "$R/README.md"
ok "README.md: orders up to $order" $?
for page in "$R"/*.md "$R"/doc/*.md "$R"/bench/*.md; do
    page=${page#"$R/"}
    missing=
    for link in $(grep -oE '\]\([^)]*\)' "$R/$page" 2>/dev/null | sed 's/^](//; s/)$//; s/#.*//' | grep -v '^https\{0,1\}:'); do
        [ -e "$R/$(dirname "$page")/$link" ] || missing="$missing $link"
    done
    echo "missing:$missing" >err
    [ -z "$missing" ]
    ok "$page: its links lead somewhere" $?
done
exit $failed
