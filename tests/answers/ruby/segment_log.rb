# A log in segments of 700 entries, 500 a round, none dropped.
require_relative 'rounds'
class Entry
  def initialize(n) = (@n = n; @message = "message #{n} of the service, which is long enough")
end
class Segment
  attr_reader :entries
  def initialize(base) = (@base = base; @entries = [])
end
class Wal
  def initialize = (@segments = [Segment.new(0)]; @next = 0)
  def append
    @segments << Segment.new(@next) if @segments.last.entries.size == 700
    @segments.last.entries << Entry.new(@next)
    @next += 1
  end
end
WAL = Wal.new
rounds { 500.times { WAL.append } }
