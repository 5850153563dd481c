-- What grew: from the first dump of each process to the last, also what is not in all of them.
select program, class,
  sum(case when dump = last_dump then n else 0 end) - sum(case when dump = first_dump then n else 0 end) as grown
from (
  select program, class, dump, n,
    min(dump) over (partition by program, version, pod) as first_dump,
    max(dump) over (partition by program, version, pod) as last_dump
  from sums
) ends
group by program, class
order by grown desc, program, class
limit 10
