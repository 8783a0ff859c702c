/* a study as text, CSV, JSON, a table of a page.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LAB_STUDY_SAY_H
#define NOE_LAB_STUDY_SAY_H

#include "lab/study.h"
#include "lab/text.h"

void noe_say_text(noe_text *, const noe_study *);
void noe_say_csv(noe_text *, const noe_study *);
void noe_say_json(noe_text *, const noe_study *);
void noe_say_html(noe_text *, const noe_study *); /* <table>: published, computed, difference, verdict */

noe_status noe_study_plot(const noe_study *, const char *path);

/* Parts: what was studied; the runs that failed; a number or '-'; an error in words. */
void        noe_say_head(noe_text *, const noe_study *);
void        noe_say_failed(noe_text *, const noe_study *);
void        noe_say_number(noe_text *, int width, const char *format, double x);
const char *noe_quantity_words(const noe_quantity *, char words[320]);

#endif
