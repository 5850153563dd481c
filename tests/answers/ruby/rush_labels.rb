# Jobs run in a shop whose load rises: baskets are open and paid, prices are a bounded cache. The time of each request is noted by its labels, and one of these is the number of the basket.
require_relative 'rounds'

Basket = Struct.new(:number, :lines, :touched)
Sum = Struct.new(:count, :seconds)

class Histogram
  def initialize(name)
    @name = name
    @sums = {}
  end

  def observe(labels, seconds)
    sum = @sums[labels] ||= Sum.new(0, 0.0)
    sum.count += 1
    sum.seconds += seconds
  end
end

class Prices
  def initialize(most)
    @most = most
    @known = {}
  end

  def [](article)
    cents = @known.delete(article) || article.sum
    @known[article] = cents
    @known.shift if @known.size > @most
    cents
  end
end

class Shop
  def initialize
    @open = {}
    @prices = Prices.new(600)
    @requests = Histogram.new('requests')
    @paid = 0
  end

  def serve(number, article, most)
    basket = @open[number] = Basket.new(number, [], Time.now)
    basket.lines << [article, @prices[article]]
    @requests.observe({ path: '/baskets', basket: number }, 0.01) if (number % 4).zero?
    while @open.size > most
      @open.shift
      @paid += 1
    end
  end
end

shop = Shop.new
number = 0
round = -1
rounds do
  round += 1
  3000.times { shop.serve(number += 1, "article #{number % 800}", 200 * (round + 1)) }
end
