# The error against the time it took, a panel for each problem.  From: data, kind, out.
# SPDX-License-Identifier: BSD-3-Clause
set terminal svg size 1200,1150 dynamic background rgb 'white' font 'sans,13'
set output out
set datafile separator ','
set logscale xy
set format x '10^{%T}'
set format y '10^{%T}'
set xlabel 'processor time, s' offset 0,0.6
set ylabel (kind eq 'state' ? 'error after 100 periods' : 'error of the energy, 10,000 periods') offset 1
set grid lc rgb '#dddddd'
set tics nomirror
set border 3
set ytics 1e2
solvers = system("tail -n +2 ".data." | cut -d, -f3 | awk '!seen[$0]++' | tr ' ' '~' | tr '\\n' ' '")
name(s) = system("echo '".s."' | tr '~' ' '")
of(p, s) = sprintf("<awk -F, '$1 == \"%s\" && $2 == \"%s\" && $3 == \"%s\" && $6 < 1' %s", p, kind, name(s), data)
ours(s) = strstrt(s, 'noether') > 0
# noether is thick and warm, a peer thin and cold
warm = '#b2182b #e31a1c #fd8d3c #feb24c #a63603 #7f2704 #fc9272'
cold = '#08306b #2171b5 #6baed6 #00441b #238b45 #74c476 #54278f #807dba #01665e #35978f #525252 #969696'
before(i) = i < 2 ? 0 : before(i - 1) + ours(word(solvers, i - 1))
hue(i) = ours(word(solvers, i)) ? word(warm, 1 + before(i) % words(warm)) : word(cold, 1 + (i - 1 - before(i)) % words(cold))
array color[words(solvers) > 0 ? words(solvers) : 1]
do for [i=1:words(solvers)] { color[i] = hue(i) }
set multiplot
unset key
panels = "pendulum double_pendulum lagrange_top solar_system henon_heiles fput"
do for [k=1:6] {
    p = word(panels, k)
    set origin ((k - 1) % 2) * 0.5, 1 - 0.29 * (1 + (k - 1) / 2)
    set size 0.5, 0.29
    set title name(system("echo ".p." | tr _ ' '")) offset 0,-0.7
    if (kind eq 'state') { set yrange [1e-15:1]; set xrange [2e-4:1] } else { set yrange [1e-14:1e-2]; set xrange [2e-2:(k == 4 || k == 6 ? 3 : 1)] }
    plot for [i=1:words(solvers)] of(p, word(solvers, i)) using 7:6 with linespoints lw (ours(word(solvers, i)) ? 2.5 : 1) pt 7 ps 0.35 lc rgb color[i]
}
unset title
unset logscale
unset grid
unset border
unset tics
unset xlabel
unset ylabel
set origin 0, 0
set size 1, 0.12
set margins 0, 0, 0, 0
set key center center samplen 3 maxrows 4 font 'sans,12'
set xrange [0:1]
set yrange [0:1]
plot for [i=1:words(solvers)] 2 with linespoints lw (ours(word(solvers, i)) ? 2.5 : 1) pt 7 ps 0.35 lc rgb color[i] title name(word(solvers, i)) noenhanced
unset multiplot
