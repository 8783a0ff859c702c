# Statements that join assignments by commas and are longer than a line: FILE:LINE.
# SPDX-License-Identifier: BSD-3-Clause
#
# A statement begins behind ; { } or a label and ends with ;.  Declarations, for (..) and calls have commas of other kinds:
# a statement counts if what stands before its first comma outside of brackets is an assignment, and what stands behind, too.
FNR == 1 { comment = 0; text = ""; begin = 0 }
function assigns(part) { gsub(/[<>=!]=/, "", part); return part ~ /=|\+\+|--/ }
function judge(    i, c, depth, parts, part, joined) {
    sub(/^[ \t]+/, "", text)
    while (text ~ /^(else|do)[ \t(]/ || text ~ /^(if|for|while|switch) *\(/) { # what it governs
        if (text ~ /^(else|do)[ \t]/) { sub(/^(else|do)[ \t]+/, "", text); continue }
        depth = 0
        for (i = index(text, "("); i <= length(text); i++) {
            c = substr(text, i, 1)
            depth += c == "(" ? 1 : c == ")" ? -1 : 0
            if (!depth) break
        }
        text = substr(text, i + 1)
        sub(/^[ \t]+/, "", text)
    }
    if (text ~ /^(static|const|enum|typedef|struct|union|return|register|volatile|unsigned|signed|extern|inline|INLINE)[ \t]/) return
    if (text ~ /^[A-Za-z_][A-Za-z0-9_]*[ \t*]+\**((const|restrict)[ \t]+)*[A-Za-z_][A-Za-z0-9_]*( *\[[^]]*\])* *[=,;(]/) return # a declaration
    depth = parts = joined = 0
    part = ""
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c ~ /[([{]/) depth++
        if (c ~ /[])}]/) depth--
        if (c == "," && !depth) { joined += assigns(part); parts++; part = "" } else if (!depth) part = part c
    }
    joined += assigns(part)
    if (parts && joined > 1) print FILENAME ":" begin ": " joined " assignments"
}
{
    line = $0
    gsub(/"([^"\\]|\\.)*"/, "S", line)
    gsub(/'([^'\\]|\\.)'/, "C", line)
    while (comment || index(line, "/*")) {
        if (comment) {
            at = index(line, "*/")
            if (!at) { line = ""; break }
            line = substr(line, at + 2); comment = 0
        } else {
            at = index(line, "/*")
            rest = substr(line, at + 2)
            if (index(rest, "*/")) line = substr(line, 1, at - 1) " " substr(rest, index(rest, "*/") + 2)
            else { line = substr(line, 1, at - 1); comment = 1; break }
        }
    }
    sub(/\/\/.*/, "", line)
    if (line ~ /^ *#/ || line ~ /\\$/) next
    n = length(line)
    for (k = 1; k <= n; k++) {
        c = substr(line, k, 1)
        if (c == "(") inside++
        if (c == ")") inside--
        if ((c == ";" && inside <= 0) || c == "{" || c == "}") {
            if (c == ";" && begin && FNR > begin) judge()
            text = ""; begin = 0; inside = 0
        } else {
            if (!begin && c !~ /[ \t]/) begin = FNR
            text = text c
        }
    }
    text = text " "
}
