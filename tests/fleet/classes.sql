-- The whole fleet by class, as heap-sum has it.
select class, sum(n) as n, sum(bytes) as bytes from sums group by class order by class
