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
for p in 000 001 002 003 004; do
    : >"$T/said"
    for program in papers/$p/claims*.c; do # those of the tops and of chaos, 002, take minutes: make papers
        case $program in *_chaos.c | *_top.c | *_reduced.c | *_schemes.c) [ $p = 002 ] && continue ;; esac
        ${CC:-cc} -std=gnu17 -O1 -Wall -Wextra -Werror -idirafter "$(gcc -print-file-name=include)" "$program" -lquadmath -lm -o "$T/claims" &&
            "$T/claims" >>"$T/said" || echo "$program: exit status $?" >>"$T/said"
    done
    [ "$(grep -c '^claim' "$T/said")" -ge 12 ] && ! grep -q -e FAILS -e DIFFERS -e 'NOT SHOWN' -e 'NOT SEEN' -e 'exit status' "$T/said"
    ok "papers/$p: its claims hold, its errata are shown" $?
    # every erratum has its evidence and the other way round
    cut -f2 <(grep '^erratum' "$T/said") | sort -u >"$T/shown"
    sed -n 's/^## \([^:]*\):.*/\1/p' papers/$p/errata.md | sort -u >"$T/named"
    [ -z "$(comm -23 "$T/shown" "$T/named")" ]
    ok "papers/$p: what claims.c calls an erratum stands in errata.md" $?
    cut -f2 <(grep '^remark' "$T/said") | sort -u >"$T/shown"
    sed -n 's/^## \([^:]*\):.*/\1/p' papers/$p/remarks.md 2>/dev/null | sort -u >"$T/named"
    [ -z "$(comm -23 "$T/shown" "$T/named")" ]
    ok "papers/$p: what claims.c calls a remark stands in remarks.md" $?
    [ "$(grep -c '^## ' papers/$p/errata.md)" = "$(awk '/^## / { has = 0 } /^Text: / && !has++ { n++ } END { print n + 0 }' papers/$p/errata.md)" ]
    ok "papers/$p: every erratum quotes the text" $?
done
for s in 000/table1 001/table1 003/table2 002/figure04 002/table2; do
    "$NOETHER" study papers/$s.study --quiet >"$T/said" 2>&1
    ok "papers/$s.study is reproduced" $?
done

# no table of these may call its numbers published: papers 002 and 004 print none
! grep -l '^published' papers/002/*.study && ! grep -lE '\bnumber\(' papers/002/*.c papers/004/*.c
ok "papers 002 and 004 have no published numbers" $?
# colours mean the same in all figures of a paper
for f in papers/*/*.figure; do sed -n 's/^curve *\([^=]*[^ =]\) *=.*/\1/p' "$f" | sort | uniq -d; done >"$T/said"
[ ! -s "$T/said" ]
ok "no figure names two curves alike" $?

# ---- pieces of a text ------------------------------------------------------------------------------------------------
mkdir "$T/quoted"
printf '# Errata\n\n## a: (1)\nText: x  + y\nPrinted: x + y.\nRight: x - y.\n' >"$T/quoted/errata.md"
printf 'We add x\n+ y here.\n' >"$T/text"
papers/quotes "$T/quoted" "$T/text" >"$T/said"
ok "a piece of the text is found over the end of a line" $?
printf 'We add x - y here.\n' >"$T/text"
! papers/quotes "$T/quoted" "$T/text" >"$T/said" && grep -q '^a: (1): not in the text: x + y$' "$T/said"
ok "a piece that is not in the text is named" $?
sed -i '/^Text/d' "$T/quoted/errata.md"
! papers/quotes "$T/quoted" "$T/text" >"$T/said" && grep -q '^a: (1): no piece of the text$' "$T/said"
ok "so is an erratum without one" $?
papers/quotes "$T/quoted" "$T/nothing" >"$T/said" 2>&1
[ $? = 2 ]
ok "no text: exit status 2" $?

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
[ "$(ls "$T/papers/900" | wc -l)" = 7 ] && page
ok "doc/studies.md: its paper is a page, and needs no code" $?
[ "$(grep -c '<svg' "$T/out/index.html")" = 1 ] && [ "$(grep -o '<table' "$T/out/index.html" | wc -l)" = 4 ] &&
    grep -q 'two digits have changed places' "$T/out/summary.txt" && ! grep -oE '(src|href)="[^#"][^"]*"' "$T/out/index.html"
