/* The name of a vector in a list of columns stands for its components.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ROWS_VECTOR_COLUMNS_H
#define NOE_ROWS_VECTOR_COLUMNS_H

#include "model/model.h"

/* The list with r, r', p(r), r[3] .. of vectors as r.x, r.y, r.z ..; the caller frees it.  NULL
 * with a message.  Without a model: a copy. */
char *noe_vector_columns_spread(const noe_model *, const char *list);

#endif
