# Prices are forgotten at the beginning of each day.
use Rounds;
class Quote { has Str $.article; has Num $.price; has @.steps }
class PriceBook { has %.today;
    method open() { %!today = () }
    method price(Str $article) { %!today{$article} //= Quote.new(:$article, price => rand, steps => [^8]) } }
my $book = PriceBook.new;
rounds(-> $round { $book.open; $book.price("article $round-$_") for ^300 });
