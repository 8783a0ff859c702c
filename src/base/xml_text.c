/* Text as XML and HTML: what means something there by its name, & as &amp;.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/xml_text.h"

#include "base/utf8.h"

#include <stddef.h>

const char *noe_xml_text_entity(char c)
{
    return c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : NULL;
}

void noe_xml_text_put(FILE *f, const char *s)
{
    while (*s) {
        const int   n = noe_utf8(s);
        const char *name = noe_xml_text_entity(*s);
        if (name) fputs(name, f);
        else if (!n || (n == 1 && ((unsigned char)*s < ' ' || *s == 0x7F))) fputs("\uFFFD", f);
        else fwrite(s, 1, (size_t)n, f);
        s += n ? n : 1;
    }
}
