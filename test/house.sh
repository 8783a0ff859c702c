#!/bin/bash
# names, folders, first lines, the installed tree: the rules of the house, checked.
# SPDX-License-Identifier: BSD-3-Clause
cd "$(dirname "$0")/.." || exit 1
R=$PWD
B=$(cd "${NOE_BUILD_DIR:-build}" && pwd) || exit 1
T=$(mktemp -d) || exit 1
trap 'rm -rf "$T"' EXIT
export LC_ALL=C
CC=${CC:-cc}
san=$(nm "$B/libnoether.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
failed=0
shopt -s lastpipe # what ends a pipe sets `failed` here
none() { # NAME: standard input must be empty
    sed 's/^/    /' >"$T/found"
    if [ -s "$T/found" ]; then
        echo "not ok $1"
        head -20 "$T/found"
        failed=1
    else echo "ok $1"; fi
}
ok() { # NAME STATUS
    [ "$2" = 0 ] && echo "ok $1" && return
    echo "not ok $1"
    failed=1
    head -20 "$T/said" 2>/dev/null
}

# ---- names -------------------------------------------------------------------------------------------------
nm -g --defined-only "$B/libnoether.a" 2>/dev/null | awk 'NF == 3 { print $3 }' | grep -v -e '^noe_' -e '^__odr_asan' \
    | none "every global symbol begins with noe_"
echo '#include "noether.h"' | $CC -std=c99 -E -P -Iinclude -xc - | tr '\n' ' ' | tr ';' '\n' | grep -v typedef \
    | grep -oE '\bnoe_[a-z0-9_]+ *\(' | tr -d ' (' | sort >"$T/declared"
nm -D --defined-only "$B/libnoether.so" | awk '{ print $3 }' | grep -v '^__odr_asan' | sort >"$T/exported"
[ "$(wc -l <"$T/declared")" -gt 30 ]
ok "noether.h declares functions" $?
diff "$T/declared" "$T/exported" | grep '^[<>]' | none "libnoether.so exports what noether.h declares, nothing else"
for f in $(cat "$T/declared"); do grep -q "\b$f(" test/app/test_api_*.c test/adjoint/*.c test/control/*.c || echo "$f"; done \
    | none "test/app/test_api_*.c, or the tests of adjoint and control, call every function of noether.h"
nm -u "$B/libnoether.a" 2>/dev/null | awk '$1 == "U" { print $2 }' | sort -u \
    | grep -xE 'exit|_exit|abort|printf|puts|putchar|__assert_fail|system|popen|gets|strtok|rand' \
    | none "the library neither ends the program nor prints on standard output"
[ "$san" ] || objdump -t "$B/libnoether.a" | awk '$3 == "O" && ($4 == ".data" || $4 == ".bss") && $NF != "lock"' \
    | none "no global mutable state but the lock around HDF5"

[ "$(uname -m)" != x86_64 ] || readelf -d "$B/noether" | grep -E 'NEEDED.*(hdf5|flint|cholmod|umfpack|klu|arpack|openblas|blas|lapack|cminpack)' \
    | none "the command waits for no library that few runs need"

# ---- folders -----------------------------------------------------------------------------------------------
# Rooms and circles of src: test/layers.sh.
includes() { grep -noE '^ *# *include *"[^"]+"' "$@" /dev/null | sed 's/:[0-9]*: *# *include *"/ /; s/"$//'; }
includes cli/*.[ch] | awk '$2 != "noether.h" && $2 != "job/verbs.h" && $2 != "command.h" && $2 != "late.def"' \
    | none "cli sees noether.h and job/verbs.h"
includes include/*.h examples/*.c | awk '$2 != "noether.h"' | none "noether.h stands alone, and the examples need no other"
(cd src && includes */*.h) | tsort 2>&1 >/dev/null | none "no header includes itself by way of others"

