/* A Kepler orbit from a model text: the energy and the angular momentum stay.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "noether.h"

#include <stdio.h>

int main(void)
{
    noe_system     *kepler = noe_system_parse("coordinate x, y\n"
                                                  "kinetic   (x'^2 + y'^2)/2\n"
                                                  "potential -1/sqrt(x^2 + y^2)\n"
                                                  "start     x = 0.5, y' = sqrt(3)\n"
                                                  "observe   L = x*y' - y*x'\n");
    noe_method     *simpson = noe_method_parse("simpson");
    noe_integrator *orbit = noe_integrator_new(kepler, simpson, 0.01);
    noe_table      *table = noe_record(orbit, 20, 500, "t,x,y,energy,L");

    for (size_t i = 0; i < noe_table_rows(table); i++)
        printf("%5.2f %9.5f %9.5f %10.7f %10.7f\n", noe_table_column(table, "t")[i],
               noe_table_column(table, "x")[i], noe_table_column(table, "y")[i],
               noe_table_column(table, "energy")[i], noe_table_column(table, "L")[i]);
    if (noe_error()) fprintf(stderr, "%s\n", noe_error());
    noe_table_free(table);
    noe_integrator_free(orbit);
    noe_method_free(simpson);
    noe_system_free(kepler);
    return 0;
}
