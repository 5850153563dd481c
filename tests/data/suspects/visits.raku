# A journal that keeps every visit: `raku visits.raku FILE.mvmheap [VISITS]`.
use nqp;
class Visit   { has Int $.id; has Str $.page; has @.steps }
class Journal { has @.visits; method note(Visit $v) { @!visits.push($v) } }
my $journal = Journal.new;
$journal.note(Visit.new(id => $_, page => "/page/$_", steps => (^20).map({ "step $_" }).Array)) for ^(@*ARGS[1] // 1500);
my $path := @*ARGS[0];
nqp::mvmstartprofile(nqp::hash("kind", "heap", "path", nqp::decont($path)));
nqp::mvmendprofile();
say $journal.visits.elems;
