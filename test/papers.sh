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
for p in 000 001 003; do
    ${CC:-cc} -std=gnu17 -O1 -Wall -Wextra -Werror papers/$p/claims.c -lquadmath -lm -o "$T/claims" >"$T/said" 2>&1 &&
        "$T/claims" >"$T/said" 2>&1 && [ "$(grep -c '^claim' "$T/said")" -ge 15 ] && ! grep -q -e FAILS -e 'NOT SHOWN' "$T/said"
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

# ---- a paper folder of one's own, then the same with one thing wrong ------------------------------------------------
make_paper() {
    rm -rf "$T/900" "$T/out"
    mkdir "$T/900"
    cp systems/pendulum.lag "$T/900"
    printf 'title: A paper\nauthors: N. N.\nsource: nowhere\n' >"$T/900/about.txt"
    cat >"$T/900/table1.study" <<'END'
study     = convergence
title     = Table 1. One period
model     = pendulum.lag
methods   = newmark, simpson
parameter period = 1.18034059901609622604533794056
until     = period
steps     = period/50, period/100
period    = period
error     = momentum: p
reference = 33
published newmark momentum = 2.93e-2 7.32e-3
published simpson momentum = 6.08e-6 3.78e-7
END
    cat >"$T/900/figure1.figure" <<'END'
title = Figure 1. A swing
model = pendulum.lag
define P = 1.18
curve simpson = points : --method simpson --step P/10 --until P
panel = t : q                | t [s] | q [rad]
panel = t : relative(energy) | t [s] | energy error | logy
END
    cat >"$T/900/claims.c" <<END
/* a claim */
#include "$PWD/papers/claim.h"
int main(void)
{
    int   rows;
    quad *x = noether(1, &rows, "systems/pendulum.lag --step 0.1 --until 1 --columns energy");
    claim("energy is nearly kept", "ten steps", fabsq(x[10] / x[0] - 1), 1e-3Q);
    erratum("sign", "energy with the wrong sign", fabsq(-x[10] - x[0]), 1e-3Q);
    number("Numbers", "energy at the start", "3.948e1", x[0]);
    return failures != 0;
}
END
    printf '# Errata\n\n## sign: (1)\nPrinted: minus.\nRight: plus.\n' >"$T/900/errata.md"
}
page() { papers/page "$T/out" "$T/900" >"$T/said" 2>&1; }
make_paper
page
ok "a new paper folder needs no code" $?
[ "$(grep -c '<svg' "$T/out/index.html")" = 1 ] && [ "$(grep -o '<table' "$T/out/index.html" | wc -l)" -ge 4 ] && ! grep -q 'http[s]*://[^w]' "$T/out/index.html"
ok "its page has its tables and figures in itself" $?
wrong() { # NAME EXIT FILE SED
    make_paper
    cp "$T/900/$3" "$T/before"
    sed -i "$4" "$T/900/$3"
    ! cmp -s "$T/before" "$T/900/$3" && { page; [ $? = "$2" ]; }
    ok "$1: exit status $2" $?
}
wrong "a published digit that is wrong" 1 table1.study 's/3.78e-7/3.76e-7/'
wrong "an erratum that is none" 1 table1.study '$aerratum simpson momentum at 2 = 3.78e-7 it is right'
wrong "a claim that fails" 1 claims.c 's/1e-3Q);$/1e-9Q);/'
wrong "a number of a claims program that differs" 1 claims.c 's/3.948e1/3.946e1/'
wrong "an erratum without evidence" 1 errata.md '$a\\n## other: (2)\nPrinted: a.\nRight: b.'
wrong "evidence without an erratum" 1 errata.md 's/^## sign/## sing/'
wrong "an unknown word in a figure" 2 figure1.figure 's/^panel/pannel/'
wrong "a curve that cannot be computed" 2 figure1.figure 's/simpson --step/simson --step/'
wrong "an unknown word in a study" 2 table1.study 's/^until/untill/'
make_paper
rm "$T/900/about.txt"
page
[ $? = 2 ]
ok "a folder without about.txt: exit status 2" $?
exit $failed
