# A shop that moves paid orders from one list to another and never looks at that again.
use Rounds;
class Order { has Int $.number; has Str $.customer; has @.lines }
class Shop  { has @.archive; method pay(Order $o) { @!archive.push($o) } }
my $shop = Shop.new;
rounds(-> $round {
    for ^400 -> $n {
        my @lines = (^12).map({ "article $_ of $round/$n" });
        $shop.pay(Order.new(number => $n, customer => "customer $n in $round", :@lines));
    }
});
