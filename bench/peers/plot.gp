# The error against the time it took, a panel for each problem.
# SPDX-License-Identifier: BSD-3-Clause
set terminal svg size 1200,800 dynamic background rgb 'white'
set output out
set datafile separator ','
set logscale xy
set format x '10^{%T}'
set format y '10^{%T}'
set xlabel 'time, s' offset 0,0.6
set ylabel 'error after 100 periods' offset 1
set xrange [1e-5:0.2]
set yrange [1e-14:1]
set grid lc rgb '#dddddd'
solvers = system("tail -n +2 ".data." | cut -d, -f2 | awk '!seen[$0]++' | tr ' ' '~' | tr '\\n' ' '")
name(s) = system("echo '".s."' | tr '~' ' '")
of(p, s) = sprintf("<awk -F, '$1 == \"%s\" && $2 == \"%s\"' %s", p, name(s), data)
ours(s) = strstrt(s, 'noether') > 0
set multiplot layout 2,3
unset key
do for [p in "pendulum double_pendulum lagrange_top solar_system henon_heiles"] {
    set title name(system("echo ".p." | tr _ ' '"))
    plot for [i=1:words(solvers)] of(p, word(solvers, i)) using 5:4 with linespoints lw (ours(word(solvers, i)) ? 3 : 1) pt i ps 0.5 lc i
}
unset title
unset logscale
unset grid
unset border
unset tics
unset xlabel
unset ylabel
set key center center samplen 3
set xrange [0:1]
set yrange [0:1]
plot for [i=1:words(solvers)] 2 with linespoints lw (ours(word(solvers, i)) ? 3 : 1) pt i ps 0.5 lc i title name(word(solvers, i))
unset multiplot
