# Sessions live for some hundred requests, and more or fewer people come each hour. A table of countries is read in the second hour.
require_relative 'rounds'

class Session
  attr_reader :until_tick

  def initialize(user, until_tick)
    @user = user
    @until_tick = until_tick
    @basket = Array.new(6) { |n| { sku: "sku-#{n}", note: "note #{n} of #{user}" } }
  end
end

class SessionTable
  def initialize(ttl)
    @ttl = ttl
    @tick = 0
    @by_user = {}
  end

  def visit(user)
    @tick += 1
    @by_user.shift while !@by_user.empty? && @by_user.first[1].until_tick <= @tick
    @by_user.delete(user)
    @by_user[user] = Session.new(user, @tick + @ttl)
  end
end

class Countries
  def self.all = @all ||= Array.new(250) { |n| { code: "c#{n}", names: %w[de en fr].map { |tongue| "country #{n} in #{tongue}" } } }
end

table = SessionTable.new(700)
rounds do |round|
  [800, 1500, 1100, 1400][round].times { |n| table.visit("user-#{round}-#{n * 7 % [400, 900, 600, 800][round]}") }
  Countries.all if round == 2
end
