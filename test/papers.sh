#!/bin/bash
# the papers' short tables and claims; a page cannot come out clean when something in it is wrong.
# SPDX-License-Identifier: BSD-3-Clause
cd "$(dirname "$0")/.." || exit 1
B=${NOE_BUILD_DIR:-build}
export LC_ALL=C NOETHER=$B/noether
T=$(mktemp -d) || exit 1
trap 'rm -rf "$T"' EXIT
failed=0
ok() { # NAME STATUS
    if [ "$2" = 0 ]; then echo "ok $1"; else
        echo "not ok $1"
        failed=1
        tail -n 8 "$T/said" 2>/dev/null
    fi
}

# ---- the papers ----------------------------------------------------------------------------------------------------
for p in 000 001 003 004; do
    : >"$T/said"
    for program in papers/$p/claims*.c; do
        ${CC:-cc} -std=gnu17 -O1 -Wall -Wextra -Werror -idirafter "$(gcc -print-file-name=include)" "$program" -lquadmath -lm -o "$T/claims" &&
            "$T/claims" >>"$T/said" || echo "$program: exit status $?" >>"$T/said"
    done
    [ "$(grep -c '^claim' "$T/said")" -ge 15 ] && ! grep -q -e FAILS -e 'NOT SHOWN' -e 'exit status' "$T/said"
    ok "papers/$p: its claims hold, its errata are shown" $?
    # every erratum has its evidence and the other way round
    cut -f2 <(grep '^erratum' "$T/said") | sort -u >"$T/shown"
    sed -n 's/^## \([^:]*\):.*/\1/p' papers/$p/errata.md | sort -u >"$T/named"
    [ -z "$(comm -23 "$T/shown" "$T/named")" ]
    ok "papers/$p: what claims.c calls an erratum stands in errata.md" $?
done
for s in 000/table1 001/table1 003/table2 002/figure04 002/table2; do
    "$NOETHER" study papers/$s.study --quiet >"$T/said" 2>&1
    ok "papers/$s.study is reproduced" $?
done

# ---- the paper folder of doc/studies.md, then the same with one thing wrong ------------------------------------------
mkdir "$T/papers"
ln -s "$PWD/systems" "$T/systems"
ln -s "$PWD/papers/claim.h" "$T/papers/claim.h"
make_paper() {
    rm -rf "$T/papers/900" "$T/out"
    mkdir "$T/papers/900"
    awk -v to="$T/papers/900/" '/^```[a-z0-9]+\.[a-z]+$/ { file = to substr($0, 4); next } /^```/ { file = "" } file { print > file }' doc/studies.md
}
page() { papers/page "$T/out" "$T/papers/900" >"$T/said" 2>&1; }
make_paper
[ "$(ls "$T/papers/900" | wc -l)" = 5 ] && page
ok "doc/studies.md: its paper is a page, and needs no code" $?
[ "$(grep -c '<svg' "$T/out/index.html")" = 1 ] && [ "$(grep -o '<table' "$T/out/index.html" | wc -l)" = 3 ] &&
    grep -q 'two digits have changed places' "$T/out/summary.txt" && ! grep -oE '(src|href)="[^#"][^"]*"' "$T/out/index.html"
ok "the page has its tables and figures in itself" $?
printf 'study = drift\ntitle = Table 2. Drift\nmodel = ../../systems/pendulum.lag\nmethods = simpson\nuntil = 5\n' >"$T/papers/900/table2.study"
page && grep -q '<pre>' "$T/out/index.html" && grep -q '^Table 2. Drift' "$T/out/index.html" && grep -q '^Table 2. Drift' "$T/out/summary.txt"
ok "a study of drift is on the page, too" $?
wrong() { # NAME EXIT FILE SED
    make_paper
    cp "$T/papers/900/$3" "$T/before"
    sed -i "$4" "$T/papers/900/$3"
    ! cmp -s "$T/before" "$T/papers/900/$3" && { page; [ $? = "$2" ]; }
    ok "$1: exit status $2" $?
}
wrong "a published digit that is wrong" 1 table1.study 's/6.08e-6/6.06e-6/'
wrong "an erratum that is wrong" 1 table1.study 's/= 3.78e-7/= 3.76e-7/'
wrong "an erratum that is none" 1 table1.study 's/3.87e-7/3.78e-7/'
wrong "a claim that fails" 1 claims.c 's/1e-5Q);$/1e-9Q);/'
wrong "a number of a claims program that differs" 1 claims.c 's/^    claim(.*/number("Table 9", "omega^2", "3.946e1", x[1]);/'
wrong "an erratum without evidence" 1 errata.md '/^Evidence/d'
wrong "evidence without an erratum" 1 errata.md 's/^## sign/## sing/'
wrong "an unknown word in a figure" 2 figure1.figure 's/^panel/pannel/'
wrong "a panel of what the run has not" 2 figure1.figure 's/t : q /t : r /'
wrong "a claims program that ends early" 2 claims.c 's/pendulum.lag/nowhere.lag/'
wrong "a curve that cannot be computed" 2 figure1.figure 's/simpson --step/simson --step/'
wrong "an unknown word in a study" 2 table1.study 's/^until/untill/'
make_paper
rm "$T/papers/900/about.txt"
page
[ $? = 2 ]
ok "a folder without about.txt: exit status 2" $?
exit $failed
