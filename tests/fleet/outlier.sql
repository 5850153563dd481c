-- Who is an outlier among equals: three times the median of the pods of one program and version, and more than a few. Where
-- no more than half of the pods have a class, the median is 0.
select program, version, pod, class, max(n) as n, max(usual) as usual
from (
  select program, version, pod, class, n,
    case when 2 * count(*) over (partition by program, version, dump, class) > pods
      then median(n) over (partition by program, version, dump, class) else 0 end as usual
  from (
    select program, version, pod, dump, class, n,
      dense_rank() over (partition by program, version, dump order by pod)
        + dense_rank() over (partition by program, version, dump order by pod desc) - 1 as pods
    from sums
  ) counted
) compared
where n >= 3 * usual and n >= 50
group by program, version, pod, class
order by n desc
