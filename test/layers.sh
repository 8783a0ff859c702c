#!/bin/bash
# rooms of src in their order, no circles, one stem a file, names that say where a function stands: doc/architecture.md, checked.
# SPDX-License-Identifier: BSD-3-Clause
cd "$(dirname "$0")/.." || exit 1
B=$(cd "${NOE_BUILD_DIR:-build}" && pwd) || exit 1
T=$(mktemp -d) || exit 1
trap 'rm -rf "$T"' EXIT
export LC_ALL=C
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

# ---- what there is -----------------------------------------------------------------------------------------
# rooms: the table of doc/architecture.md, from the lowest up.  includes: FILE INCLUDED, paths below src.
sed -n '/^## Rooms/,/^## /s/^| `\([a-z]*\)` |.*/\1/p' doc/architecture.md >"$T/rooms"
(cd src && grep -noE '^ *# *include *"[^"]+"' */*.[ch] */*.def /dev/null) | sed 's/:[0-9]*: *# *include *"/ /; s/"$//' \
    | grep -v -e ' noether\.h$' -e ' found\.h$' >"$T/includes"
(cd src && ls -d */*.*) >"$T/files"
# defined: SYMBOL KIND STEM.  calls: STEM STEM, by functions and data that one object has of another.
nm -g "$B/libnoether.a" 2>/dev/null | awk '
    /:$/ { stem = $1; sub(/\.o:$/, "", stem); sub(/\.(sse2|avx2|avx512|any)$/, "", stem); next }
    $NF !~ /^noe_/ { next }
    $1 == "U" { print "U", $2, stem; next }
    { print $2, $3, stem }' | sort -u >"$T/symbols"
awk '$1 != "U" { print $2, $1, $3 }' "$T/symbols" >"$T/defined"
awk 'NR == FNR { at[$1] = $3; next } $1 == "U" && $2 in at && at[$2] != $3 { print $3, at[$2] }' "$T/defined" "$T/symbols" | sort -u >"$T/calls"
{ [ "$(wc -l <"$T/rooms")" -gt 20 ] && [ "$(wc -l <"$T/includes")" -gt 500 ] && [ "$(wc -l <"$T/calls")" -gt 500 ] || echo "nothing to check"; } \
    | none "there are rooms, includes and calls"

# ---- rooms -------------------------------------------------------------------------------------------------
cut -d/ -f1 "$T/files" | sort -u | grep -vxFf "$T/rooms" | none "every folder of src stands in the table of doc/architecture.md"
grep -vxFf <(cut -d/ -f1 "$T/files" | sort -u) "$T/rooms" | none "every room of that table is a folder"
awk 'NR == FNR { rank[$1] = NR; next }
     { split($1, own, "/"); n = split($2, other, "/"); if (n < 2 || !(other[1] in rank) || rank[other[1]] > rank[own[1]]) print $1 " includes " $2 }' \
    "$T/rooms" "$T/includes" | none "a room includes only from itself and from those before it"
sed 's|\(.*\)/\(.*\)\.c$|\2 \1|; t; d' "$T/files" >"$T/room_of"
awk 'FILENAME ~ /rooms$/ { rank[$1] = FNR; next } FILENAME ~ /room_of$/ { room[$1] = $2; next }
     rank[room[$2]] > rank[room[$1]] { print room[$1] "/" $1 ".c calls " room[$2] "/" $2 ".c" }' "$T/rooms" "$T/room_of" "$T/calls" \
    | none "a room calls only what stands in itself and in those before it"
awk '$1 !~ /^jit\// && $2 ~ /^jit\// && $2 != "jit/jit.h" { print $1 " includes " $2 }' "$T/includes" \
    | none "other rooms include of jit its one header"
cut -d/ -f1 "$T/files" | sort | uniq -c | awk '$1 > 42 { print $2 ": " $1 " files" }' | none "no room has more than 42 files"

# ---- circles -----------------------------------------------------------------------------------------------
tsort "$T/includes" 2>&1 >/dev/null | none "no header includes itself by way of others"
tsort "$T/calls" 2>&1 >/dev/null | none "no file calls itself by way of others"

# ---- names -------------------------------------------------------------------------------------------------
sed 's|.*/||; s|\.[a-z]*$||' "$T/files" | sort | uniq -d | while read -r stem; do
    ls src/*/"$stem".* | sed 's|\.[a-z]*$||' | sort -u | awk -v s="$stem" 'END { if (NR > 1) print s }'
done | none "stems of files are unique"
echo '#include "noether.h"' | cc -std=c99 -E -P -Iinclude -xc - | tr '\n' ' ' | tr ';' '\n' | grep -v typedef \
    | grep -oE '\bnoe_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u >"$T/public"
# What is built once for every instruction set is chosen by name: noe_NAME_avx2.
awk 'NR == FNR { public[$1]; next }
     $1 in public || $1 ~ /_(sse2|avx2|avx512|any)$/ { next }
     { count[$3]++; name[$3, count[$3]] = $1 }
     END { for (stem in count) for (i = 1; i <= count[stem]; i++) {
               s = name[stem, i]
               if (s == "noe_" stem && count[stem] == 1 || index(s, "noe_" stem "_") == 1) continue
               print stem ".c: " s } }' "$T/public" "$T/defined" | sort \
    | none "what a file exports is noe_FILE_VERB, or noe_FILE where it is all that it exports"
# Functions in headers.
grep -nE '^(static inline|INLINE) [^=;]*\bnoe_[a-z0-9_]+\(' src/*/*.h | sed 's/ __attribute__((unused))//' \
    | sed 's|^src/[a-z]*/\([a-z0-9_]*\)\.h:[0-9]*:[^(]*\b\(noe_[a-z0-9_]*\)(.*|\1 \2|' \
    | awk '$2 != "noe_" $1 && index($2, "noe_" $1 "_") != 1 { print $1 ".h: " $2 }' \
    | none "a function in a header is noe_FILE_VERB, too"
{ grep -rhoE '^(typedef .*[ *]|} )noe_[a-z0-9_]+;' src include | grep -oE 'noe_[a-z0-9_]+;$' | tr -d ';'
  grep -rhoE '\b(struct|enum|union) noe_[a-z0-9_]+' src include | awk '{ print $2 }'; } | sort -u >"$T/types"
{ awk '$2 == "T" { print $1 }' "$T/defined"; cat "$T/public"; } | sort -u | comm -12 - "$T/types" | none "no type has the name of a function"
# The same in every room for names that only it sees, static functions and types without a prefix.
for room in $(cat "$T/rooms"); do
    cat src/"$room"/*.[ch] >"$T/text"
    { grep -oE '^(typedef .*[ *]|\} *)[a-z0-9_]+;' "$T/text" | grep -oE '[a-z0-9_]+;$' | tr -d ';'
      grep -oE '^(typedef )?(struct|enum|union) [a-z0-9_]+' "$T/text" | sed 's/.* //'; } | grep -v '^__' | sort -u >"$T/types"
    grep -E '^[A-Za-z_]' "$T/text" | grep -v '^typedef' | sed -nE 's/^[^(=]*\b([a-z0-9_]+)\(.*/\1/p' | sort -u \
        | comm -12 - "$T/types" | sed "s|^|$room: |"
done | none "in no room has a type the name of a function"
exit $failed
