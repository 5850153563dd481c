# Each basket that is opened gets a task that would end it in a day. Most are paid within the minute, and nobody cancels the task.
require_relative 'rounds'
require 'concurrent'

Line = Struct.new(:article, :count)

class Basket
  attr_reader :id, :lines

  def initialize(id)
    @id = id
    @lines = []
    @paid = false
  end

  def add(article, count) = @lines << Line.new(article, count)
  def pay = @paid = true
  def expire = @paid || @lines.clear
end

class Checkout
  def initialize
    @open = {}
    @sold = 0
  end

  def open(id)
    basket = @open[id] = Basket.new(id)
    Concurrent::ScheduledTask.execute(86_400) { basket.expire }
    basket
  end

  def pay(id)
    basket = @open.delete(id)
    basket.pay
    @sold += basket.lines.sum(&:count)
  end
end

checkout = Checkout.new
last = 0
rounds do
  400.times do
    id = "basket #{last += 1}"
    basket = checkout.open(id)
    4.times { |n| basket.add("article #{(last + n) % 70}", n + 1) }
    checkout.pay(id)
  end
end
