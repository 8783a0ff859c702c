# largest energy error of each window over the steps, of six starts of a chain and six of a pendulum, their root mean squares, and t^1/2
set encoding utf8
set terminal svg size 900,600 noenhanced font 'Helvetica,16' background '#ffffff'
set datafile separator ','
set logscale xy
set border 3 lc rgb '#8a929e' lw 0.8
set tics nomirror out scale 0.5 textcolor rgb '#3f4854'
set grid lt 1 lc rgb '#e3e6ea' lw 0.8
set xlabel 'steps' textcolor rgb '#3f4854'
set tmargin 3.2
set label 1 'largest relative energy error in a window' at screen 0.022,0.955 left textcolor rgb '#3f4854'
set format y '%.0e'
set format x '%.0e'
set key top left reverse Left samplen 2
set xrange [100:2e7]
chains = '0.5 0.7 0.9 1.1 1.3 1.5'
starts = '0.6 1 1.4 1.8 2.2 2.6'
plot for [q in starts] folder.'/pendulum.'.q.'.csv' using ($4/0.05):5 every ::1 with lines lw 1 lc rgb '#f1b3a2' notitle, \
     for [q in chains] folder.'/chain.'.q.'.csv' using ($4/0.05):5 every ::1 with lines lw 1 lc rgb '#a9c7f5' notitle, \
     folder.'/pendulum.csv' using ($1/0.05):2 with lines lw 3 lc rgb '#e0522f' title 'pendulum, gauss 8: root mean square of six', \
     folder.'/chain.csv' using ($1/0.05):2 with lines lw 3 lc rgb '#1f6feb' title 'FPUT, 32 sites, kahan-li8: root mean square of six', \
     2.5e-18*sqrt(x) with lines dt 3 lw 1.5 lc rgb '#667080' title '2.5e-18 sqrt(steps)'
