/* Text as XML and HTML: what means something there by its name, & as &amp;.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_XML_TEXT_H
#define NOE_BASE_XML_TEXT_H

#include <stdio.h>

/* The name of a character that must not stand as it is, "&lt;" of <; NULL: it may. */
const char *noe_xml_text_entity(char);
/* Writes a text; bytes that are no UTF-8 or no characters of XML become U+FFFD. */
void noe_xml_text_put(FILE *, const char *);

#endif
