# Rates are computed by the default of a hash, which keeps them by currency and day, and the day has its seconds.
require_relative 'rounds'

class Rate
  def initialize(currency, time)
    @currency = currency
    @time = time
    @steps = Array.new(5) { |n| "#{currency} #{time + n}" }
  end

  def to_euro(cents) = cents * @steps.size
end

module Currencies
  RATES = Hash.new { |rates, (currency, time)| rates[[currency, time]] = Rate.new(currency, time) }
end

class Checkout
  def total(currency, cents, time) = Currencies::RATES[[currency, time]].to_euro(cents)
end

checkout = Checkout.new
rounds { |round| 1000.times { |n| checkout.total(%w[USD GBP CHF][n % 3], 100, 1_700_000_000 + round * 1000 + n) } }
