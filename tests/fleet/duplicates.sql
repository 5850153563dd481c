-- Equal strings over the fleet: copies, dumps that have them, and bytes that one copy in each dump would save.
select data, sum(copies) as copies, count(*) as dumps, sum(bytes - bytes / copies) as wasted
from (
  select program, version, pod, dump, data, count(*) as copies, sum(size) as bytes
  from nodes
  where subtype = 'string_flat' and data is not null
  group by program, version, pod, dump, data
) each
where copies > 1
group by data
order by wasted desc, data
limit 10
