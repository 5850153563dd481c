# Keeps the last 300 measurements.
use Rounds;
class Measurement { has Int $.at; has Num $.value; has @.notes }
class Gauge { has @.window;
    method add(Measurement $m) { @!window.push($m); @!window.shift while @!window > 300 } }
my $gauge = Gauge.new;
rounds(-> $round { $gauge.add(Measurement.new(at => $_, value => rand, notes => ["note $_" xx 10])) for ^600 });
