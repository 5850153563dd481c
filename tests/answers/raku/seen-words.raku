# A tokenizer counts each word by its whole context, and so never sees one twice.
use Rounds;

class Token { has Str $.word; has Int $.line; has @.neighbours }
class Index { has %.tokens }

my $index = Index.new;
sub feed($text, $line) {
    my @words = $text.words;
    for @words.kv -> $n, $word {
        $index.tokens{"$line:$n:$word"} = Token.new(:$word, :$line, neighbours => [@words[($n - 1) max 0], $word]);
    }
}

my $line = 0;
rounds -> $round {
    feed("the quick fox number $line jumps over { $line % 7 } lazy dogs", $line++) for ^60;
};
