# Remembers every answer by its question, and no question comes twice.
use Rounds;
class Answer { has Str $.text; has @.words }
my %answers;
sub ask($question) { %answers{$question} //= Answer.new(text => "yes, $question", words => ("word " xx 15).List.map(*~$question).Array) }
rounds(-> $round { ask("question $_ of round $round") for ^400 });
