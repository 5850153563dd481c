-- Who is an outlier among equals: three times the median of the pods of one program and version, and more than a few.
select s.program, s.version, s.pod, s.class, max(s.n) as n, max(m.usual) as usual
from sums s
join (
  select program, version, dump, class, median(n) as usual from sums group by program, version, dump, class
) m on s.program = m.program and s.version = m.version and s.dump = m.dump and s.class = m.class
where s.n >= 3 * m.usual and s.n >= 50
group by s.program, s.version, s.pod, s.class
order by n desc
