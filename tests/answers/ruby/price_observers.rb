# Views watch the price list, and nobody stops watching.
require_relative 'rounds'
require 'observer'

class PriceList
  include Observable
  def change(price)
    changed
    notify_observers(price)
  end
end

class PriceView
  def initialize(user)
    @user = user
    @rows = Array.new(12) { |n| "row #{n} of #{user}" }
  end

  def update(price)
    @rows[0] = "price #{price}"
  end
end

PRICES = PriceList.new
rounds do |round|
  500.times { |n| PRICES.add_observer(PriceView.new("user-#{round}-#{n}")) }
  PRICES.change(round)
end
