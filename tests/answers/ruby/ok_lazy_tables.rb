# Parts of a program have tables that are made when a part is first used, one after the other. Requests come and go beside them.
require_relative 'rounds'

module Zones
  def self.table = @table ||= (0...2500).to_h { |n| [format('%05d', n * 31), "zone #{n % 40} of #{n}"] }
end

module Holidays
  def self.days = @days ||= Array.new(3000) { |n| "day #{n} of region #{n % 16}" }
end

module Phrases
  TEXTS = {}
  def self.of(key)
    2800.times { |n| TEXTS["phrase.#{n}"] = "What is said at place #{n}" } if TEXTS.empty?
    TEXTS[key]
  end
end

class Prices
  class << self
    def steps = @@steps ||= Array.new(2200) { |n| { from: n, to: n + 1, cents: n * 7 } }
  end
end

class Desk
  def initialize = @open = []

  def serve(id, most)
    @open << { id: id, lines: Array.new(3) { |n| "line #{n} of #{id}" } }
    @open.shift while @open.size > most
  end
end

desk = Desk.new
most = [300, 420, 350, 440]
rounds do |round|
  1500.times { |n| desk.serve("request-#{round}-#{n}", most[round]) }
  case round
  when 0 then Zones.table['00031']
  when 1 then Holidays.days.first
  when 2 then Phrases.of('phrase.3')
  else Prices.steps.last
  end
end
