# Each message to a partner is sent by a thread, which tries again until the partner answers. Some partners have gone, and their threads try on for ever, each time after a longer sleep.
require_relative 'rounds'

class Partner
  attr_reader :name, :received

  def initialize(name, gone)
    @name, @gone, @received = name, gone, 0
  end

  def post(payload)
    raise Errno::ECONNREFUSED, @name if @gone
    @received += payload[:lines].size
    :ok
  end
end

class Message
  attr_reader :id, :payload
  attr_accessor :tries

  def initialize(id, partner)
    @id = id
    @partner = partner
    @payload = { id: id, lines: Array.new(12) { |n| "line #{n} of message #{id}" } }
    @tries = 0
  end

  def deliver = @partner.post(@payload)
end

class WebHooks
  def initialize
    @lock = Mutex.new
    @delivered = 0
    @failures = Hash.new(0)
  end

  def send_later(message)
    Thread.new(message) do |mine|
      wait = 0.5
      begin
        mine.tries += 1
        mine.deliver
        @lock.synchronize { @delivered += 1 }
      rescue SystemCallError => e
        @lock.synchronize { @failures[e.class] += 1 }
        sleep wait
        wait *= 10
        retry
      end
    end
  end

  def report
    @lock.synchronize { "#{@delivered} delivered, #{@failures.values.sum} failed" }
  end
end

partners = Array.new(10) { |n| Partner.new("partner-#{n}", n == 3) }
hooks = WebHooks.new
rounds do |round|
  300.times do |n|
    hooks.send_later(Message.new("#{round}-#{n}", partners[n % 10]))
    Thread.pass
  end
  sleep 0.2
  hooks.report
end
