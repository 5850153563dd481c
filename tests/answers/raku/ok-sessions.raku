# Sessions end after some ticks of silence; how many are there differs. What they do is sent through a channel to a writer, which writes in lots, and sums of the last ten minutes are kept.
use Rounds;

class Session {
    has Str $.user;
    has Int $.touched is rw;
    has @.visited;
    method visit(Str $page, Int $now) {
        $!touched = $now;
        @!visited.push($page);
        @!visited.shift while @!visited > 8;
    }
}

class Sessions {
    has %!by-id;
    has Int $.life = 400;
    method get(Str $id, Int $now) {
        %!by-id{$id} //= Session.new(user => "user of $id", touched => $now);
    }
    method sweep(Int $now) {
        %!by-id{$_}:delete for %!by-id.keys.grep({ %!by-id{$_}.touched < $now - $!life }).eager;
    }
    method count { %!by-id.elems }
}

class Writer {
    has Channel $.events = Channel.new;
    has @!lot;
    has Int $.written = 0;
    method take-all {
        while $!events.poll -> $event {
            @!lot.push($event);
            if @!lot >= 100 {
                $!written += @!lot.elems;
                @!lot = ();
            }
        }
    }
}

class Sums {
    has @!minutes;
    method add(Int $minute, Str $page) {
        @!minutes.push($minute => {}) unless @!minutes && @!minutes[*-1].key == $minute;
        @!minutes[*-1].value{$page}++;
        @!minutes.shift while @!minutes > 10;
    }
}

my $sessions = Sessions.new;
my $writer = Writer.new;
my $sums = Sums.new;
my @visitors = 60, 190, 110, 240;
my Int $now = 0;
rounds(-> $round {
    for ^1200 -> $n {
        $now++;
        my $page = "page { $n % 40 }";
        $sessions.get("$round-{ $n % @visitors[$round] }", $now).visit($page, $now);
        $writer.events.send("$round $n $page");
        $sums.add($now div 100, $page);
        $writer.take-all if $n %% 50;
        $sessions.sweep($now) if $n %% 100;
    }
    $sessions.count;
});
