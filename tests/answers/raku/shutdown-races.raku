# Each job races with the promise of the shutdown, which remembers a block for each race; jobs that run become more.
use Rounds;

class Job {
    has Int $.number;
    has @.lines;
    has $.done = Promise.new;
}
class Runner {
    has $.shutdown = Promise.new;
    has @.running;
    has Int $.served = 0;
    method start(Int $number, Int $most) {
        my $job = Job.new(:$number, lines => ["job $number", "user {$number % 30}"]);
        await-any($!shutdown, $job);
        @!running.push($job);
        while @!running > $most {
            my $ended = @!running.shift;
            $ended.done.keep($ended.number);
            $!served++;
        }
    }
    sub await-any($shutdown, $job) { Promise.anyof($shutdown, $job.done) }
}
my $runner = Runner.new;
my $last = 0;
my @together = 10, 20, 30, 40;
rounds -> $round {
    $runner.start($last++, @together[$round]) for ^150;
};
