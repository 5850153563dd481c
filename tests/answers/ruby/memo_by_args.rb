# A memo hash on the class keyed by argument arrays incl. Time.
require_relative 'rounds'
Quote = Struct.new(:net, :tax, :note)
class Pricing
  class << self
    def memo = @memo ||= {}
    def quote(net, at) = memo[[net, at]] ||= Quote.new(net, net * 0.2, "quote for #{net} at #{at} made by the pricing service")
  end
end
n = 0
rounds { 600.times { Pricing.quote(n % 50, 1_700_000_000 + (n += 1)) } }
