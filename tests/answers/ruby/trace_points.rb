# Orders that look odd are watched by a trace of what is raised while they are worked on. The way out in between forgets to switch the trace off.
require_relative 'rounds'

class OrderTrace
  attr_reader :raised

  def initialize(order)
    @order = order
    @raised = []
    @point = TracePoint.new(:raise) { |point| @raised << [point.path, point.lineno] }
  end

  def start = @point.enable
  def stop = @point.disable
end

class Desk
  def work(order)
    trace = OrderTrace.new(order)
    trace.start
    return :empty if order[:lines].empty?
    total = order[:lines].sum { |line| line[:sum] }
    return :cheap if total < 100
    trace.stop
    :done
  end
end

desk = Desk.new
rounds do |round|
  300.times do |n|
    lines = Array.new(4) { |l| { article: "article #{l} of #{round}-#{n}", sum: l } }
    desk.work({ id: "order-#{round}-#{n}", lines: lines })
  end
end
