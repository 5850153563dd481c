# Rates of parcels are kept by their route, in a table that compares its keys by identity, which was made for routes that were constants. Routes come from requests now, and each is a new text.
require_relative 'rounds'

class Rate
  attr_reader :route, :steps

  def initialize(route)
    @route = route
    @steps = (1..5).map { |n| { upto: n * 2, cents: n * 150 + route.size } }
  end

  def cents(weight) = (@steps.find { |step| weight <= step[:upto] } || @steps.last)[:cents]
end

class RateTable
  ROUTES = %w[DE-DE DE-AT DE-FR].freeze

  def initialize
    @rates = {}.compare_by_identity
    ROUTES.each { |route| @rates[route] = Rate.new(route) }
  end

  def for(route) = @rates[route] ||= Rate.new(route)
end

class Quote
  attr_reader :parcel, :cents

  def initialize(parcel, cents)
    @parcel = parcel
    @cents = cents
  end

  def to_s = "#{@parcel[:number]} costs #{format('%.2f', @cents / 100.0)}"
end

class QuoteService
  RECENT = 100

  def initialize(table)
    @table = table
    @recent = []
    @sums = Hash.new(0)
  end

  def quote(request)
    route = "#{request[:from]}-#{request[:to]}"
    cents = @table.for(route).cents(request[:weight])
    @sums[request[:to]] += cents
    quote = Quote.new(request, cents)
    @recent << quote
    @recent.shift if @recent.size > RECENT
    quote.to_s
  end
end

LANDS = %w[DE AT FR IT ES PL CZ].freeze
service = QuoteService.new(RateTable.new)
rounds do |round|
  900.times do |n|
    service.quote(number: "#{round}-#{n}", from: LANDS[n % 7], to: LANDS[n % 5], weight: n % 12)
  end
end
