/* Names as LaTeX: m1 -> m_{1}, theta -> \theta, kinetic_energy -> \mathit{kinetic\_energy}.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/latex_text.h"

#include <string.h>

static bool greek(const char *name, size_t length)
{
    static const char *const letter[] = {
        "alpha", "beta", "gamma", "delta", "epsilon", "zeta",    "eta",    "theta", "iota",
        "kappa", "mu",   "nu",    "xi",    "pi",      "rho",     "sigma",  "tau",   "phi",
        "chi",   "psi",  "omega", "Gamma", "Delta",   "Theta",   "Lambda", "Xi",    "Pi",
        "Sigma", "Phi",  "Psi",   "Omega", "lambda",  "upsilon", "Upsilon"
    };
    for (size_t i = 0; i < sizeof letter / sizeof *letter; i++)
        if (strlen(letter[i]) == length && !memcmp(letter[i], name, length)) return true;
    return false;
}

/* One letter, of one byte or, in UTF-8, of several. */
static bool single(const char *name, size_t length)
{
    size_t letters = 0;
    for (size_t i = 0; i < length; i++) letters += ((unsigned char)name[i] & 0xC0) != 0x80;
    return letters == 1;
}

static const char *word(noe_latex *x, const char *name, size_t length)
{
    const char *text = "";
    for (size_t i = 0, n; i < length; i += n) {
        n = strcspn(name + i, "_");
        if (n > length - i) n = length - i;
        text = noe_latex_text_join(x, "%s%.*s", text, (int)n, name + i);
        if (i + n < length) text = noe_latex_text_join(x, "%s\\_", text), n++;
    }
    return text;
}

static const char *stem(noe_latex *x, const char *name, size_t length)
{
    if (greek(name, length)) return noe_latex_text_join(x, "\\%.*s", (int)length, name);
    if (single(name, length)) return noe_latex_text_join(x, "%.*s", (int)length, name);
    return noe_latex_text_join(x, "\\mathit{%s}", word(x, name, length));
}

const char *noe_latex_symbol(noe_latex *x, const char *name, size_t length)
{
    size_t digits = 0, letters = 0;
    while (digits < length && strchr("0123456789", name[length - 1 - digits])) digits++;
    while (letters < length - digits && name[letters] != '_') letters++;
    const size_t left = length - digits - letters; /* after the first part, before the digits */
    const bool   numbered = digits && (!left || (left == 1 && letters));
    if (numbered)
        return noe_latex_text_join(x, "%s_{%.*s}", stem(x, name, letters), (int)digits,
                                   name + length - digits);
    if (letters && letters + 1 < length && (single(name, letters) || greek(name, letters)))
        return noe_latex_text_join(x, "%s_{\\mathit{%s}}", stem(x, name, letters),
                                   word(x, name + letters + 1, length - letters - 1));
    return stem(x, name, length);
}
