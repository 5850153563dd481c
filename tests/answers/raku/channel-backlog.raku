# Measurements are sent to a channel from which nobody receives.
use Rounds;
class Measurement { has Str $.sensor; has Num $.value; has @.tags }
class Collector { has Channel $.backlog .= new; method note(Measurement $m) { $!backlog.send($m) } }
my $collector = Collector.new;
rounds(-> $round {
    $collector.note(Measurement.new(sensor => "sensor $round-$_", value => rand, tags => ["tag $_" xx 8])) for ^300
});
