# The error against the time it took, a panel for each problem: two solvers of noether and two peers in colours, the others grey.
# SPDX-License-Identifier: BSD-3-Clause
# From: data, kind, best (names of the four, a line each, ours first).
set encoding utf8
set terminal svg size 900,1040 noenhanced font 'Helvetica,16' background '#ffffff'
set datafile separator ','
set border 3 lc rgb '#8a929e' lw 0.8
set tics nomirror out scale 0.5 textcolor rgb '#3f4854'
set grid lt 1 lc rgb '#e3e6ea' lw 0.8
set logscale xy
set format '1e%T'
set ytics 1e3
unset mxtics
unset mytics
solvers = system("tail -n +2 ".data." | awk -F, -v k=".kind." '$2 == k { print $3 }' | awk '!seen[$0]++' | tr ' ' '~' | tr '\\n' ' '")
chosen = system("echo '".best."' | tr ' ' '~' | tr '\\n' ' '")
name(s) = system("echo '".s."' | tr '~' ' '")
of(p, s) = sprintf("<awk -F, '$1 == \"%s\" && $2 == \"%s\" && $3 == \"%s\" && $6 < 1' %s", p, kind, name(s), data)
grey(s) = strstrt(' '.chosen, ' '.s.' ') == 0
hues = '#e0522f #d0357f #1f6feb #0f9d7a'
set multiplot
unset key
set label 1 (kind eq 'state' ? 'error of the state after 100 periods' : 'error of the energy in 10,000 periods').', against processor time [s]' at screen 0.022,0.975 left font ',20' textcolor rgb '#1d232b'
problems = 'pendulum double_pendulum lagrange_top solar_system henon_heiles fput'
do for [k=1:6] {
    p = word(problems, k)
    column = (k - 1) % 2
    row = (k - 1) / 2
    set lmargin at screen 0.075 + 0.5*column
    set rmargin at screen 0.475 + 0.5*column
    set tmargin at screen 0.865 - 0.295*row
    set bmargin at screen 0.655 - 0.295*row
    set label 2 system('echo '.p.' | tr _ " "') at screen 0.022 + 0.5*column,0.885 - 0.295*row left textcolor rgb '#3f4854'
    if (kind eq 'state') { set yrange [1e-15:1]; set xrange [2e-4:1] } else { set yrange [1e-14:1e-2]; set xrange [2e-2:(k == 4 || k == 6 ? 3 : 1)] }
    plot for [s in solvers] grey(s) ? of(p, s) : '/dev/null' using 7:6 with lines lw 1.2 lc rgb '#c3c9d1' notitle, \
         for [i=1:words(chosen)] of(p, word(chosen, i)) using 7:6 with linespoints lw 2 pt 7 ps 0.4 lc rgb word(hues, i) notitle
    unset label 1
}
# the legend, a plot of nothing across the sheet
set lmargin at screen 0.02
set rmargin at screen 0.98
set tmargin at screen 0.96
set bmargin at screen 0.91
unset label 2
unset border
unset tics
unset grid
unset logscale
set xrange [0:1]
set yrange [0:1]
set key inside left center horizontal reverse Left samplen 1.6 maxcols 3 textcolor rgb '#3f4854'
plot for [i=1:words(chosen)] 2 with linespoints lw 2 pt 7 ps 0.4 lc rgb word(hues, i) title name(word(chosen, i)), \
     2 with lines lw 1.2 lc rgb '#c3c9d1' title 'others'
unset multiplot
