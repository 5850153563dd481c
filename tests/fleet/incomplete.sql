-- Dumps whose writer was killed: they have nodes and no metadata. Convert them again before you ask the other queries.
select distinct program, version, pod, dump from nodes
except
select program, version, pod, dump from metadata
