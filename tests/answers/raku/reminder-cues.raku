# A customer who leaves a basket is reminded after a day, by a promise of that time. Most customers pay within the hour; the promise and what it would do are kept until the day is over.
use Rounds;

class Line {
    has Str $.article;
    has Int $.count;
}

class Basket {
    has Str $.id;
    has Str $.customer;
    has Line @.lines;
    has Bool $.paid is rw = False;
    method add(Str $article, Int $count) { @!lines.push(Line.new(:$article, :$count)) }
    method total { [+] @!lines.map(*.count) }
}

class Mailer {
    has Int $.sent = 0;
    method remind(Basket $basket) {
        return if $basket.paid;
        $!sent++;
    }
}

class Shop {
    has Mailer $.mailer = Mailer.new;
    has %!open;
    has Int $.sum = 0;
    method open(Str $id) {
        my $basket = Basket.new(:$id, customer => "customer of $id");
        %!open{$id} = $basket;
        my $mailer = $!mailer;
        Promise.in(86400).then({ $mailer.remind($basket) });
        $basket;
    }
    method pay(Str $id) {
        my $basket = %!open{$id}:delete;
        $basket.paid = True;
        $!sum += $basket.total;
    }
    method open-count { %!open.elems }
}

my $shop = Shop.new;
rounds(-> $round {
    for ^200 -> $n {
        my $id = "$round-$n";
        my $basket = $shop.open($id);
        $basket.add("article { $n % 50 + $_ }", $_ + 1) for ^6;
        $shop.pay($id);
    }
    $shop.open-count;
});
