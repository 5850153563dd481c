# Jobs go to the queue of a worker, which died of an exception that nobody saw.
require_relative 'rounds'

Job = Struct.new(:id, :payload)

class Mailer
  def initialize
    @queue = Thread::Queue.new
    @worker = Thread.new { @queue.pop; raise 'no connection' }
    @worker.report_on_exception = false
  end

  def deliver(id) = @queue << Job.new(id, { to: "user#{id}@example.org" })
end

mailer = Mailer.new
rounds { |round| 1200.times { |n| mailer.deliver("#{round}-#{n}") } }
