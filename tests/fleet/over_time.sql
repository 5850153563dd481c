-- Classes over time.
select program, class, dump, sum(n) as n, sum(bytes) as bytes
from sums
group by program, class, dump
order by program, class, dump
