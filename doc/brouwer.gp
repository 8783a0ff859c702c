# largest energy error of each window over the steps, of six starts of a chain and six of a pendulum, their root mean squares, and t^1/2
set encoding utf8
set terminal svg size 1000,640 noenhanced font 'Helvetica,15' background '#ffffff'
set datafile separator ','
set logscale xy
set border 3 lc rgb '#8a8f98'
set tics nomirror out scale 0.5
set grid lt 1 lc rgb '#e4e6ea'
set xlabel 'steps'
set ylabel 'largest relative energy error in a window'
set format y '%.0e'
set format x '%.0e'
set key top left reverse Left samplen 2
set xrange [100:2e7]
chains = '0.5 0.7 0.9 1.1 1.3 1.5'
starts = '0.6 1 1.4 1.8 2.2 2.6'
plot for [q in starts] folder.'/pendulum.'.q.'.csv' using ($4/0.05):5 every ::1 with lines lw 1 lc rgb '#f0b9a8' notitle, \
     for [q in chains] folder.'/chain.'.q.'.csv' using ($4/0.05):5 every ::1 with lines lw 1 lc rgb '#a9c4e4' notitle, \
     folder.'/pendulum.csv' using ($1/0.05):2 with lines lw 3 lc rgb '#c2451e' title 'pendulum, gauss 8: root mean square of six', \
     folder.'/chain.csv' using ($1/0.05):2 with lines lw 3 lc rgb '#1f5fa8' title 'FPUT, 32 sites, kahan-li8: root mean square of six', \
     2.5e-18*sqrt(x) with lines dt 3 lw 1.5 lc rgb '#8a8f98' title '2.5e-18 sqrt(steps)'
