# Calls WORK four times, and writes a dump after each call but the first, which warms up.
use nqp;
unit module Rounds;

sub rounds(&work) is export {
    work(0);
    for 1..3 -> $round {
        work($round);
        my $path := "{@*ARGS[0]}-$round.mvmheap";
        nqp::mvmstartprofile(nqp::hash("kind", "heap", "path", nqp::decont($path)));
        nqp::mvmendprofile();
    }
}
