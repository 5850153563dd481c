# Sessions are closed in a table by day, and stay there.
use Rounds;
class Visit { has Str $.page; has Int $.at }
class Session { has Str $.user; has Visit @.visits }
class Log { has %.by-day;
    method close(Str $day, Session $s) { %!by-day{$day}.push($s) } }
my $log = Log.new;
rounds(-> $round {
    for ^300 -> $n {
        my @visits = (^8).map({ Visit.new(page => "/page/$_", at => $n) });
        $log.close("day {$n % 5}", Session.new(user => "user $n/$round", :@visits));
    }
});
