# Fields of structs that no comment explains: FILE:LINE: FIELD.
# SPDX-License-Identifier: BSD-3-Clause
#
# A comment explains a field if it stands at its end, above it or above its group, and has a word beside a shape, "[n]"; if it is
# that of the struct and names the field; or if it has the field as a shape.  A field of a struct's or an enumeration's type is
# explained there.
# Of macros, unions and functions' tables of one line nothing is asked.
BEGIN {
    of_numbers = "^(static |const |volatile |unsigned |signed )*(bool|char|short|int|long|float|double|size_t|u?int[0-9]+_t|quad|real|batch|num|coef|mask|noe_ex|void|FILE|arb_[a-z]+|slong)[ (*]"
}
function says(comment) {
    gsub(/\[[^]]*\]/, "", comment)
    return comment ~ /[A-Za-z]/
}
function finish(    i, k, n, word, plain) {
    for (i = 1; i <= asked; i++) {
        plain = field[i]
        gsub(/\[[^]]*\]/, "", plain)
        n = split(plain, word, /[^A-Za-z0-9_]+/)
        for (k = 2; k <= n; k++) {
            if (word[k] == "" || word[k] ~ /^(bool|char|int|long|double|const|void|unsigned|real|batch|quad|size_t|num)$/) continue
            if (above ~ "(^|[^A-Za-z0-9_])" word[k] "([^A-Za-z0-9_]|$)") continue
            if (said ~ "[[][^]]*" word[k] "[^A-Za-z0-9_]") continue
            print FILENAME ":" line[i] ": " word[k]
        }
    }
}
FNR == 1 { inside = comment = 0; above = last = ""; ended = -1 }
{
    text = $0
    said_here = code = ""
    while (text != "") { # divide the line into code and comment
        if (comment) {
            at = index(text, "*/")
            said_here = said_here (at ? substr(text, 1, at - 1) : text) " "
            text = at ? substr(text, at + 2) : ""
            if (at) comment = 0
        } else {
            at = index(text, "/*")
            code = code (at ? substr(text, 1, at - 1) : text)
            text = at ? substr(text, at + 2) : ""
            if (at) comment = 1
        }
    }
    gsub(/^[ \t]+|[ \t]+$/, "", code)
}
!inside && code ~ /^(typedef |static |const )*struct[^;()]*\{$/ {
    inside = 1; asked = 0; said = group = declaration = ""
    if (ended != FNR - 1) last = ""
    above = last
    next
}
!inside {
    if (said_here != "") { last = (ended == FNR - 1 ? last : "") said_here; ended = FNR }
    next
}
code ~ /^\}/ { finish(); inside = 0; last = ""; next }
{
    said = said " " said_here
    if (code == "") { group = said_here; if (declaration != "") with = with said_here; next }
    declaration = declaration (declaration == "" ? "" : " ") code
    with = with said_here
    if (code !~ /;$/) next
    if (!says(with) && !says(group) && declaration ~ of_numbers) { field[++asked] = declaration; line[asked] = FNR }
    declaration = with = ""
}
