# A routine remembers its results in a state variable, by an argument that hardly ever comes again.
use Rounds;

class Route {
  has $.from;
  has @.stops;
}
sub route($from) {
  state %known;
  %known{$from} //= Route.new(:$from, stops => (^5).map({ "$from stop $_" }).list);
}
rounds -> $round {
  route("city-$round-$_") for ^300;
}
