# Views tap the supply of prices, and no tap is closed.
use Rounds;

class PriceView {
  has $.user;
  has @.rows;
  method show($price) { @!rows[0] = "price $price" }
}
my $prices = Supplier.new;
sub open-view($user) {
  my $view = PriceView.new(:$user, rows => (^10).map({ "row $_ of $user" }).list);
  $prices.Supply.tap(-> $price { $view.show($price) });
}
rounds -> $round {
  open-view("user-$round-$_") for ^150;
}
