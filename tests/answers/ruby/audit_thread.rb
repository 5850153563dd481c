# A thread of a pool collects audit entries in a variable of its own, and nobody takes them away.
require_relative 'rounds'

AuditEntry = Struct.new(:path, :user, :changes)

class WorkerPool
  def initialize(size)
    @jobs = Queue.new
    @done = Queue.new
    @threads = Array.new(size) { Thread.new { loop { @done << @jobs.pop.call } } }
  end

  def run(jobs)
    jobs.each { |job| @jobs << job }
    jobs.size.times { @done.pop }
  end
end

pool = WorkerPool.new(1)
rounds do |round|
  pool.run(Array.new(800) do |n|
    lambda do
      entries = (Thread.current[:audit_entries] ||= [])
      entries << AuditEntry.new("/orders/#{round}/#{n}", "user-#{n}", { before: "a#{n}", after: "b#{n}" })
      nil
    end
  end)
end
