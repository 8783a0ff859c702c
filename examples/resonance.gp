# resonance.txt -> doc/resonance.svg: amplitude over the frequency of the driving, both branches.
# SPDX-License-Identifier: BSD-3-Clause
#     gnuplot examples/resonance.gp | doc/svg_words "Resonance of a Duffing oscillator" "Amplitude against the frequency of the driving, two branches." > doc/resonance.svg
set encoding utf8
set terminal svg size 900,600 noenhanced font 'Helvetica,16' background '#ffffff'
set border 3 lc rgb '#8a929e' lw 0.8
set tics nomirror out scale 0.5 textcolor rgb '#3f4854'
set grid lt 1 lc rgb '#e3e6ea' lw 0.8
set key top left reverse Left textcolor rgb '#3f4854'
set tmargin 3.2
set xlabel "frequency of the driving, Omega" textcolor rgb '#3f4854'
set label 1 "amplitude of x" at screen 0.022,0.955 left textcolor rgb '#3f4854'
set yrange [0:7.5]
plot 'examples/resonance.txt' skip 1 using 1:2 with linespoints pt 7 ps 0.5 lc rgb '#1f6feb' title 'driven faster and faster', \
     '' skip 1 using 1:(valid(4) ? $4 : $2) with linespoints pt 6 ps 0.9 lc rgb '#e0522f' title 'slower and slower', \
     '' skip 1 using 1:3 with lines dt 2 lc rgb '#667080' title 'first harmonic alone'
