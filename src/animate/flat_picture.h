/* The motion on a sheet of paper: marks whose number of points does not change, and where they are
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * at a time.  What writes pictures that move, or frame by frame, needs nothing else. */
#ifndef NOE_ANIMATE_FLAT_PICTURE_H
#define NOE_ANIMATE_FLAT_PICTURE_H

#include "animate/flat_view.h"

typedef enum {
    NOE_MARK_LINE,   /* through its points */
    NOE_MARK_FACE,   /* of a body: inside its points, which are one point when seen from behind */
    NOE_MARK_CIRCLE, /* one point and a radius */
    NOE_MARK_PATH,   /* a line that is drawn up to the present time: its points are fixed */
} noe_mark_kind;

/* Where the points of a mark come from. */
typedef enum {
    NOE_MARK_FIXED,    /* do not move: at[points][2] */
    NOE_MARK_SPOTS,    /* spots of the scene from `of` on, every `stride` of them */
    NOE_MARK_SPRING,   /* a spring between the spots `of` and `of` + 1 */
    NOE_MARK_SOLID,    /* corners [points][3] in the axes of the body whose spots begin at `of` */
    NOE_MARK_HEAD,     /* the present end of the path that is mark `of` */
    NOE_MARK_PLAYHEAD, /* an upright line at the present time: at[2][2] is its place at 0 and 1 of
                          the span */
    NOE_MARK_WAVE,     /* values of the scene from `of` on against their index, by at[2][2]: the
                          places of (0, 0) and (1, 1) */
} noe_mark_source;

typedef struct {
    noe_mark_kind   kind;
    noe_mark_source source;
    int             of;        /* number: see source */
    char            style[12]; /* class: rod, spring, floor, axis; c0 .. c7 of what has a colour */
    int             first, points; /* its points among all points of the picture */
    int             stride;        /* see NOE_MARK_SPOTS */
    double          radius;        /* of a circle, sheet units */
    const double   *at;            /* see source */
    const double   *corner;        /* [points][3], units of the model */
    const double   *length;        /* [points] of a path, from its beginning, sheet units */
    double          recent;        /* of a path: the part of its length that is drawn strong */
} noe_mark;

typedef struct {
    double x, y;      /* sheet units, y downwards, of the base line */
    char   anchor;    /* s start, m middle, e end */
    char   style[12]; /* class: title, ink, soft, c0 .. c7 */
    char   text[130]; /* in UTF-8 */
} noe_mark_text;

typedef struct {
    const noe_film *film;
    noe_arena      *arena;
    noe_flat_view   view;
    double          width, height; /* of the sheet */
    double          from, until;   /* times of the run */
    double          frame[2][4];   /* x, y, width, height of the motion and of the energy below */
    noe_mark       *mark;          /* [marks], those above others later */
    int             marks, room, points; /* marks there is room for; points of all marks */
    int             below;    /* the first mark of the energy; those before belong to the motion */
    noe_mark_text   text[64]; /* [texts] */
    int             texts;
    double         *state; /* [numbers of a row of points] scratch */
} noe_flat_picture;

/* An empty picture of a finished film, which must outlive it.  False with a message; _drop in
 * either case. */
bool noe_flat_picture_make(noe_flat_picture *, const noe_film *);
void noe_flat_picture_drop(noe_flat_picture *);
/* Seconds in which the motion is shown: the time of the model where that is 3 to 40, else 20. */
double noe_flat_picture_seconds(const noe_flat_picture *);
/* All points at a time of the run, xy [points][2]; between two rows on the straight line. */
void noe_flat_picture_at(noe_flat_picture *, double t, double *xy);
/* Of a path the part that is drawn at a time, 0 .. 1 of its length. */
double noe_flat_picture_drawn(const noe_flat_picture *, const noe_mark *, double t);

/* For the files that add marks.  NULL, false: no memory, with a message. */
noe_mark *noe_flat_picture_add(noe_flat_picture *, noe_mark_kind, noe_mark_source, int of,
                               int points, const char *style);
/* A line that does not move. */
bool noe_flat_picture_line(noe_flat_picture *, double (*at)[2], int points, const char *style);
void noe_flat_picture_write(noe_flat_picture *, double x, double y, char anchor, const char *style,
                            const char *format, ...) __attribute__((format(printf, 6, 7)));
/* A path through at [points][2], sampled at equal times; at is in the arena of the picture. */
noe_mark *noe_flat_picture_path(noe_flat_picture *, const double *at, int points,
                                const char *style);
/* The points of the film at a time: spots [.][3], or values of waves and curves. */
void noe_flat_picture_state(const noe_flat_picture *, double t, double *state);

#endif
