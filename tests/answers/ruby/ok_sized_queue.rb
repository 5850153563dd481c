# A thread makes mails of what a queue of at most 200 has; how many wait when one looks differs.
require_relative 'rounds'

class Mail
  def initialize(to)
    @to = to
    @parts = Array.new(8) { |n| "part #{n} for #{to}" }
  end
end

class Outbox
  def initialize
    @queue = SizedQueue.new(200)
    @sent = 0
    @thread = Thread.new { loop { send_one } }
  end

  def add(mail) = @queue << mail
  def waiting = @queue.size

  private

  def send_one
    @queue.pop
    @sent += 1
  end
end

outbox = Outbox.new
rounds do |round|
  2000.times { |n| outbox.add(Mail.new("user-#{round}-#{n}@example.org")) }
  sleep 0.01 until outbox.waiting.zero?
end
