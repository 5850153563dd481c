-- Which build introduced it: the first version in which the median of a class doubled, or which has a class that the one
-- before lacks.
select program, class, min(version) as version
from (
  select program, class, version, usual,
    lag(usual) over (partition by program, class order by version) as before,
    min(version) over (partition by program) as first_version
  from (
    select program, class, version, median(n) as usual from sums group by program, class, version
  ) medians
) steps
where usual >= 2 * coalesce(before, 0) and version > first_version and usual >= 20
group by program, class
order by program, class
