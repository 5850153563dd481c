# Prices are looked up by a pool of two threads, and kept by a bounded map; reminders of a tenth of a second are run or cancelled. Load rises.
require_relative 'rounds'
require 'concurrent'

Price = Struct.new(:article, :cents, :text)

class Prices
  def initialize(most)
    @most = most
    @known = {}
    @lock = Mutex.new
  end

  def of(article)
    @lock.synchronize do
      price = @known.delete(article) || Price.new(article, article.sum, "#{article}: #{article.sum} cents")
      @known[article] = price
      @known.shift if @known.size > @most
      price
    end
  end
end

PRICES = Prices.new(300)
POOL = Concurrent::FixedThreadPool.new(2)
LOAD = [200, 350, 500, 650].freeze

round = -1
rounds do
  round += 1
  reminders = []
  LOAD[round].times.each_slice(50) do |numbers|
    futures = numbers.map { |n| Concurrent::Promises.future_on(POOL, n) { |i| PRICES.of("article #{(i * 7) % 450}") } }
    Concurrent::Promises.zip(*futures).value!
    reminders << Concurrent::ScheduledTask.execute(0.1) { numbers.sum }
    reminders << Concurrent::ScheduledTask.execute(60) { numbers.sum }.tap(&:cancel)
  end
  reminders.each { |task| task.wait(2) unless task.cancelled? }
end
