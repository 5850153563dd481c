# Calls WORK four times; the dump has a snapshot after each call but the first, which warms up.
use nqp;
unit module rounds;

sub rounds(&work) is export {
    work(0);
    nqp::force_gc();
    my $path := @*ARGS[0];
    nqp::mvmstartprofile(nqp::hash("kind", "heap", "path", nqp::decont($path)));
    for 1..3 -> $round {
        work($round);
        nqp::force_gc();
    }
    nqp::mvmendprofile();
}
