# Each job that starts puts a block to be called at the end of the day, and the day does not end here.
use Rounds;

class Job {
  has $.name;
  has @.rows;
  method close() { @!rows = () }
}
class Day {
  has @!at-end;
  method at-end(&hook) { @!at-end.push(&hook) }
  method finish() { .() for @!at-end; @!at-end = () }
}
my $day = Day.new;
sub start-job($name) {
  my $job = Job.new(:$name, rows => (^8).map({ "row $_ of $name" }).list);
  $day.at-end({ $job.close });
}
rounds -> $round {
  start-job("job-$round-$_") for ^200;
}
