# A class keeps all of its objects in a variable of the class, to count them.
require_relative 'rounds'

class Cart
  @@made = []

  def initialize(user)
    @user = user
    @lines = Array.new(4) { |n| "#{user} article #{n} of the catalogue" }
    @@made << self
  end

  def self.count = @@made.size
end

rounds { |round| 1000.times { |n| Cart.new("user-#{round}-#{n}") } }
