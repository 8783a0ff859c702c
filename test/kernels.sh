#!/bin/bash
# The same run has the same bits whatever kernels the BLAS takes; where it has not, it says so.
# SPDX-License-Identifier: BSD-3-Clause
B=${NOE_BUILD_DIR:-build}
N=$PWD/$B/noether
T=$(mktemp -d) || exit 1
trap 'rm -rf "$T"' EXIT
fails=0
ok() { if [ "$2" = 0 ]; then echo "ok $1"; else echo "not ok $1"; fails=1; fi; }

# OpenBLAS's names and what the processor must have for each.
has() { for f in "$@"; do grep -qm1 "^flags.* $f\( \|$\)" /proc/cpuinfo 2>/dev/null || return 1; done; }
kernels=
while read -r kernel flags; do
    # shellcheck disable=SC2086
    if has $flags; then kernels="$kernels $kernel"; else echo "# without $kernel: this processor has not all of $flags"; fi
done <<'END'
Prescott pni
Nehalem sse4_2
Sandybridge avx
Haswell avx2 fma
Zen avx2 fma
SkylakeX avx512f avx512dq avx512bw avx512vl
END

cd "$T" || exit 1
"$N" structure cantilever --dim 2 --size 12 --consistent --output plate >/dev/null || exit 1
"$N" structure cantilever --dim 3 --size 5 --consistent --output block >/dev/null || exit 1
sed 's/^suggest/damping "plate_C.mtx"\n&/' plate.lag >damped.lag
n=$(sed -n 's/^coordinate *u\[1\.\.\([0-9]*\)\].*/\1/p' plate.lag)
{ echo "%%MatrixMarket matrix coordinate real general"; echo "$n $n $((n + 2))"; echo "1 3 9"; echo "3 1 4"
  for i in $(seq 1 "$n"); do echo "$i $i $((50 + i % 7))"; done; } >plate_C.mtx
# Rotations without inertia: every third mass is 0.
{ echo "coordinate u[1..60]"; echo 'mass "m.mtx"'; echo 'stiffness "k.mtx"'; echo "start u[1] = 1"; echo 'suggest method = "simpson", step = 0.01, until = 0.2'; } >hinge.lag
{ echo "%%MatrixMarket matrix coordinate real symmetric"; echo "60 60 40"; for i in $(seq 1 60); do [ $((i % 3)) = 0 ] || echo "$i $i 1.$i"; done; } >m.mtx
{ echo "%%MatrixMarket matrix coordinate real symmetric"; echo "60 60 119"; for i in $(seq 1 60); do echo "$i $i 2.$i"; [ "$i" = 60 ] || echo "$((i + 1)) $i -1"; done; } >k.mtx
# Few coordinates, and a direction without mass, (1, -1, 0), that is no axis.
{ echo "coordinate u[1..3]"; echo 'mass "m3.mtx"'; echo 'stiffness "k3.mtx"'; echo "start u[1] = 1"; echo 'suggest method = "simpson", step = 0.01, until = 0.2'; } >slanted.lag
printf '%%%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n2 1 1\n2 2 1\n3 3 2\n' >m3.mtx
printf '%%%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 2.1\n2 1 -1\n2 2 2.2\n3 2 -1\n3 3 2.3\n' >k3.mtx

# run NAME ARGUMENT...: the digests of its rows under all kernels, and what the last one's summary says of the BLAS
run() {
    name=$1
    shift
    : >"$name.sums"
    for kernel in $kernels; do
        # shellcheck disable=SC2086
        OPENBLAS_CORETYPE=$kernel OPENBLAS_NUM_THREADS=1 "$N" run "$@" $columns --output rows.csv 2>said || { cat said; ok "$name: $kernel" 1; return 1; }
        cksum <rows.csv >>"$name.sums"
    done
    different=$(sort -u "$name.sums" | wc -l)
    grep -q 'BLAS of this processor' said
    told=$?
}
same() {
    run "$@" || return
    [ "$different" = 1 ] && [ "$told" = 1 ]
    ok "$1: $(wc -w <<<"$kernels") kernels, the same bits, and nothing is said" $?
}
columns="--columns t,energy,u.5,u.5.p,u.100,u.200,u.200.v"
same "real factors" plate.lag --every 5
same "as asked" plate.lag --method "newmark 1/4 1/2" --bits same --every 5
same "complex factors" plate.lag --method "gauss 3" --every 5
same "general damping" damped.lag --method "gauss 2" --every 5
columns=
same "sums" "$OLDPWD/systems/fput_beta.lag" N=64 --method "gauss 3" --step 0.3 --until 6 --columns "t,energy,x.5,x.5.p,x.20,x.50"
columns="--columns t,energy,u.5,u.100,u.200.v"
run "factors by the BLAS" block.lag --bits fast --every 5 && { [ "$different" -gt 1 ] && [ "$told" = 0 ]; ok "--bits fast: other bits by other kernels, and it is said" $?; }
columns=
run "without mass" hinge.lag && { [ "$different" = 1 ] || [ "$told" = 0 ]; ok "coordinates without mass: the same bits, or it is said" $?; }
run "few coordinates" slanted.lag && { [ "$told" = 0 ] && ! grep -q -e "--bits same" said
    ok "few coordinates, a direction without mass that is no axis: the summary says that the BLAS had a part, and advises no option" $?; }
exit $fails
