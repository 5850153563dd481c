# Messages stand in an outbox until the other side has taken them, which it does in lots. How many wait when a dump is taken is chance.
require_relative 'rounds'

class Outbox
  Message = Struct.new(:id, :to, :body, :tries)

  def initialize
    @waiting = {}
    @sent = 0
  end

  def put(id, to, body) = @waiting[id] = Message.new(id, to, body, 0)

  def take(count)
    @waiting.first(count).each do |id, message|
      message.tries += 1
      if message.id.hash % 7 == 0 && message.tries < 2
        @waiting[id] = @waiting.delete(id)
      else
        @waiting.delete(id)
        @sent += 1
      end
    end
  end
end

outbox = Outbox.new
rest = [500, 1500, 700, 1800]
rounds do |round|
  3000.times do |n|
    outbox.put("#{round}-#{n}", "shop-#{n % 30}", { text: "order #{n} of #{round} is on its way", at: n })
    outbox.take(200) if n % 500 == 499
  end
  outbox.take(100) while outbox.instance_variable_get(:@waiting).size > rest[round]
end
