# Window of 60 minutes of sums by user; traffic rises; 80 minutes a round.
require_relative 'rounds'
class Sum
  def initialize = (@hits = 0; @paths = [])
  def hit(path) = (@hits += 1; @paths << path)
end
class Minute
  attr_reader :users
  def initialize(at) = (@at = at; @users = {})
end
WINDOW = []
minute = 0
rounds do |round|
  80.times do
    m = Minute.new(minute += 1)
    (20 + 5 * round).times { |i| (m.users["user number #{(minute * 37 + i * 11) % 900} of the shop"] ||= Sum.new).hit("/p#{i}") }
    WINDOW << m
    WINDOW.shift if WINDOW.size > 60
  end
end
