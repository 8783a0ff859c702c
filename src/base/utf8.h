/* UTF-8: characters U+0000 .. U+10FFFF in one to four bytes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_UTF8_H
#define NOE_BASE_UTF8_H

/* Bytes of the well-formed UTF-8 character that text begins with, 0 when it begins with none (also
 * at the closing 0).  Texts of models and command lines need not be UTF-8; output must be. */
int noe_utf8(const char *text);

#endif
