# largest energy error of each window over the steps, of six starts, their root mean square, and t^1/2
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
starts = '0.6 1 1.4 1.8 2.2 2.6'
plot for [q in starts] folder.'/'.q.'.csv' using ($4/0.05):5 every ::1 with lines lw 1.3 title 'q(0) = '.q, \
     folder.'/rms.csv' using ($1/0.05):2 with lines lw 3 lc rgb '#20242c' title 'root mean square', \
     2.5e-17*sqrt(x) with lines dt 3 lw 1.5 lc rgb '#8a8f98' title '2.5e-17 sqrt(steps)'
