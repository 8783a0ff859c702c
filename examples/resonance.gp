# resonance.txt -> doc/resonance.svg: amplitude over the frequency of the driving, both branches.
# SPDX-License-Identifier: BSD-3-Clause
#     gnuplot examples/resonance.gp > doc/resonance.svg
set encoding utf8
set terminal svg size 900,600 font 'Helvetica,16' enhanced background rgb 'white'
set border 3 lc rgb '#8a8f98' lw 0.8
set tics nomirror out scale 0.5 textcolor rgb '#3c4048'
set grid lt 1 lc rgb '#e4e6ea' lw 0.7
set key top left reverse Left textcolor rgb '#3c4048'
set xlabel "frequency of the driving, Omega"
set ylabel "amplitude of x"
set yrange [0:7.5]
plot 'examples/resonance.txt' skip 1 using 1:2 with linespoints pt 7 ps 0.5 lc rgb '#3b6ea5' title 'driven faster and faster', \
     '' skip 1 using 1:(valid(4) ? $4 : $2) with linespoints pt 6 ps 0.9 lc rgb '#d1792c' title 'slower and slower', \
     '' skip 1 using 1:3 with lines dt 2 lc rgb '#7d7f86' title 'first harmonic alone'