# ---- files -------------------------------------------------------------------------------------------------
for f in src/*/*.[ch] cli/*.[ch] include/*.h test/*.[ch] test/*/*.[ch] examples/*.c bench/*.c papers/*.h papers/*/*.c; do
    [ -e "$f" ] || continue
    case $(head -1 "$f") in
    '/* SPDX'*) echo "$f: no line of mathematics" ;;
    '/* '*[a-zA-Z0-9]*) ;;
    *) echo "$f: does not begin with a comment" ;;
    esac
    sed -n 2p "$f" | grep -q 'SPDX-License-Identifier: BSD-3-Clause' || echo "$f: no licence in line 2"
done | none "every source begins with what it is about, then its licence"
for f in Makefile test/*.sh test/common test/run test/demo test/deps cli/far bench/run papers/page papers/figure papers/quotes bench/page; do
    [ ! -e "$f" ] || head -3 "$f" | grep -q 'SPDX-License-Identifier: BSD-3-Clause' || echo "$f"
done | none "so does every script"
for f in examples/*.c examples/*.lag; do grep -q "($(basename "$f"))" examples/README.md || echo "$f"; done \
    | none "examples/README.md names every program"
for f in *.md doc/*.md */README.md; do [ "$(wc -w <"$f")" -ge 30 ] || echo "$f"; done | none "no page is empty"
grep -nE 'TODO|FIXME|XXX|HACK' -r src cli include examples | none "nothing is left to do"
wc -l test/*.[ch] test/*/*.[ch] | awk '$2 != "total" && $1 > 400 { print $2 ": " $1 " lines" }' \
    | none "no test has more than 400 lines"
wc -l src/*/*.[ch] cli/*.[ch] mpi/*.[ch] python/*.[ch] web/*.cpp web/*.mjs web/*/*.mjs | awk '$2 != "total" && $1 > 400 { print $2 ": " $1 " lines" }' \
    | none "no source has more than 400 lines"
awk 'FNR == 1 { open = 0 } /^\{/ { open = FNR } /^\}/ { if (open && FNR - open - 1 > 80) print FILENAME ": " FNR - open - 1 " lines from line " open; open = 0 }' \
    src/*/*.[ch] cli/*.[ch] mpi/*.[ch] python/*.[ch] | none "no function has more than 80 lines"
# Those that are left are counted, so that none is added.
[ "$(awk -f test/commas.awk src/*/*.[ch] cli/*.[ch] mpi/*.[ch] python/*.[ch] | tee "$T/said" | wc -l)" -le 21 ]
ok "at most 21 statements longer than a line join assignments by commas" $?
awk -f test/fields.awk src/*/*.[ch] \
    | none "every field of a struct that is a number has a comment: quantity, shape, unit"
wc -l src/*/*.[ch] | grep -v total | sort -n | awk '{ n[NR] = $1 } END { m = n[int((NR + 1) / 2)]; if (m >= 150) print m }' \
    | none "the median file of src has less than 150 lines"

{ grep -ohE '`[a-z]+/[a-z_0-9]+\.(c|h|def|sh)`' doc/*.md README.md CONTRIBUTING.md | tr -d '`'
  grep -rohE '\b[a-z]+/[a-z_0-9]+\.(c|h|def)\b' src include cli | grep -v -e '^flint/' -e '^suitesparse/' -e '^sys/'; } | sort -u >"$T/named"
[ "$(wc -l <"$T/named")" -gt 300 ]
ok "pages and comments name files" $?
while read -r p; do [ -e "src/$p" ] || [ -e "$p" ] || [ -e "test/$p" ] || echo "$p"; done <"$T/named" \
    | none "every file that a page or a comment names is there"

grep -ohE '`[a-z_0-9]+\.(c|h|def|sh)`' doc/architecture.md doc/glossary.md CONTRIBUTING.md | tr -d '`' | sort -u >"$T/named"
find . -name .git -prune -o -name build -prune -o -type f -print | sed 's|.*/||' | sort -u >"$T/there"
grep -vxFf "$T/there" "$T/named" | none "every file that these pages name without its room is there"

# ---- the header --------------------------------------------------------------------------------------------
for std in c99 c11 c17; do
    echo '#include "noether.h"' | $CC -std=$std -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only -xc - 2>"$T/said"
    ok "noether.h alone is $std" $?
