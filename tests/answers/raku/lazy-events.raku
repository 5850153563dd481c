# Events come as a lazy list. The program goes on with the next one each time, and has the list from its first on.
use Rounds;

class Event {
  has $.number;
  has @.words;
}
class Journal {
  has @.events;
  has Int $.at is rw = 0;
  method next { @!events[$!at++] }
}
my $journal = Journal.new(events => lazy gather {
  my $number = 0;
  loop { take Event.new(number => $number, words => (^12).map({ "word $_ of event $number" }).Array); $number++ }
});
rounds -> $round {
  my $sum = 0;
  $sum += $journal.next.words.elems for ^500;
}
