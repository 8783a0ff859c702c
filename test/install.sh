#!/bin/bash
# make install -> a command that finds its models, completion, a library that programs link by pkg-config.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common"
I=$T/inst
(cd "$R" && make -s B="${NOE_BUILD_DIR:-build}" DESTDIR= PREFIX="$I" install) >out 2>err
ok "make install" $?
for file in bin/noether include/noether.h lib/libnoether.a lib/libnoether.so lib/libnoether.so.0 lib/pkgconfig/noether.pc \
    share/man/man1/noether.1 share/noether/systems/kepler.lag share/bash-completion/completions/noether \
    share/zsh/site-functions/_noether; do
    [ -s "$I/$file" ]
    ok "installed: $file" $?
done
bash -n "$I/share/bash-completion/completions/noether" && zsh -n "$I/share/zsh/site-functions/_noether"
ok "completion: bash and zsh read it" $?
is "noether systems" "$("$I/bin/noether" systems | cut -d' ' -f1 | paste -sd' ')" "$(cd "$R/systems" && echo *.lag)"
"$I/bin/noether" run kepler.lag --until 1 --quiet >by_name && "$N" run "$R/systems/kepler.lag" --until 1 --quiet >by_path \
    && cmp -s by_name by_path
ok "an installed model runs by its name" $?

export PKG_CONFIG_PATH=$I/lib/pkgconfig LD_LIBRARY_PATH=$I/lib
sanitized=$(nm "$I/lib/libnoether.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
linked() { # NAME FLAGS ..: examples/kepler.c
    local name=$1
    shift
    ${CC:-gcc} -std=c99 -Wall -Wextra -Wpedantic "$R/examples/kepler.c" $sanitized "$@" -o program >out 2>err \
        && (cd "$R" && "$T/program") >out 2>err && cmp -s out "$R/examples/kepler.txt"
    ok "$name" $?
}
linked "pkg-config --libs" $(pkg-config --cflags --libs noether)
linked "pkg-config --static --libs" $(pkg-config --cflags --static --libs noether)
linked "the archive, with what it asks for" $(pkg-config --cflags noether) "$I/lib/libnoether.a" $(pkg-config --variable=archive_libs noether)
exit $failed
