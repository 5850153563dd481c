# A desk whose load rises: tickets are objects with numbers alone, they are open and closed; a window has the last thousand events, and rates are read anew each round.
require_relative 'rounds'

class Ticket
  attr_reader :number, :weight

  def initialize(number, weight)
    @number = number
    @weight = weight
    @events = []
  end

  def add(event) = @events << event
end

class Event
  def initialize(kind, at)
    @kind = kind
    @at = at
  end
end

class Desk
  def initialize
    @open = []
    @window = []
    @rates = {}
    @closed = 0
  end

  def read_rates(round) = @rates = (0...300).to_h { |n| [n, [n * round, n + 0.5]] }

  def take(number, most)
    ticket = Ticket.new(number, number % 7)
    3.times do |n|
      event = Event.new(n, number)
      ticket.add(event)
      @window << event
    end
    @window.shift(@window.size - 1000) if @window.size > 1000
    @open << ticket
    while @open.size > most
      @open.shift
      @closed += 1
    end
  end
end

desk = Desk.new
number = 0
round = -1
rounds do
  round += 1
  desk.read_rates(round)
  2500.times { desk.take(number += 1, 300 * (round + 1)) }
end
