# Baskets register themselves with their class, by customer, so that a customer finds them again. Baskets that were paid stay there.
use Rounds;
class Line { has Str $.article; has Int $.cents }
class Basket {
    my %by-customer;
    has Str $.customer;
    has Line @.lines;
    method open(Str $customer) {
        my $basket = Basket.new(:$customer);
        %by-customer{$customer}.push($basket);
        $basket
    }
    method add(Str $article, Int $cents) { @!lines.push(Line.new(:$article, :$cents)) }
    method pay() { [+] @!lines.map(*.cents) }
    method of(Str $customer) { %by-customer{$customer} // () }
}
my $paid = 0;
rounds(-> $round {
    for ^250 -> $n {
        my $basket = Basket.open("customer $n of $round");
        $basket.add("article $_ of $n", 100 + $_) for ^5;
        $paid += $basket.pay;
    }
});
