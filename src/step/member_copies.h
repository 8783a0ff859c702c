/* Members of lanes that go apart: copies for some of them, and the last iteration of each.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STEP_MEMBER_COPIES_H
#define NOE_STEP_MEMBER_COPIES_H

#include "step/step_shape.h"

/* to = from for the members of m. */
INLINE void copy_where(mask m, real *to, const real *from, int count)
{
    if (m_bits(m) == (1u << MEMBERS) - 1) memcpy((void *)to, from, (size_t)count * sizeof *to);
    else
        for (int i = 0; i < count; i++) to[i] = r_if(m, from[i], to[i]);
}

/* A member of lanes that has ended is evaluated again while others go on.  What is asked of its own
 * last iteration, the momenta at the nodes and the scales, is kept for it and put back: by the
 * solvers of galerkin_step.h but the fixed points of degree 4 and above. */
INLINE void keep_last_jet(work *w, const shape z, mask end)
{
    if (MEMBERS == 1 || !m_any(end)) return;
    const real *const momenta = (const real *)(w->eval.out + z.n * z.B);
    copy_where(end, (real *)w->scratch.last_momenta, momenta, z.n * z.B * WIDE);
    copy_where(end, w->scratch.last_scale, w->scratch.scale, z.n);
}
INLINE void put_last_jet_back(work *w, const shape z, mask done)
{
    if (MEMBERS == 1 || !m_any(done)) return;
    real *const momenta = (real *)(w->eval.out + z.n * z.B);
    copy_where(done, momenta, (const real *)w->scratch.last_momenta, z.n * z.B * WIDE);
    copy_where(done, w->scratch.scale, w->scratch.last_scale, z.n);
}

#endif
