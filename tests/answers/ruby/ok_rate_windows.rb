# Requests are counted by user and minute; minutes before the last five are dropped. How many users come differs.
require_relative 'rounds'

class RateWindows
  Window = Struct.new(:minute, :counts)

  def initialize(keep)
    @keep = keep
    @windows = []
  end

  def hit(user, minute)
    window = @windows.last
    unless window && window.minute == minute
      @windows << (window = Window.new(minute, {}))
      @windows.shift while @windows.size > @keep
    end
    (window.counts[user] ||= []) << minute
  end
end

rates = RateWindows.new(5)
load = [300, 420, 350, 510]
minute = 0
rounds do |round|
  12.times do |m|
    minute += 1
    (load[round] + m * 3).times { |n| rates.hit("user-#{round}-#{n}", minute) }
  end
end
