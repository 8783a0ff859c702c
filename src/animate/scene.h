/* What an animation shows: shapes between points, and the points as expressions of the state.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ANIMATE_SCENE_H
#define NOE_ANIMATE_SCENE_H

#include "base/arena.h"
#include "system/system.h"

typedef struct {
    noe_draw_kind kind;
    int           first, points; /* its points, in noe_scene.spot */
    double        radius;        /* of a disk; 0: a usual one */
    int           across;        /* points in a row of a surface */
    /* Of a body: the sides of the brick, or where it is round radius, radius and half length of the
     * cylinder about the third axis, with its mass and moments of inertia.  Its points are the
     * centre of mass and the ends of the three unit vectors there. */
    double size[3];
    bool   round;
} noe_shape;

typedef enum {
    NOE_SCENE_SPACE,  /* shapes between points */
    NOE_SCENE_WAVE,   /* a family against its index */
    NOE_SCENE_CURVES, /* coordinates against time */
} noe_scene_kind;

typedef struct {
    noe_arena     *arena;
    noe_scene_kind kind;
    noe_model     *model; /* whose graph has the expressions; NULL: values are columns */
    noe_shape     *shape; /* [shapes] */
    int            shapes;
    noe_ex (*spot)[3]; /* [spots] x, y, z */
    int          spots;
    bool         deep;    /* in space: z counts */
    const char  *columns; /* the columns of the run that the points are made of, "t,energy,.." */
    int          balance; /* 1: the third column is the energy balance */
    int         *q, *v;   /* [n of model] columns of coordinates and velocities; 0: none */
    const char **label;   /* [spots] names of the coordinates, unless in space */
    int index[2]; /* of a wave: the index of its first and last site; 0 and spots - 1: of several */
} noe_scene;

/* The scene that the model draws, or a usual one: bodies; points with coordinates x and y; a family
 * against its index; coordinates against time.  False with a message; _drop in either case. */
bool noe_scene_make(noe_scene *, const noe_system *);
void noe_scene_drop(noe_scene *);
/* scene_default.c: shapes and points where the model draws nothing. */
bool noe_scene_default(noe_scene *, const noe_system *);
/* shape.c: adds a shape and its points, spot [points]; and a rigid body, which has four points. */
bool noe_shape_add(noe_scene *, const noe_shape *, noe_ex (*spot)[3]);
bool noe_shape_body(noe_scene *, const noe_model *, int solid);

#endif
