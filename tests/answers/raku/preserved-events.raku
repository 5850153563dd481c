# Changes of prices are emitted by a supplier that preserves them until somebody taps. The tap was taken out with the dashboard that had it; prices go on changing.
use Rounds;

class PriceChanged {
    has Str $.article;
    has Int $.cents;
    has Str $.reason;
}

class Catalogue {
    has $.changes = Supplier::Preserving.new;
    has %!cents;
    method set-price(Str $article, Int $cents, Str $reason) {
        %!cents{$article} = $cents;
        $!changes.emit(PriceChanged.new(:$article, :$cents, :$reason));
    }
    method count { %!cents.elems }
}

my $catalogue = Catalogue.new;
rounds(-> $round {
    for ^800 -> $n {
        $catalogue.set-price("article { $n % 60 }", $n + $round * 1000, "round $round, supplier $n");
    }
    $catalogue.count;
});
