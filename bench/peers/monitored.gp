# Error of the position after 100.3 revolutions over the time of one, e = 0.9: noether in colours, two libraries grey.
# SPDX-License-Identifier: BSD-3-Clause
# From: data, what `monitored --curves` prints.
set encoding utf8
set terminal svg size 900,600 noenhanced font 'Helvetica,16' background '#ffffff'
set datafile separator ','
set border 3 lc rgb '#8a929e' lw 0.8
set tics nomirror out scale 0.5 textcolor rgb '#3f4854'
set grid lt 1 lc rgb '#e3e6ea' lw 0.8
set logscale xy
set xrange [*:2e4]
set format y '1e%T'
set ytics 1e2
set xlabel 'microseconds a revolution' textcolor rgb '#3f4854'
set tmargin 3.2
set label 1 'error of the position after 100.3 revolutions, e = 0.9' at screen 0.022,0.955 left textcolor rgb '#3f4854'
set key outside right top Left reverse samplen 2 textcolor rgb '#3f4854'
of(curve) = '< grep "^'.curve.'," '.data
plot of('odeint bulirsch_stoer') using 2:3 with linespoints pt 7 ps 0.4 lw 1.5 lc rgb '#aab1bb' title 'odeint bulirsch_stoer', \
     of('GSL rk8pd') using 2:3 with linespoints pt 5 ps 0.4 lw 1.5 dt 2 lc rgb '#aab1bb' title 'GSL rk8pd', \
     of('simpson equal steps') using 2:3 with linespoints pt 7 ps 0.4 lw 1.5 dt 3 lc rgb '#e0522f' title 'simpson, equal steps', \
     of('simpson with monitor') using 2:3 with linespoints pt 7 ps 0.5 lw 2.5 lc rgb '#e0522f' title 'simpson, monitor', \
     of('gauss 8 equal steps') using 2:3 with linespoints pt 7 ps 0.4 lw 1.5 dt 3 lc rgb '#1f6feb' title 'gauss 8, equal steps', \
     of('gauss 8 reversible') using 2:3 with linespoints pt 7 ps 0.4 lw 1.5 dt 2 lc rgb '#1f6feb' title 'gauss 8, reversible', \
     of('gauss 8 with monitor') using 2:3 with linespoints pt 7 ps 0.5 lw 2.5 lc rgb '#1f6feb' title 'gauss 8, monitor'
