-- What grew: from the first dump of each process to the last.
select program, class, sum(last_n - first_n) as grown
from (
  select program, version, pod, class, max_by(n, dump) as last_n, min_by(n, dump) as first_n
  from sums
  group by program, version, pod, class
) ends
group by program, class
order by grown desc, program, class
limit 10
