# A class keeps each quote that it has ever worked out, by all of its arguments.
require_relative 'rounds'

class Quote
  def initialize(sku, amount)
    @sku = sku
    @amount = amount
    @lines = ["base #{amount}", "tax #{sku}"]
  end
end

class QuoteService
  def self.quotes
    @quotes ||= {}
  end

  def self.quote(sku, amount)
    quotes["#{sku}/#{amount}"] ||= Quote.new(sku, amount)
  end
end

rounds { |round| 1000.times { |n| QuoteService.quote("sku-#{n}", round * 1000 + n) } }
