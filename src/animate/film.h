/* The frames of an animation: time, energy error and points, thinned to a few thousand rows.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ANIMATE_FILM_H
#define NOE_ANIMATE_FILM_H

#include "animate/scene.h"
#include "base/atomic_file.h"

typedef struct {
    noe_scene scene;
    int       width;          /* columns of a row */
    long      rows, capacity; /* kept; kept at most */
    long      given, stride;  /* rows given so far; of these every so many is kept */
    double   *row;            /* [capacity + 1][width] rows, then the one given last */
    /* After _finish, of each row: */
    double *point; /* [rows][spots][3]; of a wave and of curves [rows][spots] */
    double *error; /* [rows] energy error, or balance, relative to scale */
    double  scale; /* 0: the error is absolute */
    /* Of another method, if one is shown beside. */
    char    other[60];            /* its name */
    long    others;               /* rows */
    double *other_time;           /* [others] */
    double *other_error;          /* [others] relative to the same scale after _finish */
    char    caption[120];         /* model, method, step */
    int     colour, other_colour; /* of the methods, 0 .. 7 (plot/style.h) */
} noe_film;

/* Is the ending of the name known, and can the file be written?  For the time before the run. */
bool noe_film_check(const char *path);
bool noe_film_begin(noe_film *, const noe_system *);    /* false with a message; _drop then too */
noe_status noe_film_add(noe_film *, const double *row); /* [width] values of scene.columns */
/* The energies of another method, and the energy balance if the scene shows that, else NULL. */
noe_status noe_film_beside(noe_film *, const char *name, size_t rows, const double *time,
                           const double *energy, const double *balance);
/* Computes points and errors of the rows, and writes the animation to the file. */
noe_status noe_film_finish(noe_film *, const char *path);
void       noe_film_drop(noe_film *);

/* The files: html_page.c, svg_picture.c, video.c. */
noe_status noe_html_page_write(const noe_film *, noe_atomic_file *);
noe_status noe_svg_picture_write(const noe_film *, noe_atomic_file *);
noe_status noe_video_write_gif(const noe_film *, noe_atomic_file *);
noe_status noe_video_write_mp4(const noe_film *, noe_atomic_file *);

#endif
