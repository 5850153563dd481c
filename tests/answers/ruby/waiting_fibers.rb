# A loop of events has a fiber for each conversation, which waits for the next line. The fibers of those who hang up are not resumed, and not taken out.
require_relative 'rounds'

class Conversation
  def initialize(loop, name)
    @loop = loop
    @name = name
    @lines = Array.new(6) { |n| "line #{n} of #{name}" }
  end

  def talk
    while (line = @loop.wait_for(@name))
      @lines << line
    end
  end
end

class EventLoop
  def initialize = @waiting = {}

  def start(name) = Fiber.new { Conversation.new(self, name).talk }.resume

  def wait_for(name)
    @waiting[name] = Fiber.current
    Fiber.yield
  end

  def line(name, text) = @waiting.delete(name)&.resume(text)
end

events = EventLoop.new
rounds do |round|
  200.times do |n|
    name = "caller-#{round}-#{n}"
    events.start(name)
    events.line(name, "hello from #{name}")
    events.line(name, nil) if n.odd?
  end
end
