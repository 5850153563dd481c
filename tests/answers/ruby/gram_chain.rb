# Numbers of a minute are counted in hashes whose block makes what is missing; at each reset the new block closes over what was there before
# it, so that each leads to the last one (sidekiq/sidekiq#6102). Jobs that run become more.
require_relative 'rounds'

Job = Struct.new(:number, :kind, :arguments)

class Counts
  def initialize
    @totals = Hash.new(0)
    @grams = Hash.new { |all, kind| all[kind] = [] }
  end

  def note(job, seconds)
    @totals[job.kind] += 1
    @grams[job.kind] << seconds
  end

  def reset
    before = [@totals, @grams]
    @totals = Hash.new(0)
    @grams = Hash.new { |all, kind| all[kind] = [] }
    before
  end
end

class Worker
  def initialize
    @counts = Counts.new
    @running = []
    @done = 0
  end

  def run(number, most)
    @running << Job.new(number, "kind #{number % 12}", [number, "tenant #{number % 40}"])
    while @running.size > most
      @counts.note(@running.shift, 0.25 + number % 7)
      @done += 1
    end
  end

  def report
    totals, grams = @counts.reset
    totals.sum { |kind, count| count + grams[kind].sum }
  end
end

worker = Worker.new
number = 0
round = -1
rounds do
  round += 1
  4000.times do
    worker.run(number += 1, 60 * (round + 1))
    worker.report if (number % 20).zero?
  end
end