done
if command -v g++ >/dev/null; then
    for std in c++98 c++20; do
        echo '#include "noether.h"' | g++ -std=$std -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only -xc++ - 2>"$T/said"
        ok "noether.h alone is $std" $?
    done
fi

# ---- make install ------------------------------------------------------------------------------------------
# What was built for this machine alone is installed so, and not compiled again.
grep -q NOE_ONE_BUILD "$B/flags" && develop=DEVELOP=1
install() { # PREFIX
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s B="$B" ${develop:-} DESTDIR="$T/dest" PREFIX="$1" install >"$T/said" 2>&1
}
install /opt/noether && install /usr
ok "make install" $?
D=$T/dest/usr
for f in bin/noether include/noether.h lib/libnoether.a lib/libnoether.so.0 lib/libnoether.so lib/pkgconfig/noether.pc \
    share/man/man1/noether.1 share/noether/systems/kepler.lag share/bash-completion/completions/noether \
    share/zsh/site-functions/_noether; do [ -s "$D/$f" ] || echo "$f"; done \
    | none "it installs the command, the header, both libraries, the manual page, the systems and completion"
is() { [ "$2" = "$3" ] || echo "got $2, expected $3" | tee "$T/said"; [ "$2" = "$3" ]; ok "$1" $?; }
is "the prefix of noether.pc is that of this install" "$(sed -n 's/^prefix=//p' "$D/lib/pkgconfig/noether.pc")" /usr
is "its version is that of the header" "$(PKG_CONFIG_PATH=$D/lib/pkgconfig pkg-config --modversion noether)" \
    "$(sed -n 's/^#define NOE_VERSION "\(.*\)"/\1/p' include/noether.h)"
is "the version in CITATION.cff is that of the header" "$(sed -n 's/^version: //p' CITATION.cff)" \
    "$(sed -n 's/^#define NOE_VERSION "\(.*\)"/\1/p' include/noether.h)"
grep -rl "$T" "$D/lib/pkgconfig" | none "the temporary folder is in none of it"
build() { # NAME FLAGS: examples/kepler.c against the installed library
    local name=$1
    shift
    $CC -std=c99 $san examples/kepler.c $(PKG_CONFIG_PATH=$D/lib/pkgconfig pkg-config --define-prefix --cflags --libs "$@" noether) \
        -o "$T/$name" 2>"$T/said"
}
build shared && LD_LIBRARY_PATH=$D/lib "$T/shared" | cmp -s - examples/kepler.txt && ldd "$T/shared" | grep -q libnoether.so.0
ok "a program against the shared library, by pkg-config" $?
build same --static && LD_LIBRARY_PATH=$D/lib "$T/same" | cmp -s - examples/kepler.txt && ldd "$T/same" | grep -q libnoether.so.0
ok "pkg-config --static links the shared library, too" $?
rm "$D"/lib/*.so*
$CC -std=c99 $san -Iinclude examples/kepler.c "$D/lib/libnoether.a" $(PKG_CONFIG_PATH=$D/lib/pkgconfig pkg-config --variable=archive_libs noether) \
    -o "$T/archive" 2>"$T/said" && "$T/archive" | cmp -s - examples/kepler.txt
ok "a program against the archive and what it asks for" $?
bash -n "$D/share/bash-completion/completions/noether" && zsh -n "$D/share/zsh/site-functions/_noether"
ok "bash and zsh read the completion" $?
(cd "$T" && "$D/bin/noether" run pendulum.lag --until 1 --quiet | wc -l | grep -qx 102) && "$D/bin/noether" systems | grep -q '^pendulum.lag '
ok "the installed command knows the installed systems by name" $?
"$D/bin/noether" run "$D/share/noether/systems/pendulum.lag" --until 1 --quiet | wc -l | grep -qx 102
ok "the installed command runs an installed system" $?
printf '[  FAILED  ] a_law\n[       OK ] another\n[  FAILED  ] 1 test(s), listed below:\n[  FAILED  ] a_law\n' >"$T/one.log"
printf 'ok this\nnot ok that\nok these\n' >"$T/two.log"
[ "$(test/count "$T/one.log" "$T/two.log")" = "3 passed, 2 failed" ]
ok "a test that fails is counted once" $?
exit $failed
