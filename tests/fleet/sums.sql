-- Counts and sizes by process, dump and class: the view that the other queries ask. A node may stand for several objects.
select program, version, pod, dump, class, sum(coalesce(count, 1)) as n, sum(coalesce(size, 0)) as bytes
from nodes
group by program, version, pod, dump, class
