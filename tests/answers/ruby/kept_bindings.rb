# Where something failed is kept with all variables of that place, for a page that nobody opens.
require_relative 'rounds'

module Trouble
  Place = Struct.new(:error, :where)
  SEEN = []

  def self.notice(error, where) = SEEN << Place.new(error.message, where)
end

class PriceImport
  def initialize(shop) = @shop = shop

  def row(line)
    number, price, *words = line.split(';')
    cents = Integer(price)
    { number: number, cents: cents, words: words }
  rescue ArgumentError => e
    Trouble.notice(e, binding)
    nil
  end
end

import = PriceImport.new('north')
rounds { |round| 500.times { |n| import.row("#{n};#{round}.x;word #{n};word #{round};last word of #{n}") } }
