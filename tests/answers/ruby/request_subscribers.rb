# Each request subscribes to the queries that it makes, as in ActiveSupport, and none ends its subscription.
require_relative 'rounds'

module Notifications
  class Subscriber
    def initialize(pattern, delegate)
      @pattern = pattern
      @delegate = delegate
    end

    def publish(payload)
      @delegate.call(payload)
    end
  end

  class Fanout
    def initialize
      @string_subscribers = Hash.new { |hash, key| hash[key] = [] }
    end

    def subscribe(pattern, &block)
      @string_subscribers[pattern] << Subscriber.new(pattern, block)
    end

    def publish(name, payload)
      @string_subscribers[name].each { |subscriber| subscriber.publish(payload) }
    end
  end

  class << self
    attr_accessor :notifier
  end
  self.notifier = Fanout.new
end

class RequestLog
  def initialize(path)
    @path = path
    @queries = []
  end

  def add(query)
    @queries << query if @queries.size < 5
  end
end

def handle(path)
  log = RequestLog.new(path)
  Notifications.notifier.subscribe('sql.query') { |query| log.add(query) }
end

rounds do |round|
  600.times { |n| handle("/orders/#{round}/#{n}") }
  Notifications.notifier.publish('sql.query', "select #{round}")
end