ok "the page has its tables and figures in itself" $?
grep -q 'it is let go from rest' "$T/out/summary.txt" && grep -q '2 claims, 3 errata and 1 remark ' "$T/out/summary.txt"
ok "claims.sh runs beside claims.c" $?
for id in $(grep -o 'href="#900[^"]*"' "$T/out/index.html" | sed 's/.*#//; s/"//'); do grep -q " id=\"$id\"" "$T/out/index.html" || echo "$id"; done >"$T/said"
[ ! -s "$T/said" ] && [ "$(grep -c 'href="#900-' "$T/out/index.html")" = 5 ]
ok "a link to every table, figure, the claims, the errata, the remarks" $?
grep -q '<svg role="img" aria-label="Figure 1. One swing in ten steps. Curves: exact, simpson. Panels: angle q \[rad\] over t \[s\]' "$T/out/index.html" && ! grep -q '<title>Gnuplot' "$T/out/index.html"
ok "a figure says in words what it shows" $?
grep -q 'start: q = ' "$T/out/index.html" && grep -q '<th>published</th>' "$T/out/index.html"
ok "a table gives its start, and says what is published" $?
grep -qF '<code class="text">E = -\frac{1}{2} \dot{q}^2 - \cos q</code>' "$T/out/index.html" && grep -q 'Transcription: it may have added a sign' "$T/out/index.html" &&
    grep -q 'machine transcriptions' "$T/out/index.html"
ok "an erratum has its piece of the text" $?
sed -i 's/^published/recomputed/; /^erratum/d; s/3.87e-7/3.78e-7/' "$T/papers/900/table1.study"
page && grep -q '<th>recomputed independently</th>' "$T/out/index.html" && ! grep -q '<th>published</th>' "$T/out/index.html"
ok "recomputed numbers do not stand under published" $?
make_paper
printf '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">\n<title>Figure 0. A bob</title>\n<desc>A disc.</desc>\n<circle r="4"/></svg>\n' >"$T/papers/900/figure0.svg"
page && grep -q 'aria-label="A disc."' "$T/out/index.html" && grep -q '<figcaption>Figure 0. A bob</figcaption>' "$T/out/index.html"
ok "a drawing is a figure" $?
sed -i 's/^curve simpson.*/curve simpson = points : data/; s/^curve exact.*//; s/^panel.*//' "$T/papers/900/figure1.figure"
echo 'panel = x : y | x | y | log' >>"$T/papers/900/figure1.figure"
printf '#!/bin/bash\nprintf "data\\tsimpson\\t2.3\\t31\\ndata\\tsimpson\\t4.2\\t47\\n"\n' >"$T/papers/900/claims_points.sh"
page && grep -q '>2e+00<\|> *2e+00 *<' <(tr -d '\n' <"$T/out/index.html") && grep -q '5e+00' "$T/out/index.html" && grep -q '2e+01' "$T/out/index.html"
ok "a log axis of less than a decade has labels" $?
make_paper
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
wrong "an erratum without a piece of the text" 1 errata.md '/^Text: Swings/d'
wrong "a remark without evidence" 1 remarks.md 's/^## energy/## energies/'
wrong "a claim of claims.sh that fails" 1 claims.sh 's/= 0 \]/= 1 ]/'
wrong "a claims.sh that ends early" 2 claims.sh 's/^v=.*/exit 7/'
wrong "an erratum of a recomputed number" 2 table1.study 's/^published/recomputed/'
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
