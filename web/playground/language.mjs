// The model language for CodeMirror: words that begin a statement, functions, names, numbers.
// SPDX-License-Identifier: BSD-3-Clause
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const statements = new Set(("parameter coordinate fix kinetic potential lagrangian hamiltonian force dissipation symmetry start observe suggest unit event constraint " +
    "body point axis monitor exact draw control cost final mass stiffness damping ground").split(" "));
const functions = new Set("sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs sign floor atan2 min max if sum table dot cross norm".split(" "));
const reserved = new Set("t pi p energy work dissipated balance event mod and or for in then stop".split(" "));

const language = StreamLanguage.define({
    startState: () => ({ depth: 0 }),
    token(s, state) {
        if (s.eatSpace()) return null;
        const first = s.string.slice(0, s.pos).trim() === "" && !state.depth;
        if (s.match(/#.*/)) return "comment";
        if (s.match(/"[^"]*"?/)) return "string";
        if (s.match(/(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?/)) return "number";
        const word = s.match(/[\p{L}_][\p{L}\d_]*/u);
        if (word) {
            if (first && statements.has(word[0]) && !/^\s*=/.test(s.string.slice(s.pos))) return "keyword";
            if (functions.has(word[0]) && /^\s*\(/.test(s.string.slice(s.pos))) return "function";
            return reserved.has(word[0]) ? "atom" : "variableName";
        }
        const sign = s.next();
        if ("([".includes(sign)) state.depth++;
        if (")]".includes(sign)) state.depth = Math.max(0, state.depth - 1);
        return "operator";
    },
    languageData: { commentTokens: { line: "#" } },
    tokenTable: { function: tags.function(tags.variableName) },
});
const style = HighlightStyle.define([
    { tag: tags.keyword, color: "var(--c4)", fontWeight: "600" }, { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
    { tag: tags.number, color: "var(--c3)" }, { tag: tags.string, color: "var(--c2)" }, { tag: tags.atom, color: "var(--c5)" },
    { tag: tags.function(tags.variableName), color: "var(--c0)" },
]);
export const lagrangian = [language, syntaxHighlighting(style)];
