/* UTF-8: characters U+0000 .. U+10FFFF in one to four bytes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/utf8.h"

/* Unicode 15, table 3-7: the second byte's range rules out overlong forms, surrogates and >
 * U+10FFFF. */
int noe_utf8(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] == 0) return 0;
    if (s[0] < 0x80) return 1;
    int n = s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;
    int low = s[0] == 0xE0 ? 0xA0 : s[0] == 0xF0 ? 0x90 : 0x80;
    int high = s[0] == 0xED ? 0x9F : s[0] == 0xF4 ? 0x8F : 0xBF;
    if (!n || s[1] < low || s[1] > high) return 0;
    for (int i = 2; i < n; i++)
        if ((s[i] & 0xC0) != 0x80) return 0;
    return n;
}
