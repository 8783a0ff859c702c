#!/bin/bash
# the layout of every C file is that of .clang-format, with 100 columns.
# SPDX-License-Identifier: BSD-3-Clause
cd "$(dirname "$0")/.." || exit 1
failed=0
# Lines of comments and strings, which clang-format does not break.
long=$(git ls-files -- '*.[ch]' 'src/*.def' | xargs awk 'length($0) > 100 { print FILENAME ":" FNR ": " length($0) " columns" }')
if [ -z "$long" ]; then
    echo "ok no line is longer than 100 columns"
else
    echo "not ok no line is longer than 100 columns: divide strings and comments"
    echo "$long" | head -20
    failed=1
fi
# Other versions lay some lines out in another way.
version=$(clang-format --version 2>/dev/null | sed -n 's/.*version \([0-9]*\).*/\1/p')
if [ "$version" != 14 ]; then
    echo "ok formatting is not looked at: clang-format ${version:-is not there}, not 14"
    exit $failed
fi
found=$(git ls-files -- 'src/*.[ch]' 'cli/*.[ch]' 'include/*.h' 'test/*.[ch]' 'examples/*.c' 'bench/*.[ch]' 'papers/*.[ch]' 2>/dev/null \
    | xargs -P 2 -n 60 clang-format --dry-run 2>&1 | sed -n 's/: warning: .*//p' | sort -u)
[ -z "$found" ] && echo "ok every C file is formatted" && exit $failed
echo "not ok every C file is formatted: clang-format -i FILE"
echo "$found" | head -20
exit 1
