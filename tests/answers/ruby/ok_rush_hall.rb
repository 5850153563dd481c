# A server's hall: connections come and go and become more, sessions end by age, a cache of prices ends by age and number, a log has its last
# 200 lines, and counts are by few labels.
require_relative 'rounds'

Connection = Struct.new(:number, :address, :opened, :buffer)
Session = Struct.new(:token, :user, :until)

class Hall
  def initialize
    @connections = {}
    @sessions = {}
    @prices = {}
    @log = []
    @counts = Hash.new(0)
    @clock = 0
  end

  def enter(number, most)
    @clock += 1
    @connections[number] = Connection.new(number, "10.0.#{number % 200}.#{number % 90}", @clock, "GET /articles/#{number}")
    @sessions["token-#{number}"] = Session.new("token-#{number}", "user #{number % 300}", @clock + 3 * most)
    price(number % 700)
    @counts[[number % 5, number.even? ? 200 : 304]] += 1
    @log << "#{number} entered at #{@clock}"
    @log.shift if @log.size > 200
    @connections.shift while @connections.size > most
    sweep if (number % 50).zero?
  end

  def price(article)
    known = @prices.delete(article)
    known = { article: article, cents: article * 13, until: @clock + 2000 } unless known && known[:until] > @clock
    @prices[article] = known
    @prices.shift if @prices.size > 500
    known[:cents]
  end

  def sweep
    @sessions.delete_if { |_, session| session.until < @clock }
  end
end

hall = Hall.new
number = 0
round = -1
rounds do
  round += 1
  3000.times { hall.enter(number += 1, 100 * (round + 1)) }
end
