# A subscriber of notifications is a block that writes to an array of the method that subscribed it.
require_relative 'rounds'

class Notifications
  def initialize
    @subscribers = Hash.new { |all, name| all[name] = [] }
  end

  def subscribe(name, &block)
    @subscribers[name] << block
  end

  def instrument(name, payload)
    @subscribers[name].each { |block| block.call(payload) }
  end
end

class QueryEvent
  def initialize(sql)
    @sql = sql
    @took = 0.25
    @binds = [sql.size, nil]
  end
end

NOTIFICATIONS = Notifications.new

def count_queries
  events = []
  NOTIFICATIONS.subscribe('sql') { |sql| events << QueryEvent.new(sql) }
end

count_queries
rounds { |round| 2500.times { |n| NOTIFICATIONS.instrument('sql', "select * from orders where id = #{round * 2500 + n}") } }
